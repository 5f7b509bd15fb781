"""Shows what installing the hooks would change."""

from textual.binding import Binding

from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block
from learnloop_tui.view.state import Change
from learnloop_tui.view.text import Line

_LOOKS = {"+": "good", "-": "bad", "@": "label"}


class InstallScreen(PageDialog[bool]):
    """Gives True where the change is wanted."""

    BINDINGS = [Binding("enter", "accept", "install")]  # noqa: RUF012  # as Textual declares it

    def __init__(self, plan: Change) -> None:
        keys = "enter installs · j k scroll · esc cancels"
        super().__init__("Install the hooks", lambda width: layout(plan, width), keys=keys)

    def action_accept(self) -> None:
        self.dismiss(True)


def layout(plan: Change, width: int) -> list[Line]:
    """Which file changes, how it is kept safe, and the change itself."""
    shown: list[Line] = [(), ((f" {text.cut(plan.path, width - 2)}", "strong"),)]
    words = ("A backup is kept; everything else in the file stays as it is. learn uninstall takes it back.",)
    for message in (*words, *plan.messages):
        shown += block(message, width, "muted")
    shown.append(())
    for line in plan.diff.splitlines():
        shown += block(line, width, _LOOKS.get(line[:1], "text"))
    return shown
