"""What hooks just wrote: new events of the journal, and the sessions they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop_tui.view import event_words
from learnloop_tui.view.session_state import SessionsSnapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.sessions.live_sessions import LiveSession, Story, TimelineEntry, Watcher
    from learnloop.service.workspace import Workspace
    from learnloop_tui.view.state import Happening

_MOST_NEWS = 5_000
"""Session entries that are kept until `sessions` is asked again."""


class LiveEvents:
    """Follows the journal; used by one thread."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace
        self._tail: Any = None
        self._watcher: Watcher | None = None
        self._news: list[tuple[str, TimelineEntry]] = []

    def happenings(self) -> tuple[Happening, ...]:
        """The events since the last call; at first the last few."""
        if self._tail is None:
            from learnloop.service.sessions.tail import Tail

            self._tail = Tail(self._workspace().root)
        records = self._tail.read()
        if self._watcher is not None:
            self._note(self._watcher, records)
        return tuple(map(event_words.happening, records))

    def _note(self, watcher: Watcher, records: list[dict[str, Any]]) -> None:
        """Keep the entries of these events until `sessions` is asked."""
        from learnloop.service.sessions import live_sessions

        watcher.apply(records)
        pairs = ((str(record.get("session_id", "")), live_sessions.entry_of(record)) for record in records)
        self._news += [(session, entry) for session, entry in pairs if entry is not None]
        del self._news[:-_MOST_NEWS]

    def sessions(self) -> SessionsSnapshot:
        """Every session as it is now, and the entries since the last call."""
        from learnloop.service.sessions import live_sessions
        from learnloop.wire import clock

        now = clock.now_ms()
        sessions, news, self._news = self._opened().sessions(now), tuple(self._news), []
        return SessionsSnapshot(
            sessions, {session.id: live_sessions.phase(session, now) for session in sessions}, news
        )

    def _opened(self) -> Watcher:
        from learnloop.service.sessions import live_sessions

        if self._watcher is None:
            self._watcher = live_sessions.Watcher(self._workspace())
            self._watcher.open()
        return self._watcher

    def find_session(self, session_id: str) -> bool:
        """Put a session that may be older among those that are listed; whether there is one."""
        return self._opened().find(session_id) is not None

    def learn(self, session: LiveSession) -> None:
        """Take over what all events of a session say of it."""
        self._opened().complete(session)

    def close(self) -> None:
        if self._tail is not None:
            self._tail.close()


def read_story(ws: Workspace, session: LiveSession) -> Story:
    """What happened in a session."""
    from learnloop.service.sessions import live_sessions

    return live_sessions.story(ws, session.id, session.started_ms, session.last_ms)
