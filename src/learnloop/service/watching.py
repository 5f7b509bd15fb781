"""Watching sessions: all of them as they are now, and the story of one.

watcher = Watcher(ws); watcher.open()      what was recorded lately, read once
watcher.take(records)                      further events, as they are written
watcher.sessions(now_ms)                   running ones first
story(ws, session_id)                      what happened in one, from the events themselves
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.learn import timeline, watch
from learnloop.learn.timeline import KINDS, Entry, Told
from learnloop.learn.watch import PHASES, Call, Helper, Phase, Watched
from learnloop.service import captured, documents

if TYPE_CHECKING:
    from learnloop.models import Feedback, Session
    from learnloop.service.workspace import Workspace

__all__ = [
    "KINDS", "PHASES", "Call", "Entry", "Helper", "Phase", "Recalled", "Story", "Told", "Watched", "Watcher",
    "entry_of", "latency", "phase", "sessions", "story",
]  # fmt: skip

RECENT_BYTES = 4 << 20
"""Of the last events, how much is read when the console opens: some ten thousand."""
MOST = 1_000
"""Sessions that are listed."""
MOST_ENTRIES = 20_000
_REMEMBERED = 50_000
_STORY_BYTES = 256 << 20


class Recalled(NamedTuple):
    """A lesson that was recalled in a session, and what became of it since."""

    id: str
    statement: str
    times: int
    became: str


class Story(NamedTuple):
    """One session: what happened, what was heard, what was recalled."""

    entries: tuple[Entry, ...]
    feedback: Mapping[str, int]
    """How often each kind of feedback was heard in it."""
    recalled: tuple[Recalled, ...]
    cut: bool = False
    """There was more than is shown."""


class Watcher:
    """Every session as it is now; cheap to keep up to date."""

    def __init__(self, ws: "Workspace") -> None:
        self._ws = ws
        self._known: dict[str, Watched] = {}
        self._taken: dict[str, None] = {}
        """The last events, because what is read at the start comes once more with those that follow."""

    def open(self) -> None:
        """Read what was recorded lately, and of older sessions what is stored of them."""
        from learnloop.service.sessions import sessions as stored

        self._known = watch.fold({}, self._new(captured.recent(self._ws.root, RECENT_BYTES)))
        for session in stored(self._ws, MOST):
            self._known[session.id] = _merged(self._known.get(session.id), _of_document(session))

    def take(self, records: Iterable[Mapping[str, Any]]) -> bool:
        """Further events; whether any of them was news of a session."""
        new = list(self._new(records))
        self._known = watch.fold(self._known, new) if new else self._known
        return bool(new)

    def sessions(self, now_ms: int) -> tuple[Watched, ...]:
        """The sessions, running ones first."""
        return tuple(watch.ordered(self._known.values(), now_ms)[:MOST])

    def _new(self, records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        for record in records:
            event_id = str(record.get("id", ""))
            if event_id not in self._taken:
                self._taken[event_id] = None
                yield record
        while len(self._taken) > _REMEMBERED:
            del self._taken[next(iter(self._taken))]


def sessions(ws: "Workspace", now_ms: int) -> tuple[Watched, ...]:
    """The sessions as they are now, running ones first, read once."""
    watcher = Watcher(ws)
    watcher.open()
    return watcher.sessions(now_ms)


def phase(one: Watched, now_ms: int) -> Phase:
    """What a session is doing now."""
    return watch.phase(one, now_ms)


def latency(one: Watched) -> tuple[float, float] | None:
    """The middle and the 95th percentile of what its last hooks took, in milliseconds."""
    times = sorted(one.hook_ms)
    p50, p95 = captured.percentile(times, 50), captured.percentile(times, 95)
    return (p50, p95) if p50 is not None and p95 is not None else None


def _of_document(session: "Session") -> Watched:
    counts, todo = session.counts, session.todo_snapshot
    return Watched(
        id=session.id, host=session.host, project=session.project, branch=session.branch or "",
        transcript_path=session.transcript_path, started_ms=watch.millis(session.started),
        last_ms=watch.millis(session.last_seen), ended="over" if session.ended else "",
        task=session.recent_prompts[-1] if session.recent_prompts else "", prompts=counts.get("prompt", 0),
        events=sum(counts.values()), refusals=counts.get("refusal", 0),
        todo=(todo.completed, todo.total) if todo else None,
    )  # fmt: skip


def _merged(seen: Watched | None, stored: Watched) -> Watched:
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


def story(ws: "Workspace", session_id: str, since_ms: int = 0) -> Story:
    """What happened in a session; reads the segments from its beginning on, and of those its own lines."""
    from learnloop.service.sessions import feedback

    said = [one for one in feedback(ws, 10_000) if one.session_id == session_id]
    found = timeline.entries(
        _events(ws.root, session_id, since_ms), {one.event_id: _heard(one) for one in said}
    )
    told = Counter(lesson.id for one in found for lesson in one.lessons)
    return Story(
        entries=tuple(found[-MOST_ENTRIES:]),
        feedback=Counter(one.feedback_category for one in said),
        recalled=tuple(_recalled(ws, told)),
        cut=len(found) > MOST_ENTRIES,
    )


def entry_of(event: Mapping[str, Any]) -> Entry | None:
    """The entry of an event that was just written: what its words are taken for is not known yet."""
    return timeline.entry(event, {})


def _heard(one: "Feedback") -> str:
    return f"{one.feedback_category.replace('_', ' ')} {one.confidence:.2f}: {one.reason}"


def _recalled(ws: "Workspace", told: Mapping[str, int]) -> Iterator[Recalled]:
    docs = documents.lessons(ws.root)
    for lesson_id, times in told.items():
        doc = docs.get(lesson_id) or {}
        usage = doc.get("usage") or {}
        counts = ((usage.get(name, 0), name) for name in ("followed", "helpful", "harmful", "recurred"))
        became = ", ".join(f"{name} {count}×" for count, name in counts if count) or "nothing heard of it yet"
        yield Recalled(lesson_id, str(doc.get("statement") or "a lesson that is gone"), times, became)


def _events(root: str, session_id: str, since_ms: int) -> Iterator[Mapping[str, Any]]:
    """The session's events, wherever they are by now; of each file only its own lines are parsed."""
    from pathlib import Path

    from learnloop.store import files, pending, segments

    needle, left = session_id.encode(), _STORY_BYTES
    for name in reversed(segments.names(root)):
        if left <= 0 or name < f"{since_ms:013d}":
            break
        data = files.read(Path(segments.path(root, name))) or b""
        left -= len(data)
        if needle in data:
            yield from _own(data, needle, session_id)
    newest = max(segments.names(root), default="")
    yield from (one for one in pending.records(root, newest) if one.get("session_id") == session_id)


def _own(data: bytes, needle: bytes, session_id: str) -> Iterator[Mapping[str, Any]]:
    from learnloop.store import lines

    for line in data.split(b"\n"):
        record = lines.parse(line) if needle in line else None
        if record is not None and record.get("session_id") == session_id:
            yield record
