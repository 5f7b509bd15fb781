"""A pane with a list that the cursor moves in, beside a page that is read on in."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from learnloop_tui.panes.filtering import FilteredPane
from learnloop_tui.widgets.rows import RowList

if TYPE_CHECKING:
    from learnloop_tui.widgets.line_widgets import Page

_SCROLL = 3
"""By how many lines a key scrolls the page while the list has the keys."""


class MovingPane(FilteredPane):
    """Keys and clicks move the cursor, or scroll the page where the page has the keys."""

    OPENS: ClassVar[str] = "read"
    """The command of a click on the row under the cursor."""

    _page: Page

    def go(self, index: int) -> None:
        """The cursor on that row, or the nearest there is."""
        raise NotImplementedError

    def do_down(self) -> None:
        """Next row."""
        self.move_by(1)

    def do_up(self) -> None:
        """Row before."""
        self.move_by(-1)

    def do_page_down(self) -> None:
        """Next page."""
        self.move_by(self.stride)

    def do_page_up(self) -> None:
        """Page before."""
        self.move_by(-self.stride)

    def do_top(self) -> None:
        """First row."""
        self.move_by(-self.length)

    def do_bottom(self) -> None:
        """Last row."""
        self.move_by(self.length)

    def do_read_down(self) -> None:
        """Scroll the page."""
        self.read_by(_SCROLL)

    def do_read_up(self) -> None:
        """Scroll the page back."""
        self.read_by(-_SCROLL)

    @property
    def stride(self) -> int:
        """By how many rows a page moves."""
        return self._rows.page - 1

    @property
    def length(self) -> int:
        """So many rows lead from anywhere to the end."""
        return max(len(self.asked.items), self._page.count)

    def move_by(self, rows: int) -> None:
        """Move the cursor, or scroll the page that has the keys."""
        if self._page.has_focus:
            self.read_by(rows)
        else:
            self.go(self.asked.cursor + rows)

    def read_by(self, lines: int) -> None:
        """Scroll the page."""
        self._page.scroll_lines(lines)

    def opens(self, *, again: bool) -> bool:
        """Whether a click opens the row that it pointed at; `again`: the cursor stood there already."""
        return again

    @on(RowList.Pointed)
    async def _point(self, event: RowList.Pointed) -> None:
        event.stop()
        self.go(event.index)
        if self.opens(again=event.again):
            await self.run_command(self.OPENS)
