"""The messages of this console, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import messages, text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from learnloop_tui.view.messages import LoggedMessage


class MessagesScreen(Dialog[None]):
    """Time, kind and words of the messages of this console."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("exclamation_mark,q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(self, logged: Sequence[LoggedMessage]) -> None:
        super().__init__()
        self._logged = logged

    def compose(self) -> ComposeResult:
        box = Vertical(Page(), classes="box -page")
        box.border_title = text.content("What was said")
        box.border_subtitle = text.content("j k scroll · esc closes")
        yield box

    def on_mount(self) -> None:
        page = self.query_one(Page)
        page.show(lambda width: messages.layout(self._logged, width))
        page.focus()

    def action_scroll_page(self, lines: int) -> None:
        self.query_one(Page).scroll_lines(lines)
