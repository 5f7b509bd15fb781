"""The health of hooks and store, read again while the console is open."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING

from learnloop_tui.bridge import machine_queries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import App

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
