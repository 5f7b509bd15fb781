"""All sessions as they are now, kept up to date with new events, and the story of one.

watcher = Watcher(ws); watcher.open()      read the latest events and the stored sessions once
watcher.apply(records)                     apply further events, as they are written
watcher.sessions(now_ms)                   the sessions, running ones first
watcher.find(session_id)                   a session that is older than those
session_names(ws, now_ms)                  thousands of sessions by their tasks
story(ws, session_id)                      what happened in one session, from its events
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.learn.sessions import timeline, watch
from learnloop.learn.sessions.timeline import KINDS, RecalledLesson, TimelineEntry
from learnloop.learn.sessions.watch import PHASES, Call, LiveSession, Phase, Subagent
from learnloop.service.lessons import documents
from learnloop.service.sessions import recent_events
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.models import Session


_MOST_ENTRIES = 20_000
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

    days = (
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
        entries=tuple(entries[-_MOST_ENTRIES:]),
        feedback=Counter(remark.feedback_category for remark in feedback),
        recalled=tuple(_outcomes(ws, times_recalled, session_id)),
        cut=len(entries) > _MOST_ENTRIES,
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
    from learnloop.store import files, segments
    from learnloop.wire import codec

    needle, left = codec.encode(session_id).encode().strip(b'"'), _MOST_BYTES
    for name in reversed(names):
        if left <= 0:
            break
        data = files.read(Path(segments.path(root, name))) or b""
        left -= len(data)
        for line in data.split(b"\n") if needle in data else ():
            record = segments.parse(line) if needle in line else None
            if record is not None and record.get("session_id") == session_id:
                yield record


__all__ = [
    "KINDS", "PHASES", "Call", "LessonOutcome", "LiveSession", "Phase", "RecalledLesson", "SessionName",
    "Story", "Subagent", "TimelineEntry", "Watcher", "entry_of", "latency", "phase", "session_names",
    "sessions", "story",
]  # fmt: skip

RECENT_BYTES = 4 << 20
"""Of the last events, how much is read when the console opens: some ten thousand."""
MOST = 1_000
"""Sessions that are listed."""
MOST_NAMES = 5_000
"""Sessions that are searched, the newest ones."""
_REMEMBERED = 50_000


class Watcher:
    """Keeps every session up to date with the events it is given."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._sessions: dict[str, LiveSession] = {}
        self._asked_for = ""
        self._taken: dict[str, None] = {}
        """The ids of the last events: those read at the start are given once more with those that follow."""

    def open(self) -> None:
        """Read the latest events, and the stored documents of older sessions."""
        from learnloop.service.sessions.sessions import sessions as stored

        self._sessions = watch.fold({}, self._new(recent_events.recent(self._ws.root, RECENT_BYTES)))
        for session in stored(self._ws, MOST):
            self._sessions[session.id] = _merged(self._sessions.get(session.id), _of_document(session))

    def apply(self, records: Iterable[Mapping[str, Any]]) -> bool:
        """Apply further events; returns whether any of them was new."""
        new = list(self._new(records))
        self._sessions = watch.fold(self._sessions, new) if new else self._sessions
        return bool(new)

    def sessions(self, now_ms: int) -> tuple[LiveSession, ...]:
        """The sessions, running ones first, and at the end one that was asked for."""
        ordered = watch.sort_sessions(self._sessions.values(), now_ms)
        rest = [session for session in ordered[MOST:] if session.id == self._asked_for]
        return (*ordered[:MOST], *rest)

    def find(self, session_id: str) -> LiveSession | None:
        """A session that may be older than the listed ones; it is listed from now on. None if unknown."""
        from learnloop.store.store import Store

        if session_id not in self._sessions:
            stored = Store(self._ws.root).session(session_id)
            if stored is None:
                return None
            self._sessions[session_id] = _of_document(stored)
            self._asked_for = session_id
        return self._sessions[session_id]

    def complete(self, whole: LiveSession) -> None:
        """Replace a session by one made of all its events, unless newer events were applied here."""
        seen = self._sessions.get(whole.id)
        if seen is not None and whole.last_ms >= seen.last_ms and whole.events >= seen.events:
            self._sessions[whole.id] = replace(whole, branch=whole.branch or seen.branch)

    def _new(self, records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        for record in records:
            event_id = str(record.get("id", ""))
            if event_id not in self._taken:
                self._taken[event_id] = None
                yield record
        while len(self._taken) > _REMEMBERED:
            del self._taken[next(iter(self._taken))]


def sessions(ws: Workspace, now_ms: int) -> tuple[LiveSession, ...]:
    """The sessions as they are now, running ones first, read once."""
    watcher = Watcher(ws)
    watcher.open()
    return watcher.sessions(now_ms)


class SessionName(NamedTuple):
    """One session in a search."""

    id: str
    task: str
    """The last prompt that asks for something; empty where none was recorded."""
    project: str
    branch: str
    host: str
    last_seen: str


def session_names(ws: Workspace, now_ms: int) -> list[SessionName]:
    """The sessions by name, running ones first, then newest first."""
    from learnloop.service.sessions.sessions import sessions as stored

    live = sessions(ws, now_ms)
    live_ids = {session.id for session in live}
    older = (_of_document(session) for session in stored(ws, MOST_NAMES) if session.id not in live_ids)
    return [
        SessionName(
            session.id, session.task, session.project, session.branch, session.host,
            clock.iso(session.last_ms),
        )
        for session in (*live, *older)
    ][:MOST_NAMES]  # fmt: skip


def phase(session: LiveSession, now_ms: int) -> Phase:
    """The present phase of a session."""
    return watch.phase(session, now_ms)


def latency(session: LiveSession) -> tuple[float, float] | None:
    """The median and the 95th percentile of the times of its last hooks, in ms; None where none was timed."""
    times = sorted(session.hook_ms)
    p50, p95 = recent_events.percentile(times, 50), recent_events.percentile(times, 95)
    return (p50, p95) if p50 is not None and p95 is not None else None


def _of_document(session: "Session") -> LiveSession:
    counts, todo = session.counts, session.todo_snapshot
    return LiveSession(
        id=session.id, host=session.host, project=session.project, branch=session.branch or "",
        transcript_path=session.transcript_path, started_ms=clock.parse_ms(session.started),
        last_ms=clock.parse_ms(session.last_seen), ended="over" if session.ended else "",
        task=watch.task_of(session.recent_prompts), prompts=counts.get("prompt", 0),
        calls=counts.get("tool_end", 0) + counts.get("tool_failed", 0), events=sum(counts.values()),
        refusals=counts.get("refusal", 0),
        todo=(todo.completed, todo.total) if todo else None,
    )  # fmt: skip


def _merged(seen: LiveSession | None, stored: LiveSession) -> LiveSession:
    """The session of the latest events, completed by the stored one that began earlier."""
    if seen is None or seen.started_ms <= stored.started_ms:
        return seen or stored
    return replace(
        seen, started_ms=stored.started_ms, branch=seen.branch or stored.branch,
        task=seen.task or stored.task,
        prompts=max(seen.prompts, stored.prompts), calls=max(seen.calls, stored.calls),
        events=max(seen.events, stored.events),
        refusals=max(seen.refusals, stored.refusals), todo=seen.todo or stored.todo,
        transcript_path=seen.transcript_path or stored.transcript_path,
    )  # fmt: skip


def entry_of(event: Mapping[str, Any]) -> TimelineEntry | None:
    """The entry of an event that was just written and not yet classified; None where it has none."""
    return timeline.entry_of(event, {})
