"""Widgets that are drawn line by line through the door for captured text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.widget import Widget

from learnloop_tui import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.strip import Strip

    from learnloop_tui.text import Line, Linked


class Styled(Widget):
    """Knows the style of each piece of a line: the component classes stand once, on the app."""

    _looks_theme = ""

    def style_of(self, name: str) -> Style:
        """The style that the theme gives a piece of that name, on this widget's background."""
        theme = self.app.theme
        if theme != self._looks_theme:
            self._looks_theme, self._looks = theme, dict[str, Style]()
        style = self._looks.get(name)
        if style is None:
            style = self._looks[name] = self._look(name)
        return style

    def _look(self, name: str) -> Style:
        found = self.app.get_component_styles(f"t--{name}")
        background = self.background_colors[1] + found.background
        colours = Style.from_color((background + found.color).rich_color, background.rich_color)
        return colours + found.text_style

    def notify_style_update(self) -> None:
        """Forget the styles of before."""
        self._looks_theme = ""
        super().notify_style_update()


class Bar(Styled):
    """One line of text that takes the width there is."""

    DEFAULT_CSS = "Bar { height: 1; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id, classes=classes)
        self._make: Callable[[int], Linked] = lambda _: ((), {})
        self._made: tuple[int, Linked] = (-1, ((), {}))

    @property
    def plain(self) -> str:
        """What is drawn, without its looks."""
        return "".join(part for part, _ in self._linked()[0])

    def show(self, make: Callable[[int], Linked]) -> None:
        """Draw the line that `make` gives for a width; drawing the same again costs nothing.

        With the line come the commands that a click on its pieces runs.
        """
        before = self._made
        self._make, self._made = make, (-1, ((), {}))
        if self._linked() != before[1]:
            self.refresh()

    def _linked(self) -> Linked:
        width = self.size.width
        if self._made[0] != width:
            self._made = (width, self._make(width))
        return self._made[1]

    async def on_click(self, event: events.Click) -> None:
        """Run the command of the piece under the pointer."""
        line, links = self._linked()
        x = event.x
        for part, _ in line:
            x -= text.width(part)
            if x < 0:
                if part in links:
                    await self.app.run_action(f"app.command('{links[part]}')")
                return

    def render_line(self, y: int) -> Strip:
        """The one line."""
        line = self._linked()[0] if y == 0 else ()
        return text.strip(line, self.style_of, self.size.width)


class Page(ScrollView, Styled, can_focus=True, inherit_bindings=False):
    """A text that is laid out for the width there is and scrolled, without a widget for each of its parts."""

    DEFAULT_CSS = "Page { overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }"

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
