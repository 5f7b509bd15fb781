"""In place of a broken screen: how large the terminal has to be."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from learnloop_tui.view import text
from learnloop_tui.view.terminal import LEAST_COLUMNS, LEAST_LINES


def is_too_small(size: Size) -> bool:
    """Whether nothing could be read in a terminal of that size."""
    return size.width < LEAST_COLUMNS or size.height < LEAST_LINES


class TooSmallScreen(ModalScreen[None]):
    """Covers everything until the terminal is larger; no key but q does anything meanwhile."""

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $background; }
    TooSmallScreen Static { width: auto; max-width: 100%; height: auto; text-align: center; }
    """
    BINDINGS = [Binding("q,ctrl+c", "app.quit", "quit", show=False)]  # noqa: RUF012  # as Textual declares it

    def compose(self) -> ComposeResult:
        yield Static(text.content(self._words()))

    def on_resize(self) -> None:
        self.query_one(Static).update(text.content(self._words()))

    def _words(self) -> str:
        size, least = self.app.size, f"{LEAST_COLUMNS} × {LEAST_LINES}"
        return f"{size.width} × {size.height}: make the terminal at least {least}. q leaves."
