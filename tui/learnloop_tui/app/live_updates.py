"""Updates while the console is open: events of hooks, changed files, health, a store that goes away."""

from __future__ import annotations

import asyncio
from dataclasses import KW_ONLY, dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from learnloop_tui.app.refresh_queue import delay
from learnloop_tui.bridge import machine_queries
from learnloop_tui.bridge.live_events import LiveEvents

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import App

    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.app.refresh_queue import RefreshQueue
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main_screen import MainScreen
    from learnloop_tui.view.state import Pulse

PULSE_S = 5.0
"""At least this long between two readings that nobody asked for."""


@dataclass(eq=False)
class HealthMonitor:
    """Reads the pulse and shows it: in the status line, which follows the clock, and in panes."""

    app: App[str]
    bridge: Bridge
    main: MainScreen
    now_ms: Callable[[], int]
    _: KW_ONLY
    first: Callable[[Pulse], Awaitable[None]]
    """Called once, after the first reading."""

    pulse: Pulse | None = field(default=None, init=False)
    _read_at = 0
    _is_kept_up = False

    def start(self) -> None:
        self.refresh()
        self.app.set_interval(1.0, self._draw_status)

    def refresh(self, *, now: bool = False) -> None:
        """Read the pulse, unless it was read a moment ago; with `now` in any case."""
        age_ms = self.now_ms() - self._read_at
        if now or not 0 <= age_ms < PULSE_S * 1000:  # a clock that was set back: read
            self._read_at = self.now_ms()
            self.app.run_worker(self._read(), group="pulse", exit_on_error=False)

    async def _read(self) -> None:
        if not self._is_kept_up:
            self._is_kept_up = True
            await self.bridge.long(machine_queries.keep_up, with_hooks=not self.bridge.demo)
        is_first = self.pulse is None
        self.pulse = await self.bridge.long(machine_queries.pulse)
        self._draw_status()
        self.main.show_pulse(self.pulse)
        if is_first:
            await self.first(self.pulse)

    def _draw_status(self) -> None:
        if self.pulse is not None:
            self.main.summary = machine_queries.status(self.pulse, self.main.latest, self.now_ms())


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
