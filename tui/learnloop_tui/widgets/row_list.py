"""A list of any length that draws only the lines in sight."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

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


_MOST_KEPT = 1_000


class RowList(Scroller):
    """Shows a view; moving the cursor redraws two lines, whatever the length."""

    @dataclass
    class Pointed(Message):
        """A row was clicked."""

        index: int
        again: bool
        """It was the second click of a double click."""

    def __init__(self, draw: Draw, *, id: str | None = None) -> None:  # noqa: A002  # as Textual
        super().__init__(id=id)
        self.view: ListView[Any] = ListView()
        self._draw = draw
        self._strips: dict[tuple[int, bool], Strip] = {}
        self._same: dict[tuple[Line, bool, int], Strip] = {}

    @property
    def count(self) -> int:
        return len(self.view.items)

    def show(self, view: ListView[Any]) -> None:
        """Show that view: only the changed lines where just the cursor moved."""
        before, self.view = self.view, view
        if before.items is view.items and before.marks == view.marks and before.fresh == view.fresh:
            self._redraw(before.cursor)
            self._redraw(view.cursor)
        else:
            drawn, self._strips, top = self._strips, {}, self.top
            self._hold_still(before)
            if self.top == top and len(before.items) == len(view.items):
                self._redraw_changed(drawn, before.cursor)
            else:
                self.refresh()
        self._keep_in_sight()

    def _redraw_changed(self, drawn: dict[tuple[int, bool], Strip], cursor: int) -> None:
        """Draw only those lines in sight that look otherwise now: a list may change many times a second."""
        width = max(1, self.size.width - 1)
        for y in range(min(self.page, self.count - self.top)):
            index = self.top + y
            if self.draw(index, width) != drawn.get((index, index == cursor)):
                self.refresh(Region(0, y, self.size.width, 1))

    def _hold_still(self, before: ListView[Any]) -> None:
        """Keep the current lesson, or head, on its line of the screen when rows came in above it."""
        is_same = before.item is not None and before.item.id in self.view.positions
        self.scroll_lines(self.view.cursor - before.cursor if is_same else 0)

    def _keep_in_sight(self) -> None:
        cursor = self.view.cursor
        self.scroll_top(max(cursor - self.page + 1, min(self.top, cursor)))

    def _redraw(self, index: int) -> None:
        self.refresh(Region(0, index - self.top, self.size.width, 1))

    @property
    def plain(self) -> list[str]:
        """The drawn rows in sight, without their looks."""
        self.measure()
        return [self.render_line(y).text.rstrip() for y in range(self.page)]

    def notify_style_update(self) -> None:
        self._forget()
        super().notify_style_update()

    def on_resize(self, _: events.Resize) -> None:
        """Forget what was drawn for another width, keep the cursor in sight."""
        self._forget()
        self.scroll_lines(0)
        self._keep_in_sight()

    def on_focus(self) -> None:
        self._forget()

    def on_blur(self) -> None:
        self._forget()

    def draw(self, index: int, width: int) -> Strip:
        """A row, drawn once as long as nothing about it changes."""
        key = (index, index == self.view.cursor)
        strip = self._strips.get(key)
        if strip is None or strip.cell_length != width:  # drawn before the list was laid out
            if len(self._strips) > _MOST_KEPT:
                self._strips.clear()
            strip = self._strips[key] = self._strip(self.view.items[index], key[1], width)
        return strip

    def _strip(self, item: Any, current: bool, width: int) -> Strip:
        marked = item.id in self.view.marks
        fresh = item.id in self.view.fresh
        line = self._draw(item, width - 1, marked, fresh)
        bar = (("▌" if self.has_focus else "│"), "accent") if current else (" ", "text")
        return self._drawn((bar, *line), current, width)

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
        index = event.y + self.top
        if event.x < self.size.width - 1 and index < self.count:
            self.post_message(self.Pointed(index, event.chain > 1))
