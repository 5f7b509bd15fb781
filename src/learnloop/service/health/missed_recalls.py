"""CRITICAL lessons that were not recalled although an agent touched their files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from learnloop.models import ids
from learnloop.wire import clock

DAYS = 30
"""Older misses are not reported."""
_DAY_MS = 86_400_000


@dataclass(frozen=True)
class MissedRecall:
    """An active lesson that was not recalled where it mattered."""

    short: str
    """The shortest unique beginning of its id."""
    statement: str
    times: int
    """Misses since the lesson is active."""
    at: str
    """The time of the last one."""
    file: str


def missed_recalls(
    lessons: Mapping[str, Mapping[str, Any]], now_ms: int | None = None, every: Iterable[str] = ()
) -> list[MissedRecall]:
    """Active CRITICAL lessons that were not recalled in the last 30 days, the latest first.

    `every`: all lesson ids, where `lessons` are only some; short ids are unique among them.
    """
    since = clock.iso((clock.now_ms() if now_ms is None else now_ms) - DAYS * _DAY_MS)
    notes = {lesson_id: note for lesson_id, doc in lessons.items() if (note := _latest_note(doc, since))}
    if not notes:
        return []
    short = ids.short_ids((*lessons, *every))
    missed = [
        MissedRecall(
            short=short[lesson_id], statement=str(lessons[lesson_id].get("statement", "")),
            times=int((lessons[lesson_id].get("usage") or {}).get("silent", 1)),
            at=str(note.get("ts", "")), file=str(note.get("words", "")),
        )
        for lesson_id, note in notes.items()
    ]  # fmt: skip
    return sorted(missed, key=lambda lesson: lesson.at, reverse=True)


def _latest_note(doc: Mapping[str, Any], since: str) -> Mapping[str, Any] | None:
    """The last note of a miss on an active CRITICAL lesson; None without one after `since`."""
    if doc.get("status") != "active" or doc.get("paused") or doc.get("priority") != "CRITICAL":
        return None
    notes = [note for note in doc.get("notes") or () if note.get("kind") == "silent"]
    return next((note for note in reversed(notes) if str(note.get("ts", "")) > since), None)
