"""Each promise of SECURITY.md, and each attack that reliability.md lists, names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
ATTACKS = (
    (ROOT / "docs/reliability.md").read_text("utf-8").partition("\n## Attacks\n")[2].partition("\n## ")[0]
)


def test_every_promise_names_a_test() -> None:
    promised = re.findall(r"(?m)^(\d+)\. \*\*", PAGE)
    shown = re.findall(r"(?m)^\| (\d+) \| `", PAGE)
    assert promised == shown == [str(number) for number in range(1, len(promised) + 1)]
    assert len(promised) > 10


def test_every_named_test_exists() -> None:
    named = re.findall(r"`([a-z_/]+\.py)::(test_[a-z0-9_]+)`", PAGE + ATTACKS)
    assert len(named) > 40
    missing = [
        (file, name)
        for file, name in named
        if not re.search(rf"(?m)^(async )?def {name}\(", (ROOT / "tests" / file).read_text("utf-8"))
    ]
    assert missing == []


def test_every_finding_of_the_attack_names_a_test() -> None:
    rows = [row for row in ATTACKS.splitlines() if row.startswith("| ")][1:]
    assert [row for row in rows if not re.search(r"\.py::test_[a-z0-9_]+` \|$", row)] == []
    assert set(re.findall(r"\bN\d+", ATTACKS)) == {f"N{number}" for number in range(1, 11)}


def test_the_page_is_short() -> None:
    assert len(PAGE.split()) <= 1_500
