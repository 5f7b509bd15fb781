"""A list of any length that draws only the lines in sight."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from learnloop_tui.view import text
from learnloop_tui.view.list_view import ListView
from learnloop_tui.view.text import Line
from learnloop_tui.widgets.line_widgets import Scroller

Draw = Callable[[Any, int, bool, bool], Line]
"""Makes the line of an item, given the width, whether it is marked and whether it is new."""


class Tall(NamedTuple):
    """Items that may take several lines where there is room."""

    height: Callable[[Any, int], int]
    """How many lines an item takes at a width."""
    draw: Callable[[Any, int, bool, bool, int], Sequence[Line]]
    """As `Draw`, in at most so many lines."""

    def first_line(self, item: Any, width: int, marked: bool, fresh: bool) -> Line:
        """The one line of an item where it may take no more."""
        return self.draw(item, width, marked, fresh, 1)[0]


_MOST_KEPT = 1_000
_LEAST_PAGE, _MOST_TALL = 16, 2_000
"""Items are tall in a list of so many lines in sight, and of so few items that measuring costs nothing."""


class RowList(Scroller):
    """Shows a view; moving the cursor redraws two items, whatever the length."""

    @dataclass
    class Pointed(Message):
        """A row was clicked."""

        index: int
        again: bool
        """It was the second click of a double click."""

    def __init__(
        self,
        draw: Draw | Tall,
        *,
        id: str | None = None,  # noqa: A002  # as Textual
    ) -> None:
        super().__init__(id=id)
        self.view: ListView[Any] = ListView()
        self._tall = draw if isinstance(draw, Tall) else None
        self._draw = draw.first_line if isinstance(draw, Tall) else draw
        self._starts: Sequence[int] = range(1)
        self._strips: dict[tuple[int, bool], Strip] = {}
        self._same: dict[tuple[Line, bool, int], Strip] = {}

    @property
    def count(self) -> int:
        return self._starts[-1]

    @property
    def stride(self) -> int:
        """How many items a page leads on."""
        last = min(self.top + self.page, self.count) - 1
        return max(1, self._index_at(last) - self._index_at(self.top))

    def _index_at(self, line: int) -> int:
        """The item of a line."""
        return bisect_right(self._starts, line) - 1

    def _lines(self, index: int) -> range:
        """The lines of an item; none where there is no such item."""
        return range(*self._starts[index : index + 2]) if index < len(self.view.items) else range(0)

    def _measure_items(self) -> None:
        """Where each item begins, and behind the last one the end."""
        items, width = self.view.items, self.size.width - 2
        self._starts = range(len(items) + 1)
        if self._tall and self.page >= _LEAST_PAGE and len(items) <= _MOST_TALL:
            self._starts = [0, *accumulate(self._tall.height(item, width) for item in items)]

    def show(self, view: ListView[Any]) -> None:
        """Show that view: only the changed lines where just the cursor moved."""
        before, self.view = self.view, view
        if before.items is view.items and before.marks == view.marks and before.fresh == view.fresh:
            self._redraw(before.cursor)
            self._redraw(view.cursor)
        else:
            drawn, self._strips, top, starts = self._strips, {}, self.top, self._starts
            self._measure_items()
            self._hold_still(before, starts)
            if self.top == top and starts == self._starts:
                self._redraw_changed(drawn, before.cursor)
            else:
                self.refresh()
        self._keep_in_sight()

    def _redraw_changed(self, drawn: dict[tuple[int, bool], Strip], cursor: int) -> None:
        """Draw only those lines in sight that look otherwise now: a list may change many times a second."""
        width = max(1, self.size.width - 1)
        for y in range(min(self.page, self.count - self.top)):
            line = self.top + y
            if self.draw(line, width) != drawn.get((line, self._index_at(line) == cursor)):
                self.refresh(Region(0, y, self.size.width, 1))

    def _hold_still(self, before: ListView[Any], starts: Sequence[int]) -> None:
        """Keep the current lesson, or head, on its line of the screen when rows came in above it."""
        is_same = before.item is not None and before.item.id in self.view.positions
        self.scroll_lines(self._starts[self.view.cursor] - starts[before.cursor] if is_same else 0)

    def _keep_in_sight(self) -> None:
        """Scroll to the cursor, and to the heading right above it."""
        cursor = self.view.cursor
        lines, start = self._lines(cursor), self._lines(cursor).start
        if lines and cursor and not self.view.is_row(self.view.items[cursor - 1]):
            start = self._lines(cursor - 1).start
        self.scroll_top(max(lines.stop - self.page, min(self.top, start)))

    def _redraw(self, index: int) -> None:
        lines = self._lines(index)
        self.refresh(Region(0, lines.start - self.top, self.size.width, len(lines)))

    @property
    def plain(self) -> list[str]:
        """The drawn lines in sight, without their looks."""
        self.measure()
        return [self.render_line(y).text.rstrip() for y in range(self.page)]

    def notify_style_update(self) -> None:
        self._forget()
        super().notify_style_update()

    def on_resize(self, _: events.Resize) -> None:
        """Forget what was drawn for another width, keep the cursor in sight."""
        self._forget()
        self._measure_items()
        self.scroll_lines(0)
        self._keep_in_sight()

    def on_focus(self) -> None:
        self._forget()

    def on_blur(self) -> None:
        self._forget()

    def draw(self, index: int, width: int) -> Strip:
        """A line, drawn once as long as nothing about its item changes."""
        at = self._index_at(index)
        key = (index, at == self.view.cursor)
        strip = self._strips.get(key)
        if strip is None or strip.cell_length != width:  # drawn before the list was laid out
            if len(self._strips) > _MOST_KEPT:
                self._strips.clear()
            strip = self._strips[key] = self._strip(at, index, width)
        return strip

    def _strip(self, at: int, line: int, width: int) -> Strip:
        """A line of an item."""
        item, current, lines = self.view.items[at], at == self.view.cursor, self._lines(at)
        looks = (width - 1, item.id in self.view.marks, item.id in self.view.fresh)
        if self._tall and len(lines) > 1:
            drawn = (*self._tall.draw(item, *looks, 2), ())[line - lines.start]
        else:
            drawn = self._draw(item, *looks)
        bar = (("▌" if self.has_focus else "│"), "accent") if current else (" ", "text")
        return self._drawn((bar, *drawn), current, width)

    def _drawn(self, line: Line, current: bool, width: int) -> Strip:
        """Return the same strip for the same words, wherever in the list they are by now."""
        key = (line, current, width)
        strip = self._same.get(key)
        if strip is None:
            if len(self._same) > _MOST_KEPT:
                self._same.clear()
            ground = "" if not current else "cursor" if self.has_focus else "cursor-blurred"
            style_of = partial(self.style_on, ground)
            strip = self._same[key] = text.strip(line, style_of, width)
        return strip

    def _forget(self) -> None:
        self._strips.clear()
        self._same.clear()

    def on_click(self, event: events.Click) -> None:
        super().on_click(event)
        line = event.y + self.top
        if event.x < self.size.width - 1 and line < self.count:
            self.post_message(self.Pointed(self._index_at(line), event.chain > 1))
