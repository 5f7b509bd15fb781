"""Files that cannot be read: set aside, replaced by the last good copy, told of, never a crash."""

from pathlib import Path

import pytest

from learnloop import errors
from learnloop.store import repair
from learnloop.store.store import Store
from learnloop.wire import clock

BROKEN = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'{"lessons":[]}',
    b'{"lessons":{"x":1}}',
    b"\0" * 100,
    b"\xff",
    b"[" * 99_999,
]


@pytest.fixture
def damaged(root: str, request: pytest.FixtureRequest) -> str:
    """A store whose lessons were written twice, a copy being kept of the first, and then broken."""
    for number in (1, 2):
        with Store(root).transaction() as changes:
            changes.table("lessons").put("x", {"n": number})
            changes.state["open"] = number
            changes.cursor = f"c{number}"
    Path(root, "store", "lessons.json").write_bytes(getattr(request, "param", BROKEN[1]))
    return root


@pytest.mark.parametrize("damaged", BROKEN, indirect=True)
def test_a_reader_gets_the_last_good_copy(damaged: str) -> None:
    broken = Path(damaged, "store", "lessons.json").read_bytes()
    assert Store(damaged).documents("lessons") == {"x": {"n": 1}}
    assert Store(damaged).documents("lessons") == {"x": {"n": 1}}
    (aside,) = Path(damaged, "quarantine").iterdir()
    assert aside.read_bytes() == broken
    (told,) = Store(damaged).damage()
    assert "lessons.json" in told
    assert "restored from a backup" in told


def test_the_next_ingest_starts_over(damaged: str) -> None:
    Store(damaged).documents("lessons")
    assert Store(damaged).cursor() == ""
    with Store(damaged).transaction() as changes:
        assert (changes.cursor, changes.state) == ("", {})
        assert changes.table("lessons").cursor == "c1"


def test_a_transaction_repairs_and_asks_to_be_started_again(damaged: str) -> None:
    with pytest.raises(repair.Repaired), Store(damaged).transaction() as changes:
        changes.table("lessons")
    with Store(damaged).transaction() as changes:
        assert changes.table("lessons").all() == {"x": {"n": 1}}


def test_a_reader_does_not_wait_long_for_the_lock(damaged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "LOCK_WAIT_S", 0.01)
    with Store(damaged).transaction():
        assert Store(damaged).documents("lessons") == {"x": {"n": 1}}
        assert Store(damaged).damage() == []
    Store(damaged).documents("lessons")
    assert len(Store(damaged).damage()) == 1


def test_without_a_copy_the_file_starts_empty_and_is_reported(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("health").put("x", {})
    Path(root, "store", "health.json").write_bytes(b"{")
    assert Store(root).documents("health") == {}
    assert "rebuilt from events" in Store(root).damage()[0]


def test_a_broken_copy_is_passed_over(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for hours in range(3):
        monkeypatch.setattr(clock, "now_ms", lambda hours=hours: 10**12 + hours * 3_600_000)
        with Store(root).transaction() as changes:
            changes.table("lessons").put("x", {"n": hours})
    newest = max(Path(root, "backups", "store").iterdir())
    newest.write_bytes(b"{")
    Path(root, "store", "lessons.json").write_bytes(b"{")
    assert Store(root).documents("lessons") == {"x": {"n": 1}}


def test_a_broken_state_starts_ingest_over(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.cursor = "c1"
    Path(root, "store", "state.json").write_bytes(b"garbage")
    assert Store(root).cursor() == ""
    assert Store(root).state() == {}
    with Store(root).transaction() as changes:
        assert changes.cursor == ""
    assert len(Store(root).damage()) == 1


def test_a_document_that_fits_no_model_is_left_out_and_reported(root: str) -> None:
    with Store(root).transaction() as changes:
        changes.table("lessons").put("x", {"id": "x", "statement": 1})
    store = Store(root)
    assert store.lessons() == []
    assert "document x" in store.damage()[0]


def test_a_file_that_may_not_be_read_is_an_error_of_ours(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(root, "store", "lessons.json").mkdir(parents=True)
    with pytest.raises(errors.Unreadable, match=r"lessons\.json"):
        Store(root).documents("lessons")
    with pytest.raises(errors.Unreadable, match=r"lessons\.json"), Store(root).transaction() as changes:
        changes.table("lessons")
