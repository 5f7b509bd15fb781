"""Widgets that are drawn line by line through the door for captured text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from learnloop_tui import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.style import Style
    from textual import events

    from learnloop_tui.text import Line


class Styled(Widget):
    """Knows the style of each piece of a line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(text.COMPONENTS)

    def style_of(self, name: str) -> Style:
        """The style that the theme gives a piece of that name."""
        return self.get_component_rich_style(f"t--{name}")


class Bar(Styled):
    """One line of text that takes the width there is."""

    DEFAULT_CSS = "Bar { height: 1; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id, classes=classes)
        self._line: Line = ()
        self._links: Mapping[str, str] = {}

    @property
    def plain(self) -> str:
        """What is drawn, without its looks."""
        return "".join(part for part, _ in self._line)

    def show(self, line: Line, links: Mapping[str, str] | None = None) -> None:
        """Draw that line; `links` names the command that a click on a piece of it runs."""
        if line != self._line:
            self._line, self._links = line, links or {}
            self.refresh()

    async def on_click(self, event: events.Click) -> None:
        """Run the command of the piece under the pointer."""
        x = event.x
        for part, _ in self._line:
            x -= text.width(part)
            if x < 0:
                if part in self._links:
                    await self.app.run_action(f"app.command('{self._links[part]}')")
                return

    def render_line(self, y: int) -> Strip:
        """The one line."""
        if y:
            return Strip.blank(self.size.width, self.style_of("text"))
        return text.strip(self._line, self.style_of, self.size.width)


class Page(ScrollView, Styled, can_focus=True, inherit_bindings=False):
    """A text that is laid out for the width there is and scrolled, without a widget for each of its parts."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(text.COMPONENTS)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id, classes=classes)
        self._layout: Callable[[int], list[Line]] = lambda _: []
        self._lines: list[Line] = []
        self._width = 0

    @property
    def plain(self) -> str:
        """What is drawn, without its looks, line by line."""
        return "\n".join("".join(part for part, _ in line).rstrip() for line in self._lines)

    def show(self, layout: Callable[[int], list[Line]], *, keep_place: bool = False) -> None:
        """Draw what `layout` makes of a width; from the top unless the place is kept."""
        self._layout, self._width = layout, 0
        self._lay_out()
        if not keep_place:
            self.scroll_to(y=0, animate=False)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if not width or width == self._width:
            return
        self._width = width
        self._lines = self._layout(width)
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()

    def on_resize(self, _: events.Resize) -> None:
        """Lay out anew for another width."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """A visible line."""
        at, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        line = self._lines[at] if at < len(self._lines) else ()
        return text.strip(line, self.style_of, width)
