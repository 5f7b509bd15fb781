"""The titles over the columns of a list; a click sorts by one."""

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.message import Message

from learnloop_tui.widgets.line_widgets import Bar


class ColumnHeads(Bar):
    """One line; `column_at` gives the column at a cell of a line of that width, or an empty name."""

    @dataclass
    class Clicked(Message):
        """A column was clicked."""

        column: str

    def __init__(self, column_at: Callable[[int, int], str]) -> None:
        super().__init__(classes="columns")
        self._column_at = column_at

    async def on_click(self, event: events.Click) -> None:
        column = self._column_at(event.x, self.size.width - 1)
        if column:
            self.post_message(self.Clicked(column))
