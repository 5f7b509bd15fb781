"""The first run on an empty machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.panes.actions import Action
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.pane import HealthCheckRequested, Pane, PaneChanged
from learnloop_tui.view import pages
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Happening, Pulse, Row, Snapshot


class WelcomePane(Pane):
    """A menu of what to do first, and whether it worked."""

    PLACE = "welcome"
    ALSO = ()
    BINDINGS = bindings("welcome")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms)
        self.page_view = Page()
        self._hooked = False
        self._latest: Happening | None = None
        self._drafts = self._at = 0

    def handlers(self) -> dict[str, Action]:
        return {
            "up": Action(lambda: self._move(-1)),
            "down": Action(lambda: self._move(1)),
            "open": Action(self._choose),
        }

    def compose(self) -> ComposeResult:
        yield self.page_view

    def on_mount(self) -> None:
        self._draw()
        self.set_interval(1.0, self._draw)
        self.set_interval(2.0, lambda: self.display and self.post_message(HealthCheckRequested()))

    def take_focus(self) -> None:
        self.page_view.focus()

    def show_snapshot(self, snapshot: Snapshot, rows: tuple[Row, ...]) -> None:
        del rows
        self._drafts = sum(row.status == "draft" for row in snapshot.rows)
        self._draw()

    def show_pulse(self, pulse: Pulse) -> None:
        self._hooked = pulse.hooked
        self._draw()
        self.post_message(PaneChanged())

    def hides(self, command_id: str) -> bool:
        """The footer offers what the menu does."""
        return command_id == "install" and command_id not in self._choices

    def show_event(self, event: Happening) -> None:
        self._latest = event
        self._draw()

    def _draw(self) -> None:
        if self.display:
            self.page_view.show(
                lambda width: pages.welcome(
                    width, self._chosen, self._is_hooked, self._captured(), self._drafts
                ),
                keep_place=True,
            )

    @property
    def _is_hooked(self) -> bool:
        return self._hooked or self._latest is not None

    @property
    def _choices(self) -> list[str]:
        return pages.choices(hooked=self._is_hooked, drafts=self._drafts)

    @property
    def _chosen(self) -> str:
        return self._choices[min(self._at, len(self._choices) - 1)]

    def _move(self, by: int) -> None:
        self._at = max(0, min(self._at + by, len(self._choices) - 1))
        self._draw()

    async def _choose(self) -> None:
        await self.app.run_action(f"app.command('{self._chosen}')")

    def _captured(self) -> str:
        if self._latest is None:
            return ""
        seconds = max(0, (self._now_ms() - self._latest.ms) // 1000)
        return f"captured {seconds} s ago ✓  {self._latest.words}"
