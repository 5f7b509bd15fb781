"""A pane whose list is filtered by a line that opens over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.css.query import NoMatches

from learnloop_tui.panes.base import Pane
from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.containers import Vertical

    from learnloop.service.lessons.filters import FilterField
    from learnloop_tui.panes.filter import FilterBar
    from learnloop_tui.widgets.rows import RowList


class FilteredPane(Pane):
    """Opens the line, closes it, and says what can be asked in it."""

    _box: Vertical
    _rows: RowList

    @property
    def asked(self) -> Any:
        """The view that is filtered: its rows, items, query and what was made of the query."""
        raise NotImplementedError

    @property
    def shown_count(self) -> int:
        """How many rows fit."""
        return len(self.asked.items)

    def filter_by(self, query: str) -> None:
        """Show only what fits."""
        raise NotImplementedError

    def said_of_query(self) -> str:
        """The query and how much fits, for the frame of the list."""
        query = self.asked.query
        return f"/{text.cut(query, 24)} · {self.shown_count:,}" if query else ""

    def fields(self) -> Sequence[FilterField]:
        """What can be asked of its rows."""
        from learnloop_tui.view import filter_fields

        return filter_fields.PANES.get(self.PLACE, ())

    def why_not_filter(self) -> str:
        """An empty list has nothing to filter."""
        return "" if self.asked.rows else "There is nothing to filter."

    async def do_filter(self) -> None:
        """Open the filter line."""
        from learnloop_tui.panes.filter import FilterBar

        bar = self._filter_bar()
        if bar is None:
            bar = FilterBar(self.asked.query)
            await self._box.mount(bar, bar.hints, before=0)
        self.screen.set_focus(bar)

    def _filter_bar(self) -> FilterBar | None:
        from learnloop_tui.panes.filter import FilterBar

        try:
            return self._box.query_one(FilterBar)
        except NoMatches:
            return None

    def close_filter(self, *, keep: bool) -> None:
        """Put the filter line away; its words stay only where they are kept."""
        bar = self._filter_bar()
        if not keep and self.asked.query:
            self.filter_by("")
        if bar is not None and not (keep and self.asked.query):
            bar.hints.remove()
            bar.remove()
        (self._rows if self.asked.items else self).focus()
