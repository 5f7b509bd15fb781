"""What the sessions' pane shows, as frozen values, and the pure functions that change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from learnloop.wire import hosts
from learnloop_tui.view.list_view import ListView, keep_cursor, moved, with_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from learnloop.service.sessions.live_sessions import LiveSession, Phase, Story, TimelineEntry

FILTERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("everything", frozenset()), ("prompts", frozenset({"prompt"})),
    ("tools", frozenset({"tool", "failed", "refusal", "stopped"})),
    ("trouble", frozenset({"failed", "refusal", "stopped", "notice"})),
    ("told", frozenset({"told", "held"})), ("feedback", frozenset({"heard"})),
    ("agents", frozenset({"agent"})),
)  # fmt: skip
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
    folder: str
    """The project's name among those of the other sessions."""

    @property
    def mark(self) -> str:
        """The host's name; that of Claude Code goes without saying."""
        return "" if self.session.host == hosts.CLAUDE else self.session.host


@dataclass(frozen=True, kw_only=True)
class SessionsView(ListView[SessionRow]):
    """The list of sessions."""

    PLACE: ClassVar[str] = "sessions"

    @staticmethod
    def haystack(row: SessionRow) -> str:
        session = row.session
        place = f"{session.project} {session.branch} {session.host}"
        return f"{row.phase} {place} {session.task} {row.id}".lower()


def with_sessions(view: SessionsView, snapshot: SessionsSnapshot) -> SessionsView:
    """New rows; the cursor stays on the session it was on."""
    from learnloop.service.project_names import names

    folders = names({session.project for session in snapshot.sessions})
    rows = tuple(
        SessionRow(session.id, session, snapshot.phases[session.id], folders.get(session.project, ""))
        for session in snapshot.sessions
    )
    return with_rows(view, rows)


@dataclass(frozen=True, kw_only=True)
class StoryView(ListView["TimelineEntry"]):
    """The story of one session: its entries, what it is narrowed to, and whether it follows the newest."""

    session_id: str = ""
    story: Story | None = None
    narrowed: int = 0
    """Which of FILTERS."""
    follows: bool = True

    @property
    def statements(self) -> dict[str, str]:
        """What the recalled lessons say, by id."""
        recalled = self.story.recalled if self.story is not None else ()
        return {lesson.id: lesson.statement for lesson in recalled}

    @cached_property
    def items(self) -> tuple[TimelineEntry, ...]:
        kinds = FILTERS[self.narrowed][1]
        if not kinds:
            return self.rows
        return tuple(
            entry for entry in self.rows if entry.kind in kinds or ("heard" in kinds and entry.heard)
        )


def opened(session_id: str, story: Story, before: StoryView) -> StoryView:
    """The story of a session as it was read; of the same one the place is kept, and what came since."""
    if before.session_id != session_id:
        return _at_end(
            StoryView(session_id=session_id, story=story, rows=story.entries, narrowed=before.narrowed)
        )
    read = {entry.id for entry in story.entries}
    since = story.entries[-1].ms if story.entries else 0
    later = tuple(entry for entry in before.rows if entry.id not in read and entry.ms >= since)
    return _kept(before, replace(before, story=story, rows=(*story.entries, *later)))


def with_news(view: StoryView, news: Iterable[tuple[str, TimelineEntry]]) -> StoryView:
    """The story with what happened since."""
    ids = {entry.id for entry in view.rows[-500:]}
    new = [entry for session_id, entry in news if session_id == view.session_id and entry.id not in ids]
    if not new:
        return view
    entries = (*view.rows, *sorted(new, key=lambda entry: entry.ms))[-_KEPT:]
    return _kept(view, replace(view, rows=entries, fresh=frozenset(entry.id for entry in new)))


def narrowed(view: StoryView, step: int) -> StoryView:
    """Narrowed to the next kind, or the one before."""
    after = replace(view, narrowed=(view.narrowed + step) % len(FILTERS))
    return _at_end(after) if view.follows else _kept(view, after)


def gone(view: StoryView, cursor: int) -> StoryView:
    """The cursor on that entry; on the last one it follows again."""
    return moved(view, cursor, follows=cursor >= len(view.items) - 1)


def is_unheard(view: StoryView, now_ms: int) -> bool:
    """Whether a prompt is so young that its feedback may not be ingested yet."""
    return any(
        entry.kind == "prompt" and not entry.machine and not entry.heard and now_ms - entry.ms < _HEARD_MS
        for entry in view.rows[-_NEWEST:]
    )


def _kept(before: StoryView, view: StoryView) -> StoryView:
    return _at_end(view) if before.follows else keep_cursor(before, view)


def _at_end(view: StoryView) -> StoryView:
    return moved(view, len(view.items), follows=True)


def running(rows: Sequence[SessionRow]) -> int:
    """How many sessions are at work or wait for the person."""
    return sum(row.phase in ("waiting", "tool", "working") for row in rows)
