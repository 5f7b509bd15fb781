"""The line in which a filter is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.binding import Binding
from textual.widgets import Input

if TYPE_CHECKING:
    from learnloop_tui.widgets.lists import ListPane


class FilterBar(Input):
    """Filters the list while words are typed; enter keeps them, escape drops them."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("escape", "drop", "drop", show=False),
        Binding("enter,down", "keep", "keep", show=False),
    ]

    def __init__(self, words: str) -> None:
        super().__init__(words, placeholder="words to look for", compact=True, select_on_focus=False)

    @property
    def _pane(self) -> ListPane:
        return cast("ListPane", next(node for node in self.ancestors if hasattr(node, "filter_by")))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._pane.filter_by(event.value)

    def action_keep(self) -> None:
        """Back to the list, filtered."""
        self._pane.close_filter(keep=True)

    def action_drop(self) -> None:
        """Back to the whole list."""
        self._pane.close_filter(keep=False)
