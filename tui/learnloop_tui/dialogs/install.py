"""Shows what installing the hooks would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop_tui.view.state import Change
    from learnloop_tui.view.text import Line

_LOOKS = {"+": "good", "-": "bad", "@": "label"}


class InstallScreen(Dialog[bool]):
    """Gives True where the change is wanted."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "accept", "install"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
    ]

    def __init__(self, plan: Change) -> None:
        super().__init__()
        self._plan = plan

    def compose(self) -> ComposeResult:
        box = Vertical(Page(), classes="box -page")
        box.border_title = text.content("Install the hooks")
        box.border_subtitle = text.content("enter installs · j k scroll · esc cancels")
        yield box

    def on_mount(self) -> None:
        page = self.query_one(Page)
        page.show(lambda width: layout(self._plan, width))
        page.focus()

    def action_scroll_page(self, lines: int) -> None:
        self.query_one(Page).scroll_lines(lines)

    def action_accept(self) -> None:
        self.dismiss(True)


def layout(plan: Change, width: int) -> list[Line]:
    """Which file changes, how it is kept safe, and the change itself."""
    shown: list[Line] = [(), ((f" {text.cut(plan.path, width - 2)}", "strong"),)]
    words = ("A backup is kept; everything else in the file stays as it is. learn uninstall takes it back.",)
    for message in (*words, *plan.messages):
        shown += [((f" {line}", "muted"),) for line in text.wrap(message, width - 2)]
    shown.append(())
    for line in plan.diff.splitlines():
        shown += [((f" {part}", _LOOKS.get(line[:1], "text")),) for part in text.wrap(line, width - 2)]
    return shown
