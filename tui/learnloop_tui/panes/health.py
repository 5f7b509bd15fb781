"""Health: whether events arrive, what hooks cost, what is damaged, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from learnloop_tui.bridge import machine_queries
from learnloop_tui.panes.base import HealthCheckRequested, Pane, ReloadRequested
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.view import pages, text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from learnloop.service.health.check import Check
    from learnloop_tui.bridge import Bridge
    from learnloop_tui.view.state import Pulse
    from learnloop_tui.view.text import Line


class HealthPane(Pane):
    """One page."""

    PLACE = "health"
    BINDINGS = [*bindings("health"), *bindings("list")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        super().__init__(bridge, now_ms)
        self._page = Page(classes="detail")
        self._pulse: Pulse | None = None
        self._checks: Sequence[Check] | None = None

    def compose(self) -> ComposeResult:
        """The page."""
        yield self._page

    def on_mount(self) -> None:
        """Nothing is known yet."""
        self._page.border_title = text.content("Health")
        self._draw()

    def take_focus(self) -> None:
        """Scrolls by keys; looks again."""
        self._page.focus()
        self.do_refresh()

    def show_pulse(self, pulse: Pulse) -> None:
        """Show the health of hooks and store."""
        self._pulse = pulse
        self._draw()

    def _draw(self) -> None:
        if self.display:
            self._page.show(self._lines, keep_place=True)

    def _lines(self, width: int) -> list[Line]:
        return pages.health(self._pulse, self._checks, width, self._now_ms())

    def do_refresh(self) -> None:
        """Read health and checks again."""
        self._examine(fix=False)

    @work(group="checks", exclusive=True, exit_on_error=False)
    async def _examine(self, *, fix: bool) -> None:
        if fix:
            self._checks = await self._bridge.work(machine_queries.fix)
            self.say("Mended what is safe to mend; what is left stands under Doctor.")
            self.post_message(ReloadRequested())
        else:
            self._checks = await self._bridge.long(machine_queries.checks)
        self._draw()
        self.post_message(HealthCheckRequested())

    def to_copy(self, *, name: bool = False) -> str:
        """The whole page, to be shown to somebody."""
        return "" if name else self._page.plain

    @property
    def plain(self) -> str:
        """What the page says."""
        return self._page.plain

    def why_not_fix(self) -> str:
        """Only what is wrong can be mended."""
        checks = self._checks
        return "Nothing is wrong." if checks and all(check.level == "ok" for check in checks) else ""

    def do_fix(self) -> None:
        """Mend what is safe to mend."""
        self._examine(fix=True)

    def do_down(self) -> None:
        """Scroll on."""
        self._page.scroll_lines(1)

    def do_up(self) -> None:
        """Scroll back."""
        self._page.scroll_lines(-1)

    def do_page_down(self) -> None:
        """A page on."""
        self._page.scroll_lines(self._page.page - 1)

    def do_page_up(self) -> None:
        """A page back."""
        self._page.scroll_lines(1 - self._page.page)

    def do_top(self) -> None:
        """To the start."""
        self._page.scroll_top(0)

    def do_bottom(self) -> None:
        """To the end."""
        self._page.scroll_top(self._page.count)

    do_read_down = do_page_down
    do_read_up = do_page_up
