"""Watching sessions: all of them as they are now, and the story of one.

watcher = Watcher(ws); watcher.open()      what was recorded lately, read once
watcher.take(records)                      further events, as they are written
watcher.sessions(now_ms)                   running ones first
watcher.find(session_id)                   one that is older than those
story(ws, session_id)                      what happened in one, from the events themselves
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from learnloop.learn.sessions import timeline, watch
from learnloop.learn.sessions.timeline import KINDS, RecalledLesson, TimelineEntry
from learnloop.learn.sessions.watch import PHASES, Call, LiveSession, Phase, Subagent
from learnloop.service.sessions import recent_events
from learnloop.service.sessions.stories import Recalled, Story, story
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.models import Session
    from learnloop.service.workspace import Workspace

__all__ = [
    "KINDS", "PHASES", "Call", "LiveSession", "Phase", "Recalled", "RecalledLesson", "Story", "Subagent",
    "TimelineEntry", "Watcher", "entry_of", "latency", "phase", "sessions", "story",
]  # fmt: skip

RECENT_BYTES = 4 << 20
"""Of the last events, how much is read when the console opens: some ten thousand."""
MOST = 1_000
"""Sessions that are listed."""
_REMEMBERED = 50_000


class Watcher:
    """Every session as it is now; cheap to keep up to date."""

    def __init__(self, ws: "Workspace") -> None:
        self._ws = ws
        self._known: dict[str, LiveSession] = {}
        self._asked = ""
        self._taken: dict[str, None] = {}
        """The last events, because what is read at the start comes once more with those that follow."""

    def open(self) -> None:
        """Read what was recorded lately, and of older sessions what is stored of them."""
        from learnloop.service.sessions.sessions import sessions as stored

        self._known = watch.fold({}, self._new(recent_events.recent(self._ws.root, RECENT_BYTES)))
        for session in stored(self._ws, MOST):
            self._known[session.id] = _merged(self._known.get(session.id), _of_document(session))

    def take(self, records: Iterable[Mapping[str, Any]]) -> bool:
        """Further events; whether any of them was news of a session."""
        new = list(self._new(records))
        self._known = watch.fold(self._known, new) if new else self._known
        return bool(new)

    def sessions(self, now_ms: int) -> tuple[LiveSession, ...]:
        """The sessions, running ones first, and at the end one that was asked for."""
        found = watch.sort_sessions(self._known.values(), now_ms)
        rest = [one for one in found[MOST:] if one.id == self._asked]
        return (*found[:MOST], *rest)

    def find(self, session_id: str) -> LiveSession | None:
        """A session that may be older than those that are listed; from now on it is among them."""
        from learnloop.store.store import Store

        if session_id not in self._known:
            stored = Store(self._ws.root).session(session_id)
            if stored is None:
                return None
            self._known[session_id] = _of_document(stored)
            self._asked = session_id
        return self._known[session_id]

    def learn(self, whole: LiveSession) -> None:
        """What all events of a session tell of it, where more of them are known than were seen here."""
        seen = self._known.get(whole.id)
        if seen is not None and whole.last_ms >= seen.last_ms and whole.events >= seen.events:
            self._known[whole.id] = replace(whole, branch=whole.branch or seen.branch)

    def _new(self, records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        for record in records:
            event_id = str(record.get("id", ""))
            if event_id not in self._taken:
                self._taken[event_id] = None
                yield record
        while len(self._taken) > _REMEMBERED:
            del self._taken[next(iter(self._taken))]


def sessions(ws: "Workspace", now_ms: int) -> tuple[LiveSession, ...]:
    """The sessions as they are now, running ones first, read once."""
    watcher = Watcher(ws)
    watcher.open()
    return watcher.sessions(now_ms)


def phase(one: LiveSession, now_ms: int) -> Phase:
    """What a session is doing now."""
    return watch.phase(one, now_ms)


def latency(one: LiveSession) -> tuple[float, float] | None:
    """The middle and the 95th percentile of what its last hooks took, in milliseconds."""
    times = sorted(one.hook_ms)
    p50, p95 = recent_events.percentile(times, 50), recent_events.percentile(times, 95)
    return (p50, p95) if p50 is not None and p95 is not None else None


def _of_document(session: "Session") -> LiveSession:
    counts, todo = session.counts, session.todo_snapshot
    return LiveSession(
        id=session.id, host=session.host, project=session.project, branch=session.branch or "",
        transcript_path=session.transcript_path, started_ms=clock.parse_ms(session.started),
        last_ms=clock.parse_ms(session.last_seen), ended="over" if session.ended else "",
        task=session.recent_prompts[-1] if session.recent_prompts else "", prompts=counts.get("prompt", 0),
        events=sum(counts.values()), refusals=counts.get("refusal", 0),
        todo=(todo.completed, todo.total) if todo else None,
    )  # fmt: skip


def _merged(seen: LiveSession | None, stored: LiveSession) -> LiveSession:
    """What was seen lately, with what is stored of the time before."""
    if seen is None or seen.started_ms <= stored.started_ms:
        return seen or stored
    return replace(
        seen, started_ms=stored.started_ms, branch=seen.branch or stored.branch,
        task=seen.task or stored.task,
        prompts=max(seen.prompts, stored.prompts), events=max(seen.events, stored.events),
        refusals=max(seen.refusals, stored.refusals), todo=seen.todo or stored.todo,
        transcript_path=seen.transcript_path or stored.transcript_path,
    )  # fmt: skip


def entry_of(event: Mapping[str, Any]) -> TimelineEntry | None:
    """The entry of an event that was just written: what its words are taken for is not known yet."""
    return timeline.entry_of(event, {})
