"""Dialogs that ask for words: of a belief, of a draft, of the block of a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.binding import Binding
from textual.widgets import Static, TextArea

from learnloop.service.id_prefix import shown
from learnloop.service.lessons.row import asked_words
from learnloop_tui.dialogs.dialog import box
from learnloop_tui.dialogs.outside import Outside
from learnloop_tui.view import form, text
from learnloop_tui.widgets.sentence import Sentence

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from learnloop.models import Lesson
    from learnloop.models.patch import Patch

BELIEF_MAX = 300
"""Characters of a belief; agents read it at every start."""


class SentenceScreen(Outside[str]):
    """Gives the sentence; enter accepts it."""

    BINDINGS = [Binding("ctrl+y", "take", "your words", priority=True)]  # noqa: RUF012  # as Textual declares it

    def __init__(
        self, title: str, verb: str, label: str, words: str, *, most: int, quote: str | None = None,
        asked: str = "", said: str = "",
    ) -> None:  # fmt: skip
        """`verb` is what enter does, `most` the characters that fit, `quote` is shown above them.

        `asked` is shown while nothing is written; a key takes what was `said`, to be changed.
        """
        super().__init__()
        self._title, self._verb, self._label = title, verb, label
        self._words, self._most, self._quote, self._asked = words, most, quote, asked
        self._said = said

    def compose(self) -> ComposeResult:
        quote, takes = self._quote, " · ctrl+y your words" if self._said else ""
        yield box(
            *([Static(text.content(quote, "italic"), classes="hint")] if quote is not None else []),
            Static(text.content(self._label), classes="label2"),
            Sentence(self._words, id="statement", asked=self._asked),
            Static(text.content(""), classes="problem"),
            title=self._title,
            keys=f"enter {self._verb}{takes} · f4 in your editor · esc cancels",
        )

    def on_mount(self) -> None:
        self.query_one(Sentence).focus()

    def action_take(self) -> None:
        field = self.query_one(Sentence)
        field.load_text(text.line(self._said) or field.text)
        field.move_cursor(field.document.end)

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
    """Gives the statement of a draft that needs words; what was said is shown, and taken by a key alone."""

    def __init__(self, lesson: Lesson) -> None:
        said = lesson.evidence[0].quote if lesson.evidence else lesson.title
        super().__init__(
            "Keep with your words", "keeps",
            f"\nWhat the agent reads: one sentence, as in\n{_EXAMPLE}\n", lesson.statement,
            most=form.STATEMENT_MAX, quote="\n".join(text.wrap(f"❝ {said} ❞", 68, limit=8)),
            asked=asked_words(lesson.title), said=said,
        )  # fmt: skip


LONGEST = 4000


class BlockScreen(Outside[str]):
    """Gives what a patch's block says."""

    DEFAULT_CSS = "BlockScreen TextArea { height: 8; }"
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape", "leave", "cancel", priority=True),
    ]

    def __init__(self, patch: Patch) -> None:
        super().__init__()
        self._patch = patch

    def compose(self) -> ComposeResult:
        yield box(
            Static(text.content("What the agent reads: guidance it can follow"), classes="label"),
            TextArea(text.clean(self._patch.block), id="words", soft_wrap=True, compact=True),
            Static(text.content(""), classes="problem"),
            title=f"Edit patch {shown(self._patch.id)}",
            keys="ctrl+s saves · f4 in your editor · esc cancels",
        )

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)

    def is_changed(self) -> bool:
        return self.query_one(TextArea).text != text.clean(self._patch.block)

    def action_save(self) -> None:
        words = text.clean(self.query_one(TextArea).text).strip("\n")
        if not words.strip():
            self._tell("Write at least one sentence.")
        elif len(words) > LONGEST:
            self._tell(f"{LONGEST:,} characters are the most.")
        else:
            self.dismiss(words)
