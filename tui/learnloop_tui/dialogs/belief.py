"""Asks for other words of something that agents are told at their start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.widgets import Static

from learnloop_tui.dialogs.outside import Outside
from learnloop_tui.view import text
from learnloop_tui.widgets.sentence import Sentence

if TYPE_CHECKING:
    from textual.app import ComposeResult

LONGEST = 300
"""Characters; it is told at every start."""


class BeliefScreen(Outside[str]):
    """Gives the words; enter confirms them."""

    def __init__(self, statement: str) -> None:
        super().__init__()
        self._statement = statement

    def compose(self) -> ComposeResult:
        """The line, filled in."""
        box = Vertical(
            Static(text.content("What agents are told at their start: one sentence"), classes="label2"),
            Sentence(self._statement, id="statement"),
            Static(text.content(""), classes="problem"),
            classes="box",
        )
        box.border_title = text.content("Confirm with these words")
        box.border_subtitle = text.content("enter confirms · f4 in your editor · esc cancels")
        yield box

    def on_mount(self) -> None:
        """The line has the keys."""
        self.query_one(Sentence).focus()

    @on(Sentence.Submitted)
    def _done(self, event: Sentence.Submitted) -> None:
        words = text.line(event.words)
        if not words or len(words) > LONGEST:
            wrong = "Write one sentence." if not words else f"{LONGEST} characters are the most."
            self.query_one(".problem", Static).update(text.content(wrong))
            return
        self.dismiss(words)
