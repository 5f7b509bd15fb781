"""The live tail: everything written is seen once, across rotation, spool, torn lines and truncation."""

import os
from pathlib import Path
from typing import Any

import pytest

from learnloop.service.sessions.tail import Tail
from learnloop.store.fold import fold
from learnloop.wire import event, journal, paths


def _event(text: str, ms: int | None = None) -> dict[str, object]:
    return event.record(
        "prompt", host="claude", session_id="s", cwd="", project="", payload={"prompt": text}, ts_ms=ms
    )


def _prompts(events: list[dict[str, Any]]) -> list[str]:
    return [event["payload"]["prompt"] for event in events]


def test_context_reaches_into_segments(root: str) -> None:
    journal.append(root, [_event("old", 1000), _event("older", 2000)])
    fold(root)
    journal.append(root, [_event("young", 3000)])
    assert _prompts(Tail(root, context=2).read()) == ["older", "young"]


def test_context_comes_from_the_end_of_a_long_journal(root: str) -> None:
    journal.append(root, [_event(f"{number} {'x' * 500}", 1000 + number) for number in range(2000)])
    tail = Tail(root, context=2)
    assert [text.split()[0] for text in _prompts(tail.read())] == ["1998", "1999"]


def test_two_rotations_between_two_looks_lose_nothing(root: str) -> None:
    tail = Tail(root)
    journal.append(root, [_event("one", 1000)])
    assert _prompts(tail.read()) == ["one"]
    for number, text in enumerate(("two", "three")):
        journal.append(root, [_event(text, 2000 + number)])
        fold(root)
    journal.append(root, [_event("four", 4000)])
    assert _prompts(tail.read()) == ["two", "three", "four"]


def test_a_rotation_before_the_first_event_was_seen_loses_nothing(root: str) -> None:
    tail = Tail(root)
    assert tail.read() == []
    journal.append(root, [_event("fast")])
    fold(root)
    assert _prompts(tail.read()) == ["fast"]


def test_a_line_still_being_written_is_waited_for(root: str) -> None:
    tail = Tail(root)
    tail.read()
    data = journal.frame([_event("slow")])
    path = Path(paths.journal(root))
    paths.ensure_dir(root)
    path.write_bytes(data[:40])
    assert tail.read() == []
    with path.open("ab") as file:
        file.write(data[40:])
    assert _prompts(tail.read()) == ["slow"]


def test_torn_and_foreign_lines_are_skipped(root: str) -> None:
    tail = Tail(root)
    tail.read()
    journal.append(root, [_event("good")])
    with Path(paths.journal(root)).open("ab") as file:
        file.write(b'{"id": "to')
    journal.append(root, [_event("next")])
    with Path(paths.journal(root)).open("ab") as file:
        file.write(b"[1]\nhello\n\xff\xfe\n")
    assert _prompts(tail.read()) == ["good", "next"]


def test_spooled_records_are_seen_once(root: str) -> None:
    tail = Tail(root)
    tail.read()
    record = _event("spooled")
    paths.ensure_dir(paths.spool(root))
    Path(paths.spool(root), f"{record['id']}.jsonl").write_bytes(journal.frame([record]))
    assert _prompts(tail.read()) == ["spooled"]
    journal.append(root, [record])
    assert tail.read() == []


def test_what_comes_from_old_sessions_is_not_live(root: str) -> None:
    tail = Tail(root)
    tail.read()
    journal.append(root, [{**_event("old"), "source": "transcript"}, _event("new")])
    assert _prompts(tail.read()) == ["new"]


def test_a_truncated_journal_is_read_anew(root: str) -> None:
    tail = Tail(root)
    journal.append(root, [_event("one"), _event("two")])
    tail.read()
    os.truncate(paths.journal(root), 0)
    journal.append(root, [_event("three")])
    assert _prompts(tail.read()) == ["three"]


@pytest.mark.parametrize("count", [3000])
def test_many_at_once_come_whole_and_in_order(root: str, count: int) -> None:
    tail = Tail(root)
    tail.read()
    for start in range(0, count, 1000):
        journal.append(root, [_event(str(number)) for number in range(start, start + 1000)])
    assert _prompts(tail.read()) == [str(number) for number in range(count)]
