"""A dialog that is one page of text to scroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import text
from learnloop_tui.widgets.line_widgets import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.widget import Widget

    from learnloop_tui.view.text import Line


class PageDialog(Dialog[None]):
    """Shows the lines that `lines` gives for a width; `above` is mounted over them."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(
        self,
        title: str,
        lines: Callable[[int], list[Line]],
        *above: Widget,
        keys: str = "j k scroll · esc closes",
    ) -> None:
        super().__init__()
        self._title, self._lines, self._above, self._keys = title, lines, above, keys
        self.page = Page()

    def compose(self) -> ComposeResult:
        box = Vertical(*self._above, self.page, classes="box -page")
        box.border_title = text.content(self._title)
        box.border_subtitle = text.content(self._keys)
        yield box

    def on_mount(self) -> None:
        self.page.show(self._lines)
        self.page.focus()

    def action_scroll_page(self, lines: int) -> None:
        self.page.scroll_lines(lines)
