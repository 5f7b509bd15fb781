"""Asks for which agents the hooks are installed, and shows what that would change."""

from collections.abc import Mapping

from textual.binding import Binding
from textual.widgets.selection_list import Selection

from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.dialogs.tick_list import TickList
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block
from learnloop_tui.view.state import Change
from learnloop_tui.view.text import Line

_LOOKS = {"+": "good", "-": "bad", "@": "label"}
_WORDS = "Nothing else changes. learn uninstall takes it back."


class AgentsScreen(TickList):
    """Gives the names of the chosen agents."""

    def __init__(self, agents: Mapping[str, str]) -> None:
        lines = [Selection(text.content(title), name, True) for name, title in agents.items()]
        super().__init__("Agents on this machine", lines)


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
