"""Asks one question: enter or y does it, everything else leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.widgets import Static

from learnloop_tui.dialogs.dialog import Answers, Dialog, box
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop_tui.view.text import Linked


class ConfirmScreen(Dialog[bool]):
    """Gives True where it is wanted."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,y", "confirm", "do it"),
        Binding("n", "leave", "cancel", show=False),
    ]

    def __init__(self, title: str, words: str) -> None:
        super().__init__()
        self._title, self._words = title, words

    def compose(self) -> ComposeResult:
        answers = Answers()
        answers.show(lambda _: self._answers())
        yield box(Static(text.content(self._words)), answers, title=self._title)

    def _answers(self) -> Linked:
        does, leave = f" enter or y: {self._title.rstrip('?').lower()} ", " esc leaves it "
        return ((does, "key"), ("   ", "text"), (leave, "muted")), {does: "confirm", leave: "leave"}

    def action_confirm(self) -> None:
        self.dismiss(True)
