"""The story of one session: its events, what was heard of its words, what became of what it was told.

Only the days of the session are read: segments by their names, documents by their shards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.learn.sessions import timeline, watch
from learnloop.learn.sessions.timeline import TimelineEntry
from learnloop.learn.sessions.watch import LiveSession
from learnloop.service.lessons import documents

if TYPE_CHECKING:
    from learnloop.models import Feedback, Turn
    from learnloop.service.workspace import Workspace
    from learnloop.store.store import Days

MOST_ENTRIES = 20_000
_MOST_BYTES = 256 << 20
"""How much of segments is looked through at most for the lines of one session."""
_LATER = 3
"""Segments after a session's last event in which its lines may stand: a fold was late, a spool file was."""


class Recalled(NamedTuple):
    """A lesson that was recalled in a session, and what became of it."""

    id: str
    statement: str
    times: int
    became: str


class Story(NamedTuple):
    """One session: what happened, what was heard, what was recalled."""

    entries: tuple[TimelineEntry, ...]
    feedback: Mapping[str, int]
    """How often each kind of feedback was heard in it."""
    recalled: tuple[Recalled, ...]
    cut: bool = False
    """There was more than is shown."""
    whole: LiveSession | None = None
    """The session as all its events tell."""


def story(ws: "Workspace", session_id: str, since_ms: int = 0, until_ms: int = 0) -> Story:
    """What happened in a session that began and was heard of last at those times; 0: any time."""
    from learnloop.store.store import Store

    days = _days(since_ms, until_ms)
    said = Store(ws.root).feedback_of(session_id, days)
    events = timeline.sorted_events(_events(ws.root, session_id, since_ms, until_ms))
    found = timeline.entries(events, {one.event_id: _heard(one) for one in said})
    told = Counter(lesson.id for one in found for lesson in one.lessons)
    turns = Store(ws.root).turns(session_id, days=days) if told else []
    return Story(
        entries=tuple(found[-MOST_ENTRIES:]),
        feedback=Counter(one.feedback_category for one in said),
        recalled=tuple(_recalled(ws, told, turns)),
        cut=len(found) > MOST_ENTRIES,
        whole=watch.fold({}, events).get(session_id),
    )


def _days(since_ms: int, until_ms: int) -> "Days":
    """The days of the shards; a document may stand at the day after, when its event was late."""
    from learnloop.wire import clock

    first = clock.iso(since_ms)[:10] if since_ms else ""
    return first, clock.iso(until_ms + 86_400_000)[:10] if until_ms else "~"


def _heard(one: "Feedback") -> str:
    return f"{one.feedback_category.replace('_', ' ')} {one.confidence:.2f}: {one.reason}"


def _recalled(ws: "Workspace", told: Mapping[str, int], turns: "list[Turn]") -> Iterator[Recalled]:
    docs = documents.lessons(ws.root)
    for lesson_id, times in told.items():
        doc = docs.get(lesson_id) or {}
        usage = doc.get("usage") or {}
        counts = ((usage.get(name, 0), name) for name in ("followed", "helpful", "harmful", "recurred"))
        in_all = ", ".join(f"{name} {count}×" for count, name in counts if count)
        became = "; ".join(filter(None, (_here(doc, turns), in_all and f"in all {in_all}")))
        statement = str(doc.get("statement") or "a lesson that is gone")
        yield Recalled(lesson_id, statement, times, became or "nothing heard of it yet")


def _here(doc: Mapping[str, Any], turns: "list[Turn]") -> str:
    """In how many turns of the session that were told a lesson it was followed, of those that are over."""
    from learnloop.ingest import followup
    from learnloop.ingest.effects import TurnFinished

    over = [turn for turn in turns if turn.ended and doc and doc.get("id") in turn.recalled]
    followed = sum(
        followup.is_followed(
            dict(doc),
            TurnFinished(
                turn.id, turn.session_id, turn.project, turn.started, turn.ended or "", list(turn.recalled),
                list(turn.files), list(turn.commands), turn.claim, [],
            ),
        )
        for turn in over
    )  # fmt: skip
    return f"followed here in {followed} of {len(over)} turns" if over else ""


def _events(root: str, session_id: str, since_ms: int, until_ms: int) -> Iterator[Mapping[str, Any]]:
    """The session's events, wherever they are by now; of each file only its own lines are parsed.

    A segment is named by the time of its fold, so an event stands in one that is named later than it. Where
    none of the first ones holds any (old sessions that were imported), all later ones are looked through.
    """
    from learnloop.store import pending, segments

    names = segments.names(root)
    later = [name for name in names if name >= f"{since_ms:013d}"]
    last = f"{until_ms:013d}" if until_ms else "~"
    first = [name for name in later if name <= last]
    first += later[len(first) : len(first) + _LATER]
    found = list(_of_segments(root, first, session_id))
    yield from found or _of_segments(root, later[len(first) :], session_id)
    newest = max(names, default="")
    yield from (one for one in pending.records(root, newest) if one.get("session_id") == session_id)


def _of_segments(root: str, names: list[str], session_id: str) -> Iterator[Mapping[str, Any]]:
    from learnloop.store import files, segments
    from learnloop.wire import codec

    needle, left = codec.encode(session_id).encode().strip(b'"'), _MOST_BYTES
    for name in reversed(names):
        if left <= 0:
            break
        data = files.read(Path(segments.path(root, name))) or b""
        left -= len(data)
        if needle in data:
            yield from _own(data, needle, session_id)


def _own(data: bytes, needle: bytes, session_id: str) -> Iterator[Mapping[str, Any]]:
    from learnloop.store import lines

    for line in data.split(b"\n"):
        record = lines.parse(line) if needle in line else None
        if record is not None and record.get("session_id") == session_id:
            yield record
