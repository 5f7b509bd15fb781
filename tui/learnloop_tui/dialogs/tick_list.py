"""A list in which several lines can be ticked."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import SelectionList
from textual.widgets.selection_list import Selection

from learnloop_tui.dialogs.dialog import Dialog, box


class TickList(Dialog[tuple[str, ...]]):
    """Gives the values of what is ticked."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,ctrl+s", "save", "done", priority=True),
        Binding("j", "down", "down", show=False),
        Binding("k", "up", "up", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Selection[str]]) -> None:
        super().__init__()
        self._title, self._list = title, SelectionList[str](*lines, compact=True)

    def compose(self) -> ComposeResult:
        yield box(self._list, title=self._title, keys="space ticks · enter is done · esc cancels")

    def action_down(self) -> None:
        self._list.action_cursor_down()

    def action_up(self) -> None:
        self._list.action_cursor_up()

    def action_save(self) -> None:
        self.dismiss(tuple(self._list.selected))
