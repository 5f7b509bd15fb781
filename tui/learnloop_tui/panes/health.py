"""Health: whether it works, what to do where it does not, and on demand the technical details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from learnloop_tui.panes.actions import Action
from learnloop_tui.panes.bindings import bindings
from learnloop_tui.panes.pane import HealthCheckRequested, Pane, ReloadRequested
from learnloop_tui.view import health_lines, text
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
    BINDINGS = bindings("health", "list")

    def __init__(self, bridge: Bridge, now_ms: Callable[[], int]) -> None:
        self.page_view = Page(classes="detail")
        self._pulse: Pulse | None = None
        self._checks: Sequence[Check] | None = None
        self._shows_technical = False
        super().__init__(bridge, now_ms)

    def handlers(self) -> dict[str, Action]:
        page = self.page_view
        page_down = Action(lambda: page.scroll_lines(page.page - 1))
        page_up = Action(lambda: page.scroll_lines(1 - page.page))
        return {
            "refresh": Action(self._check_again),
            **dict.fromkeys(("details", "open"), Action(self._fold)),
            "apply": Action(self._fix, self._why_not_fix),
            "down": Action(lambda: page.scroll_lines(1)),
            "up": Action(lambda: page.scroll_lines(-1)),
            "page_down": page_down,
            "page_up": page_up,
            "top": Action(lambda: page.scroll_top(0)),
            "bottom": Action(lambda: page.scroll_top(page.count)),
            "read_down": page_down,
            "read_up": page_up,
        }

    def compose(self) -> ComposeResult:
        yield self.page_view

    def on_mount(self) -> None:
        self.page_view.border_title = text.content("Health")
        self._draw()

    def take_focus(self) -> None:
        self.page_view.focus()
        self._examine()

    def show_pulse(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._draw()

    def _draw(self) -> None:
        if self.display:
            self.page_view.show(self._lines, keep_place=True)

    def _lines(self, width: int) -> list[Line]:
        pulse = self._pulse
        if pulse is not None and self._bridge.demo:
            pulse = pulse._replace(hooked=True)
        return health_lines.health(
            pulse, self._checks, width, self._now_ms(), technical=self._shows_technical
        )

    def _fold(self) -> None:
        self._shows_technical = not self._shows_technical
        self._draw()

    def _check_again(self) -> None:
        self._examine(is_asked=True)

    def _fix(self) -> None:
        self._examine(fix=True)

    @work(group="checks", exclusive=True, exit_on_error=False)
    async def _examine(self, *, fix: bool = False, is_asked: bool = False) -> None:
        """Run the doctor; a person who asked gets an answer even if nothing changed."""
        from learnloop.service.health import doctor

        if fix:
            self._checks = await self._bridge.work(doctor.examine, fix=True)
            self.notify_person("Repaired what is safe to repair; the rest is under Doctor.")
            self.post_message(ReloadRequested())
        else:
            self._checks = await self._bridge.long(doctor.examine)
        if is_asked:
            wrong = sum(check.level != "ok" for check in self._checks)
            self.notify_person(
                f"Checked again: {wrong} to look at." if wrong else "Checked again: all is well."
            )
        self._draw()
        self.post_message(HealthCheckRequested())

    def to_copy(self, *, name: bool = False) -> str:
        return "" if name else self.page_view.plain

    @property
    def plain(self) -> str:
        return self.page_view.plain

    def _why_not_fix(self) -> str:
        checks = self._checks
        return "Nothing is wrong." if checks and all(check.level == "ok" for check in checks) else ""
