"""Pins are exact and hashed; a loose one is named."""

import pytest
from scripts import audit

HASHED = "tinydb==4.9.0 \\\n    --hash=sha256:" + "a" * 64 + "\n"


@pytest.mark.parametrize("name", audit.LOCKS)
def test_every_pin_is_exact_and_hashed(name: str) -> None:
    lock = (audit.PROJECT / name).read_text("utf-8")
    assert len(list(audit.pins(lock))) > 3
    assert audit.loose(lock) == []


def test_what_is_installed_is_what_is_pinned() -> None:
    assert audit.unpinned((audit.PROJECT / audit.LOCKS[0]).read_text("utf-8")) == []


@pytest.mark.parametrize(
    "entry",
    ["tinydb==4.9.0\n", "tinydb>=4.9 \\\n    --hash=sha256:" + "a" * 64, "tinydb==4.9.0 --hash=md5:abc\n",
     "tinydb @ https://example.org/tinydb.whl \\\n    --hash=sha256:" + "a" * 64],
)  # fmt: skip
def test_a_loose_pin_is_named(entry: str) -> None:
    assert audit.loose(HASHED) == []
    assert len(audit.loose(HASHED + entry)) == 1


def test_another_version_than_pinned_is_named() -> None:
    assert audit.unpinned("tinydb==0.1 \\\n    --hash=sha256:" + "a" * 64)
    assert audit.unpinned("never-heard-of==0.1") == []


def test_licences_of_what_is_installed_fit() -> None:
    fitting = {name: audit.FITTING.search(licence) for name, licence in audit.licences().items()}
    assert fitting.keys() >= {"tinydb", "textual", "pydantic"}
    assert [
        name for name, fits in fitting.items() if not (fits or name in {"learnloop", *audit.ACCEPTED})
    ] == []
