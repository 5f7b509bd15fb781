"""Readers: models newest first."""

from pathlib import Path

import pytest

from learnloop.store import pending, tinydb_file
from learnloop.store.fold import fold
from learnloop.store.store import Store
from tests.store import numbered_events


def _session(number: int, day: int, seen: int | None = None) -> tinydb_file.Doc:
    return {
        "id": f"s{number}", "host": "claude", "project": "/p", "started": f"2025-11-{day:02}T10:00:00.000Z",
        "last_seen": f"2025-11-{seen or day:02}T12:00:00.000Z",
    }  # fmt: skip


def _turn(number: int, day: int, session: str = "s1") -> tinydb_file.Doc:
    return {
        "id": f"t{number}", "session_id": session, "host": "claude", "project": "/p", "origin": "human",
        "prompt": f"prompt {number}", "started": f"2025-11-{day:02}T10:00:{number % 60:02}.000Z",
    }  # fmt: skip


def _feedback(number: int, day: int, project: str) -> tinydb_file.Doc:
    return {
        "id": f"f{number}", "timestamp": f"2025-11-{day:02}T10:00:00.000Z", "session_id": "s1",
        "turn_id": "t1", "project_path": project, "event_type": "revision", "feedback_category": "correction",
        "confidence": 0.9,
        "reason": "no", "user_message": "no, pnpm",
    }  # fmt: skip


@pytest.fixture
def filled(root: str) -> str:
    """Twenty days, a session, ten turns and a feedback on each."""
    with Store(root).transaction() as changes:
        for day in range(1, 21):
            changes.documents("sessions").put(f"s{day}", _session(day, day))
            project = "/é" if day % 2 else "/p"
            changes.documents("feedback").put(f"f{day}", _feedback(day, day, project))
            for number in range(10):
                turn = _turn(day * 10 + number, day, f"s{day}")
                changes.documents("turns").put(turn["id"], turn)
    return root


def test_an_empty_root_has_nothing_and_makes_nothing(root: str) -> None:
    store = Store(root)
    assert (store.lessons(), store.decisions(), store.sessions(), store.turns(), store.feedback()) == (
        [],
    ) * 5
    assert (store.state(), store.documents("health"), store.cursor(), store.damage()) == (
        {}, {}, "", [],
    )  # fmt: skip
    assert not Path(root).exists()


def test_newest_first_and_no_more_than_asked_for(filled: str) -> None:
    turns = Store(filled).turns(limit=7)
    assert [turn.id for turn in turns] == [f"t{number}" for number in range(209, 202, -1)]


def test_the_turns_of_one_session(filled: str) -> None:
    turns = Store(filled).turns("s7")
    assert [turn.id for turn in turns] == [f"t{number}" for number in range(79, 69, -1)]


def test_feedback_of_a_project(filled: str) -> None:
    found = Store(filled).feedback(limit=3, project="/é")
    assert [one.id for one in found] == ["f19", "f17", "f15"]


def test_sessions_by_when_they_were_last_seen(filled: str) -> None:
    with Store(filled).transaction() as changes:
        changes.documents("sessions").put("s99", _session(99, 20, seen=21))
    assert [session.id for session in Store(filled).sessions(limit=2)] == ["s99", "s20"]
    assert len(Store(filled).sessions(since="2025-11-19T00:00:00.000Z")) == 3
    assert len(Store(filled).sessions()) == 21


def test_what_ingest_keeps_for_itself_is_not_in_the_models(root: str) -> None:
    stamp = "2025-11-01T10:00:00.000Z"
    document = {
        "id": "abcd",
        "statement": "Tests run.",
        "created": stamp,
        "updated": stamp,
        "_base": {"a": 1},
    }
    with Store(root).transaction() as changes:
        changes.table("lessons").put("abcd", document)
    (lesson,) = Store(root).lessons()
    assert lesson.statement == "Tests run."
    assert Store(root).documents("lessons")["abcd"]["_base"] == {"a": 1}


def test_decisions_come_in_their_order(root: str) -> None:
    with Store(root).transaction() as changes:
        for number in (2, 1, 3):
            decision = {"id": f"d{number}", "ts": f"2025-11-0{number}", "action": "promote"}
            changes.table("decisions").put(f"d{number}", decision)
    assert [found.id for found in Store(root).decisions()] == ["d1", "d2", "d3"]


def test_pending_events_are_those_after_the_cursor(root: str) -> None:
    numbered_events.append(root, 1)
    first = fold(root).segments[-1]
    numbered_events.append(root, 2)
    fold(root)
    numbered_events.append(root, 3)
    assert first is not None
    assert [record["id"] for record in pending.records(root, first)] == [
        numbered_events.event_id(2),
        numbered_events.event_id(3),
    ]
    assert pending.records(root, "", kinds=("decision",)) == []
    assert len(pending.records(root, "", kinds=("prompt",))) == 3


def test_pending_events_cost_nothing_that_is_ingested(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    for number in range(5):
        numbered_events.append(root, number)
        names += fold(root).segments
    from learnloop.store import files

    read: list[str] = []
    real = files.read

    def reading(path: Path) -> bytes | None:
        read.append(path.name)
        return real(path)

    monkeypatch.setattr(files, "read", reading)
    pending.records(root, names[3])
