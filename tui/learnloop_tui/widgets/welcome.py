"""The first run on an empty machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui import commands, pages
from learnloop_tui.widgets.drawn import Page
from learnloop_tui.widgets.panes import Pane

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from learnloop_tui.state import Happening
    from learnloop_tui.text import Line


class WelcomePane(Pane):
    """What to do first, and whether it worked."""

    PLACE = "welcome"
    BINDINGS = commands.bindings("welcome")

    def __init__(self, now_ms: Callable[[], int]) -> None:
        super().__init__(id=self.PLACE)
        self._now_ms = now_ms
        self._page = Page()
        self._hooked = False
        self._prompt: Happening | None = None

    def compose(self) -> ComposeResult:
        """The page."""
        yield self._page

    def on_mount(self) -> None:
        """Say what can be done."""
        self.draw()

    def take_focus(self) -> None:
        """The page has the keys."""
        self._page.focus()

    def show(self, *, hooked: bool | None = None, prompt: Happening | None = None) -> None:
        """Show whether the hooks are installed and what they captured."""
        self._hooked = self._hooked if hooked is None else hooked
        self._prompt = prompt or self._prompt
        self.draw()

    def draw(self) -> None:
        """Draw anew, with the time that has passed."""
        self._page.show(self._lines, keep_place=True)

    def _lines(self, width: int) -> list[Line]:
        captured = ""
        if self._prompt is not None:
            seconds = max(0, (self._now_ms() - self._prompt.ms) // 1000)
            captured = f"captured {seconds} s ago ✓  {self._prompt.words}"
        return pages.welcome(width, self._hooked, captured)
