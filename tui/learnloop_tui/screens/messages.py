"""What was said in toasts, newest first."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from learnloop_tui.app.clipboard import Message
    from learnloop_tui.view.text import Line

_LOOKS = {"information": ("·", "muted"), "warning": ("!", "warn"), "error": ("✗", "bad")}
_BEFORE = 13
"""Cells before the words: the time and what kind of message it is."""


class MessagesScreen(Dialog[None]):
    """Time, kind and words of the messages of this console."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("exclamation_mark,q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(self, messages: Sequence[Message]) -> None:
        super().__init__()
        self._messages = messages

    def compose(self) -> ComposeResult:
        """One page."""
        box = Vertical(Page(), classes="box -page")
        box.border_title = text.content("What was said")
        box.border_subtitle = text.content("j k scroll · esc closes")
        yield box

    def on_mount(self) -> None:
        """Lay out the messages."""
        page = self.query_one(Page)
        page.show(lambda width: listing(self._messages, width))
        page.focus()

    def action_scroll_page(self, lines: int) -> None:
        """Scroll."""
        self.query_one(Page).scroll_lines(lines)


def listing(messages: Sequence[Message], width: int) -> list[Line]:
    """Each message whole, the newest first."""
    if not messages:
        return [(), ((" Nothing was said yet.", "muted"),)]
    made: list[Line] = []
    for one in reversed(messages):
        glyph, look = _LOOKS.get(one.severity, _LOOKS["information"])
        time = datetime.fromtimestamp(one.ms / 1000).astimezone().strftime("%H:%M:%S")
        first, *more = text.wrap(one.words, max(10, width - _BEFORE))
        made.append(((f" {time} ", "label"), (f" {glyph} ", look), (first, "text")))
        made += [((" " * _BEFORE + line, "text"),) for line in more]
    return made
