"""What happens while a person looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop_tui.bridge.threads import Threads
from learnloop_tui.view.session_state import SessionsSnapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from learnloop.service.sessions.watching import Entry, Story, Watched, Watcher
    from learnloop_tui.view.state import Happening

_MOST_NEWS = 5_000
"""Happenings that are kept for a pane that looks now and then."""


class Following(Threads):
    """Reads what hooks just wrote."""

    def __init__(self, root: str, *, demo: bool = False) -> None:
        super().__init__(root, demo=demo)
        self._tail: Any = None
        self._watcher: Watcher | None = None
        self._news: list[tuple[str, Entry]] = []

    async def happenings(self) -> tuple[Happening, ...]:
        """What hooks wrote since the last call."""
        return await self._run(self._tail_thread, self._happenings)

    def _happenings(self) -> tuple[Happening, ...]:
        from learnloop_tui.view import event_words

        if self._tail is None:
            from learnloop.service.sessions.tail import Tail

            self._tail = Tail(self.root)
        records = self._tail.read()
        if self._watcher is not None:
            self._note(self._watcher, records)
        return tuple(map(event_words.happening, records))

    def _note(self, watcher: Watcher, records: list[dict[str, Any]]) -> None:
        """What is news of sessions, for those who look at them."""
        from learnloop.service.sessions import watching

        watcher.take(records)
        told = ((str(record.get("session_id", "")), watching.entry_of(record)) for record in records)
        self._news += [(session, entry) for session, entry in told if entry is not None]
        del self._news[:-_MOST_NEWS]

    async def watched(self) -> SessionsSnapshot:
        """Every session, and what happened since the last call."""
        return await self._run(self._tail_thread, self._watched)

    def _watched(self) -> SessionsSnapshot:
        from learnloop.service.sessions import watching
        from learnloop.wire import clock

        watcher = self._opened()
        now = clock.now_ms()
        found, news, self._news = watcher.sessions(now), tuple(self._news), []
        return SessionsSnapshot(found, {one.id: watching.phase(one, now) for one in found}, news)

    def _opened(self) -> Watcher:
        from learnloop.service.sessions import watching

        if self._watcher is None:
            self._watcher = watching.Watcher(self._workspace())
            self._watcher.open()
        return self._watcher

    async def find_session(self, session_id: str) -> bool:
        """Put a session among those that are listed."""
        return await self._run(self._tail_thread, lambda: self._opened().find(session_id) is not None)

    async def story(self, one: Watched) -> Story:
        """What happened in a session; what all its events tell is known of it from now on."""
        found: Story = await self._run(self._long, lambda: self._story(one))
        if found.whole is not None:
            whole = found.whole
            await self._run(self._tail_thread, lambda: self._opened().learn(whole))
        return found

    def _story(self, one: Watched) -> Story:
        from learnloop.service.sessions import watching

        return watching.story(self._workspace(), one.id, one.started_ms, one.last_ms)

    async def changes(self) -> AsyncIterator[bool]:
        """Whenever files of the store change."""
        from learnloop_tui.bridge import live

        await self._run(self._tail_thread, live.prepare)
        async for documents in live.changes(self.root):
            yield documents

    async def folder_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
        """Whenever a file of those folders changes."""
        from learnloop_tui.bridge import live

        await self._run(self._tail_thread, live.prepare)
        async for change in live.folder_changes(folders):
            yield change

    def close(self) -> None:
        """Let go of the journal too."""
        super().close()
        if self._tail is not None:
            self._tail.close()
