"""Asks for the words of a draft for which no rule could make a statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.widgets import Static

from learnloop_tui.dialogs.outside import Outside
from learnloop_tui.view import form, text
from learnloop_tui.widgets.sentence import Sentence

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop.models import Lesson


class StatementScreen(Outside[str]):
    """Gives the statement; enter promotes with it."""

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self._lesson = lesson

    def compose(self) -> ComposeResult:
        """What was said, and the line for the statement, filled in."""
        said = self._lesson.evidence[-1].quote if self._lesson.evidence else ""
        quote = "\n".join(text.wrap(f"❝ {said} ❞", 68, limit=8)) if said else ""
        box = Vertical(
            Static(text.content(quote, "italic"), classes="hint"),
            Static(
                text.content("\nWhat the agent is told: one sentence in the present tense"), classes="label2"
            ),
            Sentence(self._lesson.statement or form.suggestion(self._lesson), id="statement"),
            Static(text.content(""), classes="problem"),
            classes="box",
        )
        box.border_title = text.content("Promote with these words")
        box.border_subtitle = text.content("enter promotes · f4 in your editor · esc cancels")
        yield box

    def on_mount(self) -> None:
        """Typing replaces what is filled in, moving keeps it."""
        self.query_one(Sentence).focus()

    @on(Sentence.Submitted)
    def _done(self, event: Sentence.Submitted) -> None:
        words = text.line(event.words)
        if not words or len(words) > form.STATEMENT_MAX:
            wrong = "Write one sentence." if not words else f"{form.STATEMENT_MAX} characters are the most."
            self.query_one(".problem", Static).update(text.content(wrong))
            return
        self.dismiss(words)
