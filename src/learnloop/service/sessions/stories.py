"""The story of one session: its events, the feedback in it, and the outcomes of recalled lessons.

Only the days of the session are read: segments by their names, documents by their shards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.learn.sessions import timeline, watch
from learnloop.learn.sessions.timeline import TimelineEntry
from learnloop.learn.sessions.watch import LiveSession
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

MOST_ENTRIES = 20_000
_MOST_BYTES = 256 << 20
"""Bytes of segments that are searched at most for the lines of one session."""
_LATER = 3
"""Segments after a session's last event that may contain its lines, where a fold or a spool file was late."""


class LessonOutcome(NamedTuple):
    """A lesson that was recalled in a session, and its outcome."""

    id: str
    statement: str
    times: int
    became: str


class Story(NamedTuple):
    """One session: its timeline, the feedback, the recalled lessons."""

    entries: tuple[TimelineEntry, ...]
    feedback: Mapping[str, int]
    """The number of remarks of each category."""
    recalled: tuple[LessonOutcome, ...]
    cut: bool = False
    """Whether older entries are left out."""
    whole: LiveSession | None = None
    """The session made of all its events."""


def story(ws: Workspace, session_id: str, since_ms: int = 0, until_ms: int = 0) -> Story:
    """The story of a session whose first and last event have those times, in ms; 0: any time."""
    from learnloop.store.store import Store

    days = (  # of the shards: a late event is filed under the day after
        clock.iso(since_ms)[:10] if since_ms else "",
        clock.iso(until_ms + 86_400_000)[:10] if until_ms else "~",
    )
    feedback = Store(ws.root).feedback(session_id=session_id, days=days)
    events = timeline.sorted_events(_events(ws.root, session_id, since_ms, until_ms))
    classifications = {
        remark.event_id: f"{remark.feedback_category} {round(100 * remark.confidence)}: ".replace("_", " ")
        + remark.reason
        for remark in feedback
    }
    entries = timeline.entries(events, classifications)
    times_recalled = Counter(
        lesson.id for entry in entries if entry.kind == "told" for lesson in entry.lessons
    )
    return Story(
        entries=tuple(entries[-MOST_ENTRIES:]),
        feedback=Counter(remark.feedback_category for remark in feedback),
        recalled=tuple(_outcomes(ws, times_recalled, session_id)),
        cut=len(entries) > MOST_ENTRIES,
        whole=watch.fold({}, events).get(session_id),
    )


_HERE = {"corrected": "corrected again"}


def _outcomes(ws: Workspace, times_recalled: Mapping[str, int], session_id: str) -> Iterator[LessonOutcome]:
    from learnloop.ingest import tellings
    from learnloop.service.lessons import outcome_words

    docs = documents.lessons(ws.root)
    for lesson_id, times in times_recalled.items():
        doc = docs.get(lesson_id) or {}
        here = (doc.get(tellings.TELLINGS) or {}).get(session_id, "")
        became = f"{_HERE.get(here, here)} here; in all {outcome_words.story(doc)}" if here else ""
        statement = str(doc.get("statement") or "a lesson that is gone")
        yield LessonOutcome(lesson_id, statement, times, became or "no outcome yet")


def _events(root: str, session_id: str, since_ms: int, until_ms: int) -> Iterator[Mapping[str, Any]]:
    """The session's events, wherever they are now; only its own lines are parsed.

    A segment is named by the time of its fold, so an event is in a segment that is named later than it. Where
    none of the first segments has any (old sessions that were imported), all later ones are searched.
    """
    from learnloop.store import pending, segments

    names = segments.names(root)
    later = [name for name in names if name >= f"{since_ms:013d}"]
    last = f"{until_ms:013d}" if until_ms else "~"
    first = [name for name in later if name <= last]
    first += later[len(first) : len(first) + _LATER]
    events = list(_of_segments(root, first, session_id))
    yield from events or _of_segments(root, later[len(first) :], session_id)
    newest = max(names, default="")
    yield from (event for event in pending.records(root, newest) if event.get("session_id") == session_id)


def _of_segments(root: str, names: list[str], session_id: str) -> Iterator[Mapping[str, Any]]:
    from learnloop.store import files, lines, segments
    from learnloop.wire import codec

    needle, left = codec.encode(session_id).encode().strip(b'"'), _MOST_BYTES
    for name in reversed(names):
        if left <= 0:
            break
        data = files.read(Path(segments.path(root, name))) or b""
        left -= len(data)
        for line in data.split(b"\n") if needle in data else ():
            record = lines.parse(line) if needle in line else None
            if record is not None and record.get("session_id") == session_id:
                yield record
