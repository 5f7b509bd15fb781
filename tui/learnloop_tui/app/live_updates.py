"""Updates while the console is open: events of hooks, changed files, a store that goes away."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from learnloop_tui.app.refresh_queue import delay
from learnloop_tui.bridge.live_events import LiveEvents

if TYPE_CHECKING:
    from textual.app import App

    from learnloop_tui.app.health_monitor import HealthMonitor
    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.app.refresh_queue import RefreshQueue
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main_screen import MainScreen

REST_S, _BURST = 0.15, 4
"""Where more changes than those few come one after the other, they are gathered: six looks a second."""
POLL_S = 2.0
"""How often journal and folder are looked at even where the watcher reports nothing."""


@dataclass(eq=False)
class LiveUpdates:
    """Follows the journal and the files of the store."""

    app: App[str]
    bridge: Bridge
    main: MainScreen
    notifications: Notifications
    queue: RefreshQueue
    health: HealthMonitor
    _is_gone = False

    def start(self) -> None:
        """Follow the store, once the first rows are shown."""
        self.health.start()
        self._follow()
        self.app.set_interval(POLL_S, self._read_events)
        self.app.set_interval(POLL_S, self._check_store)

    def _follow(self) -> None:
        self.app.run_worker(self._follow_changes(), group="live", exit_on_error=False)

    async def _follow_changes(self) -> None:
        await self._read_events()
        self.main.following = True
        last, in_a_row = 0.0, 0
        async for are_documents in self.bridge.changes():
            in_a_row, last = in_a_row + 1 if monotonic() - last < 2 * REST_S else 0, monotonic()
            await self._read_events()
            if are_documents:
                self.queue.request_reload()
            if in_a_row > _BURST:
                await asyncio.sleep(REST_S)
        self.main.following = False

    async def _read_events(self) -> None:
        events = await self.bridge.live(LiveEvents.happenings)
        if not events:
            return
        is_past = self.main.latest is None and not self.main.following
        prompts = [event for event in events if event.kind == "prompt"]
        self.main.latest = events[-1]
        self.main.show_event((prompts or events)[-1])
        if not is_past:
            self.queue.request_ingest(delay(event.kind for event in events))
            self.health.refresh()

    async def _check_store(self) -> None:
        """Report a store that is gone, instead of calling it empty, and follow the one that comes."""
        presence = await self.bridge.presence()
        if presence == "same":
            if await self.bridge.load() is not self.main.snapshot:  # written without a notice of it
                self.queue.request_reload()
            return
        if not self._is_gone:
            self.notifications.notify(
                f"The store is gone: {self.bridge.root} was moved or removed. Put it back, or quit; "
                "what agents report from now on goes into a new one.",
                "error",
            )
        self._is_gone = presence == "gone"
        if presence == "other":
            self.app.workers.cancel_group(self.app, "live")
            self._follow()
            self.queue.request_ingest()
        self.queue.request_reload()
