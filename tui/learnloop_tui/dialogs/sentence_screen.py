"""Dialogs that ask for one sentence: other words of a belief, or the statement of a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.widgets import Static

from learnloop.service.lessons.row import asked_words
from learnloop_tui.dialogs.dialog import box
from learnloop_tui.dialogs.outside import Outside
from learnloop_tui.view import form, text
from learnloop_tui.widgets.sentence import Sentence

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop.models import Lesson

BELIEF_MAX = 300
"""Characters of a belief; agents read it at every start."""


class SentenceScreen(Outside[str]):
    """Gives the sentence; enter accepts it."""

    def __init__(
        self, title: str, verb: str, label: str, words: str, *, most: int, quote: str | None = None,
        asked: str = "",
    ) -> None:  # fmt: skip
        """`verb` is what enter does, `most` the characters that fit, `quote` is shown above them.

        `asked` is shown while nothing is written.
        """
        super().__init__()
        self._title, self._verb, self._label = title, verb, label
        self._words, self._most, self._quote, self._asked = words, most, quote, asked

    def compose(self) -> ComposeResult:
        quote = self._quote
        yield box(
            *([Static(text.content(quote, "italic"), classes="hint")] if quote is not None else []),
            Static(text.content(self._label), classes="label2"),
            Sentence(self._words, id="statement", asked=self._asked),
            Static(text.content(""), classes="problem"),
            title=self._title,
            keys=f"enter {self._verb} · f4 in your editor · esc cancels",
        )

    def on_mount(self) -> None:
        self.query_one(Sentence).focus()

    def is_changed(self) -> bool:
        return self.query_one(Sentence).text != text.line(self._words)

    @on(Sentence.Submitted)
    def _submitted(self, event: Sentence.Submitted) -> None:
        words = text.line(event.words)
        if not words or len(words) > self._most:
            self._tell("Write one sentence." if not words else f"{self._most} characters are the most.")
        else:
            self.dismiss(words)


class BeliefScreen(SentenceScreen):
    """Gives other words of something that agents read at their start."""

    def __init__(self, statement: str) -> None:
        label = "What is recalled when agents start: one sentence"
        super().__init__("Confirm with these words", "confirms", label, statement, most=BELIEF_MAX)


_EXAMPLE = "Run the tests of a package before you call it done."


class StatementScreen(SentenceScreen):
    """Gives the statement of a draft that needs words; what was said is shown, and never filled in."""

    def __init__(self, lesson: Lesson) -> None:
        said = lesson.evidence[0].quote if lesson.evidence else lesson.title
        super().__init__(
            "Keep with your words", "keeps",
            f"\nWhat the agent reads: one sentence, as in\n{_EXAMPLE}\n", lesson.statement,
            most=form.STATEMENT_MAX, quote="\n".join(text.wrap(f"❝ {said} ❞", 68, limit=8)),
            asked=asked_words(lesson.title),
        )  # fmt: skip
