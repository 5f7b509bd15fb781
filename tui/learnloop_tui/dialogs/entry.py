"""One entry of a story, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import session_lines, text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult

    from learnloop.service.sessions.live_sessions import TimelineEntry


class EntryScreen(Dialog[None]):
    """Prompt, call or recall with everything that is known of it."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(self, entry: TimelineEntry, statements: Mapping[str, str]) -> None:
        super().__init__()
        self._entry = entry
        self._statements = statements

    def compose(self) -> ComposeResult:
        box = Vertical(Page(), classes="box -page")
        box.border_title = text.content(self._entry.kind.capitalize())
        box.border_subtitle = text.content("j k scroll · esc closes")
        yield box

    def on_mount(self) -> None:
        page = self.query_one(Page)
        page.show(lambda width: session_lines.whole(self._entry, self._statements, width))
        page.focus()

    def action_scroll_page(self, lines: int) -> None:
        self.query_one(Page).scroll_lines(lines)
