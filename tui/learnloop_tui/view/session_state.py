"""What the sessions' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from learnloop_tui.view.list_view import ListView, keep_cursor, moved, with_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


class SessionsSnapshot(NamedTuple):
    """What was read: every session, and what happened in any of them since the last look."""

    sessions: tuple[LiveSession, ...]
    phases: Mapping[str, Phase]
    news: tuple[tuple[str, TimelineEntry], ...] = ()


class SessionRow(NamedTuple):
    """One session as the list shows it."""

    id: str
    session: LiveSession
    phase: Phase

    @property
    def folder(self) -> str:
        """The project's folder."""
        return self.session.project.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class SessionsView(ListView[SessionRow]):
    """The list: its rows, the filter, and where the cursor stands."""

    PLACE: ClassVar[str] = "sessions"

    @staticmethod
    def haystack(row: SessionRow) -> str:
        """What it is doing, where, for which client, on what, and its id."""
        session = row.session
        place = f"{session.project} {session.branch} {session.host}"
        return f"{row.phase} {place} {session.task} {row.id}".lower()


def with_sessions(view: SessionsView, snapshot: SessionsSnapshot) -> SessionsView:
    """New rows; the cursor stays on the session it was on."""
    rows = tuple(SessionRow(one.id, one, snapshot.phases[one.id]) for one in snapshot.sessions)
    return with_rows(view, rows)


@dataclass(frozen=True, kw_only=True)
class StoryView(ListView["TimelineEntry"]):
    """The story of one session: its entries, what it is narrowed to, and whether it follows the newest."""

    session_id: str = ""
    story: Story | None = None
    narrowed: int = 0
    """Which of FILTERS."""
    follows: bool = True
    """The cursor goes along with what comes."""

    @property
    def statements(self) -> dict[str, str]:
        """What the recalled lessons say, by id."""
        recalled = self.story.recalled if self.story is not None else ()
        return {lesson.id: lesson.statement for lesson in recalled}

    @cached_property
    def items(self) -> tuple[TimelineEntry, ...]:
        """What the story shows, oldest first."""
        kinds = FILTERS[self.narrowed][1]
        if not kinds:
            return self.rows
        return tuple(one for one in self.rows if one.kind in kinds or ("heard" in kinds and one.heard))


def opened(session_id: str, story: Story, before: StoryView) -> StoryView:
    """The story of a session as it was read; of the same one the place is kept, and what came since."""
    if before.session_id != session_id:
        return _at_end(
            StoryView(session_id=session_id, story=story, rows=story.entries, narrowed=before.narrowed)
        )
    read = {one.id for one in story.entries}
    since = story.entries[-1].ms if story.entries else 0
    later = tuple(one for one in before.rows if one.id not in read and one.ms >= since)
    return _kept(before, replace(before, story=story, rows=(*story.entries, *later)))


def with_news(view: StoryView, news: Iterable[tuple[str, TimelineEntry]]) -> StoryView:
    """The story with what happened since."""
    known = {one.id for one in view.rows[-500:]}
    new = [one for session_id, one in news if session_id == view.session_id and one.id not in known]
    if not new:
        return view
    entries = (*view.rows, *sorted(new, key=lambda one: one.ms))[-_KEPT:]
    return _kept(view, replace(view, rows=entries, fresh=frozenset(one.id for one in new)))


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
        for one in view.rows[-_NEWEST:]
    )


def _kept(before: StoryView, view: StoryView) -> StoryView:
    return _at_end(view) if before.follows else keep_cursor(before, view)


def _at_end(view: StoryView) -> StoryView:
    return moved(view, len(view.items), follows=True)


def running(rows: Sequence[SessionRow]) -> int:
    """How many sessions are at work or wait for the person."""
    return sum(row.phase in ("waiting", "tool", "working") for row in rows)
