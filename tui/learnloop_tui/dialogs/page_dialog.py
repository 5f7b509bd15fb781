"""A dialog that is one page of text to scroll."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widget import Widget

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view.text import Line
from learnloop_tui.widgets.line_widgets import Page

T = TypeVar("T")


class PageDialog(Dialog[T]):
    """Shows the lines that `lines` gives for a width, between the widgets `above` and `below`."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("q,enter", "leave", "close"),
        Binding("j,down", "scroll_page(1)", "down"),
        Binding("k,up", "scroll_page(-1)", "up"),
        Binding("pagedown,space", "scroll_page(15)", "page down"),
        Binding("pageup", "scroll_page(-15)", "page up"),
    ]

    def __init__(
        self, title: str, lines: Callable[[int], list[Line]], *above: Widget, below: Sequence[Widget] = (),
        keys: str = "j k scroll · esc closes",
    ) -> None:  # fmt: skip
        super().__init__()
        self._lines = lines
        self.page = Page()
        self._box = box(*above, self.page, *below, title=title, keys=keys, classes="-page")

    def compose(self) -> ComposeResult:
        yield self._box

    def on_mount(self) -> None:
        self.page.show(self._lines)
        self.page.focus()

    def action_scroll_page(self, lines: int) -> None:
        self.page.scroll_lines(lines)


class AgreementPage(PageDialog[bool]):
    """A page to read and to agree to: gives True for y."""

    BINDINGS = [Binding("y", "dismiss(True)", "do it")]  # noqa: RUF012  # as Textual declares it
