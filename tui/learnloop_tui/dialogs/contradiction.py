"""Two lessons that cannot both hold, side by side: one is kept, both are, or they become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Static

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import text
from learnloop_tui.widgets.side_by_side import Sides

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop.models import Lesson


class ContradictionScreen(Dialog[str]):
    """Gives the id of the lesson that holds; the other one goes."""

    DEFAULT_CSS = """
    ContradictionScreen > .box { width: 110; height: 80%; }
    """
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter", "decide", "this one holds", priority=True),
        Binding("right,tab,l", "other", "the other one", priority=True),
        Binding("left,shift+tab,h", "other", "the other one", priority=True),
        Binding("1", "keep(0)", show=False),
        Binding("2", "keep(1)", show=False),
    ]

    def __init__(self, one: Lesson, other: Lesson, reason: str) -> None:
        super().__init__()
        self._lessons = (one, other)
        self._reason = reason
        self._sides = Sides(self._lessons, 0, ("holds", "goes"))

    def compose(self) -> ComposeResult:
        """Why they contradict each other, and both of them."""
        box = Vertical(
            Static(text.content("\n".join(text.wrap(self._reason, 100, limit=3))), classes="hint"),
            self._sides,
            classes="box",
        )
        box.border_title = text.content("These two contradict each other")
        box.border_subtitle = text.content("←/→ chooses · enter: this one holds · esc leaves both")
        yield box

    def action_other(self) -> None:
        """The other one holds."""
        self._sides.keep(1 - self._sides.kept)

    def action_keep(self, at: int) -> None:
        """That one holds."""
        self._sides.keep(at)

    def action_decide(self) -> None:
        """Done."""
        self.dismiss(self._lessons[self._sides.kept].id)
