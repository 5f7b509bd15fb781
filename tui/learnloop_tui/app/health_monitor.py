"""The health of hooks and store, read again while the console is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge import machine_queries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import App

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.screens.main import MainScreen
    from learnloop_tui.view.state import Pulse

PULSE_S = 5.0
"""At least this long between two readings that nobody asked for."""


class HealthMonitor:
    """Reads the pulse and shows it: in the status line, which follows the clock, and in panes."""

    pulse: Pulse | None = None

    def __init__(
        self,
        app: App[str],
        bridge: Bridge,
        main: MainScreen,
        now_ms: Callable[[], int],
        *,
        first: Callable[[Pulse], Awaitable[None]],
    ) -> None:
        self._app = app
        self._bridge = bridge
        self._main = main
        self._now_ms = now_ms
        self._first = first
        """Called once, after the first reading."""
        self._read_at = 0
        self._is_kept_up = False

    def start(self) -> None:
        self.refresh()
        self._app.set_interval(1.0, self._draw_status)

    def refresh(self, *, now: bool = False) -> None:
        """Read the pulse, unless it was read a moment ago; with `now` in any case."""
        age_ms = self._now_ms() - self._read_at
        if now or not 0 <= age_ms < PULSE_S * 1000:  # a clock that was set back: read
            self._read_at = self._now_ms()
            self._app.run_worker(self._read(), group="pulse", exit_on_error=False)

    async def _read(self) -> None:
        if not self._is_kept_up:
            self._is_kept_up = True
            await self._bridge.long(machine_queries.keep_up, with_hooks=not self._bridge.demo)
        is_first = self.pulse is None
        self.pulse = await self._bridge.long(machine_queries.pulse)
        self._draw_status()
        self._main.show_pulse(self.pulse)
        if is_first:
            await self._first(self.pulse)

    def _draw_status(self) -> None:
        if self.pulse is not None:
            self._main.summary = machine_queries.status(self.pulse, self._main.latest, self._now_ms())
