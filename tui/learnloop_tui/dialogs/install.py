"""Asks for which agents the hooks are installed, and shows what that would change."""

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import SelectionList
from textual.widgets.selection_list import Selection

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block
from learnloop_tui.view.state import Change
from learnloop_tui.view.text import Line

_LOOKS = {"+": "good", "-": "bad", "@": "label"}
_WORDS = "Nothing else changes. learn uninstall takes it back."


class AgentsScreen(Dialog[tuple[str, ...]]):
    """Gives the names of the chosen agents."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "accept", "go on", priority=True),
        Binding("j", "move('down')", "down"),
        Binding("k", "move('up')", "up"),
    ]

    def __init__(self, agents: Mapping[str, str]) -> None:
        super().__init__()
        self._agents = agents

    def compose(self) -> ComposeResult:
        yield box(
            SelectionList[str](
                *(Selection(text.content(title), name, True) for name, title in self._agents.items()),
                compact=True,
            ),
            title="Agents on this machine",
            keys="space chooses · enter goes on · esc cancels",
        )

    def on_mount(self) -> None:
        self.query_one(SelectionList).focus()

    def action_move(self, way: str) -> None:
        listing = self.query_one(SelectionList)
        listing.action_cursor_down() if way == "down" else listing.action_cursor_up()

    def action_accept(self) -> None:
        self.dismiss(tuple(self.query_one(SelectionList).selected))


class InstallScreen(PageDialog[bool]):
    """Gives True where the change is wanted."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "accept", "install"),
        Binding("d", "show_diff", "every line"),
    ]

    def __init__(self, plan: Change) -> None:
        keys = "enter installs · d every line · j k scroll · esc cancels"
        self._plan, self._is_whole = plan, False
        super().__init__("Install the hooks", self._layout, keys=keys)

    def action_accept(self) -> None:
        self.dismiss(True)

    def action_show_diff(self) -> None:
        """Show every line of the change, or the few sentences again."""
        self._is_whole = not self._is_whole
        self.page.show(self._layout)

    def _layout(self, width: int) -> list[Line]:
        if self._is_whole:
            lines = self._plan.diff.splitlines()
            return [part for line in lines for part in block(line, width, _LOOKS.get(line[:1], "text"))]
        words = (*self._plan.plan, *self._plan.messages, "", _WORDS)
        return [(), *(part for line in words for part in block(line, width, "text"))]
