"""Widgets that are drawn line by line through the door for captured text."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import zip_longest
from time import monotonic
from typing import TYPE_CHECKING

from rich.style import Style
from textual import events
from textual.color import Color
from textual.css.styles import RenderStyles
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from learnloop_tui.view import text, themes
from learnloop_tui.view.text import Line, Linked

if TYPE_CHECKING:
    from textual.filter import LineFilter

_MOST_JOINED = 500
PATIENCE_S = 0.15
"""So long nothing is said of waiting: shorter waits pass unnoticed, and a word that only flashes disturbs."""


class Styled(Widget):
    """Gives each piece of a line its style; the component classes are the app's."""

    _looks_theme = ""

    def style_of(self, name: str) -> Style:
        """The style that the theme gives a piece of that name, on this widget's background."""
        return self.style_on("", name)

    def style_on(self, ground: str, name: str) -> Style:
        """The same on the background of `cursor` or `cursor-blurred`, where it can be read as well."""
        theme = self.app.theme
        if theme != self._looks_theme:
            self._looks_theme, self._looks = theme, dict[tuple[str, str], Style]()
        style = self._looks.get((ground, name))
        if style is None:
            style = self._looks[ground, name] = self._look(ground, name)
        return style

    def _look(self, ground: str, name: str) -> Style:
        if self.app.current_theme.ansi and (ground == "cursor" or name == "tab"):
            return Style(reverse=True, bold=name in ("tab", "strong"))
        styles = self.app.get_component_styles(f"t--{name}")
        under = self.app.get_component_styles(f"t--{ground}").background if ground else styles.background
        if self.app.current_theme.ansi and ground:
            under = styles.background
        background = self.background_colors[1] + under
        theme = self.app.theme
        least = themes.least_contrast(theme, name)
        colour = themes.legible(background + styles.color, background, least)
        if self.app.current_theme.ansi:
            return Style.from_color(styles.color.rich_color, background.rich_color) + self._ansi(name, styles)
        return Style.from_color(colour.rich_color, background.rich_color) + styles.text_style

    @staticmethod
    def _ansi(name: str, styles: RenderStyles) -> Style:
        """What no shade of sixteen colours can say is said by weight: faint words, a cursor turned round."""
        faint = Style(dim=name in ("muted", "label", "bar"))
        return styles.text_style + faint

    def notify_style_update(self) -> None:
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
        line, links = self._linked()
        x = event.x
        for part, _ in line:
            x -= text.width(part)
            if x < 0:
                if part in links:
                    await self.app.run_action(f"app.command('{links[part]}')")
                return

    def render_line(self, y: int) -> Strip:
        line = self._linked()[0] if y == 0 else ()
        return text.strip(line, self.style_of, self.size.width)


def entitle(frame: Widget, title: str, subtitle: str = "") -> None:
    """Write on a frame what it does not say yet: writing it, even the same, draws all of the frame anew."""
    for name, words in (("border_title", title), ("border_subtitle", subtitle)):
        content = text.content(words)
        if (getattr(frame, name) or "") != content.markup:
            setattr(frame, name, content)


class Scroller(Styled, can_focus=True):
    """Lines of any number, of which those in sight are drawn, with a scroll bar.

    It scrolls by itself instead of through Textual's scroll views, whose every change of length lays out the
    whole screen anew.
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id, classes=classes)
        self.top = 0
        self._line_width, self._thumb = 1, range(0)
        self._filters: Sequence[LineFilter] = ()
        self._ground = Color(0, 0, 0)
        self._joined: dict[tuple[int, str], tuple[Strip, Strip]] = {}

    @property
    @abstractmethod
    def count(self) -> int:
        """How many lines there are."""

    @abstractmethod
    def draw(self, index: int, width: int) -> Strip:
        """A line, exactly that wide."""

    @property
    def page(self) -> int:
        """How many lines are in sight."""
        return max(1, self.size.height)

    def scroll_lines(self, lines: int) -> None:
        self.scroll_top(self.top + lines)

    def scroll_top(self, top: int) -> None:
        """Scroll so that this line is the first in sight, or the nearest that can be."""
        top = max(0, min(top, self.count - self.page))
        if top != self.top:
            self.top = top
            self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Lines in sight; what all of them need is worked out once.

        A line that was drawn before is handed over as the strip it was: what Textual made of it (its colours,
        its parts, what goes to the terminal) stays with it, so that scrolling costs little more than a move.
        """
        self.measure()
        if self.gutter.width or self.gutter.height:
            return super().render_lines(crop)
        strips = [self._shaded(self.render_line(y)) for y in crop.line_range]
        x1, x2 = crop.column_span
        return strips if (x1, x2) == (0, self._line_width + 1) else [strip.crop(x1, x2) for strip in strips]

    def _shaded(self, strip: Strip) -> Strip:
        for line_filter in self._filters:
            strip = strip.apply_filter(line_filter, self._ground)
        return strip

    def measure(self) -> None:
        """Measure how wide the lines are now, and where the bar's thumb is."""
        self._line_width = max(1, self.size.width - 1)
        self._filters, self._ground = self.get_line_filters(), self.background_colors[1]
        count, page = self.count, self.page
        size = max(1, page * page // max(1, count))
        start = (page - size) * self.top // max(1, count - page)
        self._thumb = range(start, start + size) if count > page else range(0)

    def render_line(self, y: int) -> Strip:
        """A line in sight, and the piece of the bar beside it."""
        index, width = self.top + y, self._line_width
        line = self.draw(index, width) if index < self.count else text.strip((), self.style_of, width)
        return self._beside(line, "▐" if y in self._thumb else " ")

    def _beside(self, line: Strip, bar: str) -> Strip:
        """Joined once as long as the line is the same: what Textual makes of a strip stays with it."""
        cached = self._joined.get((id(line), bar))
        if cached is None or cached[0] is not line:
            if len(self._joined) > _MOST_JOINED:
                self._joined.clear()
            joined = Strip.join((line, text.strip(((bar, "bar"),), self.style_of, 1)))
            cached = self._joined[id(line), bar] = (line, joined)
        return cached[1]

    def notify_style_update(self) -> None:
        self._joined.clear()
        super().notify_style_update()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll_lines(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll_lines(-3)

    def on_click(self, event: events.Click) -> None:
        """A click on the bar goes there."""
        if event.x == self.size.width - 1:
            event.stop()
            self.scroll_top(self.count * event.y // self.page - self.page // 2)


class Page(Scroller):
    """A text that is laid out for the width there is."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id, classes=classes)
        self._make: Callable[[int], list[Line]] = lambda _: []
        self._lines: list[Line] = []
        self._width = 0
        self._waits_since = 0.0

    @property
    def plain(self) -> str:
        """What the page says, without its looks, line by line."""
        return "\n".join("".join(part for part, _ in line).rstrip() for line in self._lines)

    @property
    def count(self) -> int:
        return len(self._lines)

    def show(self, make: Callable[[int], list[Line]], *, keep_place: bool = False) -> None:
        """Draw what `make` gives for a width; from the top unless the place is kept."""
        self._make = make
        self._lay_out()
        self.scroll_top(self.top if keep_place else 0)

    def _lay_out(self) -> None:
        self._width = self.size.width
        if self._width:
            before, self._lines = self._lines, self._make(max(1, self._width - 2))
            self._wait()
            self._redraw(before)

    def _wait(self) -> None:
        """A line that only says to wait is blank at first: most waits end before one could read it."""
        if not any(look == "wait" for line in self._lines for _, look in line[:1]):
            self._waits_since = 0.0
        elif not self._waits_since:
            self._waits_since = monotonic()
            self.set_timer(PATIENCE_S, self.refresh)

    @property
    def _is_patient(self) -> bool:
        return monotonic() - self._waits_since < PATIENCE_S

    def _redraw(self, before: list[Line]) -> None:
        """Draw anew only the lines in sight that differ, and all where the bar does."""
        if len(before) != len(self._lines) and max(len(before), len(self._lines)) > self.page:
            self.refresh()
            return
        pairs = zip_longest(before[self.top :], self._lines[self.top : self.top + self.page])
        changed = [Region(0, y, self._width, 1) for y, (old, new) in enumerate(pairs) if old != new]
        if changed:
            self.refresh(*changed)

    def on_resize(self, _: events.Resize) -> None:
        if self.size.width != self._width:
            self._lay_out()
        self.scroll_top(self.top)

    def draw(self, index: int, width: int) -> Strip:
        line = self._lines[index]
        if self._waits_since and line and line[0][1] == "wait" and self._is_patient:
            line = ()
        return text.strip(line, self.style_of, width)
