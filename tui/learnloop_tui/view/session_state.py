"""What the sessions' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from learnloop_tui.view.list_view import Pointing, followed, moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from learnloop.service.lessons.filters import Query
    from learnloop.service.sessions.live_sessions import LiveSession, Phase, Story, TimelineEntry

FILTERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("everything", frozenset()),
    ("prompts", frozenset({"prompt"})),
    ("tools", frozenset({"tool", "failed", "refusal", "stopped"})),
    ("trouble", frozenset({"failed", "refusal", "stopped", "notice"})),
    ("told", frozenset({"told"})),
    ("heard", frozenset({"heard"})),
    ("agents", frozenset({"agent"})),
)
"""What a story can be narrowed to, in the order of its key; `heard`: words that were taken for feedback."""
_KEPT, _NEWEST = 20_000, 50
_HEARD_MS = 15_000
"""An ingest comes at the latest ten seconds after an event."""


class Seen(NamedTuple):
    """What was read: every session, and what happened in any of them since the last look."""

    sessions: tuple[LiveSession, ...]
    phases: Mapping[str, Phase]
    news: tuple[tuple[str, TimelineEntry], ...] = ()


class SessionRow(NamedTuple):
    """One session as the list shows it."""

    id: str
    one: LiveSession
    phase: Phase

    @property
    def folder(self) -> str:
        """The project's folder."""
        return self.one.project.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True)
class SessionsView(Pointing[SessionRow]):
    """The list: its rows, the filter, and where the cursor stands."""

    rows: tuple[SessionRow, ...] = ()
    query: str = ""
    asked_ms: int = 0
    """When the query was typed: what it says of ages counts from there."""
    loaded: bool = False

    @cached_property
    def parsed(self) -> Query:
        """What the query asks, and what of it was not understood."""
        from learnloop.service.lessons import filters
        from learnloop_tui.view import filter_fields

        return filters.parse(self.query, self.asked_ms, filter_fields.SESSIONS, _haystack)

    @cached_property
    def items(self) -> tuple[SessionRow, ...]:
        """What the list shows."""
        return tuple(filter(self.parsed.matches, self.rows))


def _haystack(row: SessionRow) -> str:
    one = row.one
    return f"{row.phase} {one.project} {one.branch} {one.host} {one.task} {row.id}".lower()


def with_sessions(view: SessionsView, seen: Seen) -> SessionsView:
    """New rows; the cursor stays on the session it was on."""
    rows = tuple(SessionRow(one.id, one, seen.phases[one.id]) for one in seen.sessions)
    return followed(view, replace(view, rows=rows, loaded=True))


def filtered(view: SessionsView, query: str, now_ms: int = 0) -> SessionsView:
    """Only sessions that fit the query."""
    return followed(view, replace(view, query=query, asked_ms=now_ms))


def pointed(view: SessionsView, session_id: str) -> SessionsView:
    """The cursor on that session, where the list shows it."""
    at = view.positions.get(session_id)
    return view if at is None else moved(view, at)


@dataclass(frozen=True)
class StoryView(Pointing["TimelineEntry"]):
    """The story of one session: its entries, what it is narrowed to, and whether it follows the newest."""

    session_id: str = ""
    story: Story | None = None
    entries: tuple[TimelineEntry, ...] = ()
    narrowed: int = 0
    """Which of FILTERS."""
    follows: bool = True
    """The cursor goes along with what comes."""

    @cached_property
    def items(self) -> tuple[TimelineEntry, ...]:
        """What the story shows, oldest first."""
        kinds = FILTERS[self.narrowed][1]
        if not kinds:
            return self.entries
        return tuple(one for one in self.entries if one.kind in kinds or ("heard" in kinds and one.heard))


def opened(session_id: str, story: Story, before: StoryView) -> StoryView:
    """The story of a session as it was read; of the same one the place is kept, and what came since."""
    if before.session_id != session_id:
        return _at_end(StoryView(session_id, story, story.entries, before.narrowed))
    read = {one.id for one in story.entries}
    since = story.entries[-1].ms if story.entries else 0
    later = tuple(one for one in before.entries if one.id not in read and one.ms >= since)
    return _kept(before, replace(before, story=story, entries=(*story.entries, *later)))


def told(view: StoryView, news: Iterable[tuple[str, TimelineEntry]]) -> StoryView:
    """The story with what happened since."""
    known = {one.id for one in view.entries[-500:]}
    new = [one for session_id, one in news if session_id == view.session_id and one.id not in known]
    if not new:
        return view
    entries = (*view.entries, *sorted(new, key=lambda one: one.ms))[-_KEPT:]
    return _kept(view, replace(view, entries=entries, fresh=frozenset(one.id for one in new)))


def narrowed(view: StoryView, step: int) -> StoryView:
    """Narrowed to the next kind, or the one before."""
    made = replace(view, narrowed=(view.narrowed + step) % len(FILTERS))
    return _at_end(made) if view.follows else _kept(view, made)


def gone(view: StoryView, cursor: int) -> StoryView:
    """The cursor on that entry; on the last one it follows again."""
    return moved(view, cursor, follows=cursor >= len(view.items) - 1)


def is_unheard(view: StoryView, now_ms: int) -> bool:
    """Whether a prompt is so young that what is heard in it may not be known yet."""
    return any(
        one.kind == "prompt" and not one.machine and not one.heard and now_ms - one.ms < _HEARD_MS
        for one in view.entries[-_NEWEST:]
    )


def _kept(before: StoryView, view: StoryView) -> StoryView:
    return _at_end(view) if before.follows else followed(before, view)


def _at_end(view: StoryView) -> StoryView:
    return moved(view, len(view.items), follows=True)


def running(rows: Sequence[SessionRow]) -> int:
    """How many sessions are at work or wait for the person."""
    return sum(row.phase in ("waiting", "tool", "working") for row in rows)
