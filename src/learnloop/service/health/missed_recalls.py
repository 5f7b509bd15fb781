"""CRITICAL lessons that stayed silent where they mattered: their files were touched, nobody was told."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from learnloop.models import ids
from learnloop.wire import clock

DAYS = 30
"""What is longer ago is not told any more."""
_DAY_MS = 86_400_000


@dataclass(frozen=True)
class Silent:
    """A lesson in use that was not told where it mattered."""

    short: str
    statement: str
    times: int
    """In all, since it is in use."""
    at: str
    """When last."""
    file: str


def silent(
    lessons: Mapping[str, Mapping[str, Any]], now_ms: int | None = None, every: Iterable[str] = ()
) -> list[Silent]:
    """Active CRITICAL lessons that stayed silent in the last 30 days, the latest first.

    `every`: the ids among which the short ones have to be unique, where `lessons` are not all there are.
    """
    since = clock.iso((clock.now_ms() if now_ms is None else now_ms) - DAYS * _DAY_MS)
    chosen = {lesson_id: note for lesson_id, doc in lessons.items() if (note := _latest(doc, since))}
    if not chosen:
        return []
    short = ids.short_ids((*lessons, *every))
    found = [
        Silent(
            short=short[lesson_id], statement=str(lessons[lesson_id].get("statement", "")),
            times=int((lessons[lesson_id].get("usage") or {}).get("silent", 1)),
            at=str(note.get("ts", "")), file=str(note.get("words", "")),
        )
        for lesson_id, note in chosen.items()
    ]  # fmt: skip
    return sorted(found, key=lambda one: one.at, reverse=True)


def _latest(doc: Mapping[str, Any], since: str) -> Mapping[str, Any] | None:
    """The last time that such a lesson stayed silent; None where it did not."""
    if doc.get("status") != "active" or doc.get("paused") or doc.get("priority") != "CRITICAL":
        return None
    notes = [one for one in doc.get("notes") or () if one.get("kind") == "silent"]
    return next((one for one in reversed(notes) if str(one.get("ts", "")) > since), None)
