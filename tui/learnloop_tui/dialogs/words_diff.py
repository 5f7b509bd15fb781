"""Shows better words for a draft beside those it has; enter or y takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from learnloop_tui.dialogs.dialog import Answers
from learnloop_tui.dialogs.page_dialog import PageDialog
from learnloop_tui.view import text
from learnloop_tui.view.form import TRIGGERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.service.facts.reword_drafts import Rewording
    from learnloop_tui.view.text import Line, Linked


class BetterWordsScreen(PageDialog[bool]):
    """Gives True where the words are taken, False for the next draft's."""

    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("enter,y", "answer(True)", "take them"),
        Binding("n", "answer(False)", "next", show=False),
    ]

    def __init__(self, rewording: Rewording, others: int) -> None:
        answers = Answers()
        answers.show(lambda _: _answers(others))
        title = f"Better words · {others} more" if others else "Better words"
        super().__init__(title, lambda width: list(_lines(rewording, width)), below=[answers], keys="")

    def action_answer(self, is_taken: bool) -> None:
        self.dismiss(is_taken)


def _answers(others: int) -> Linked:
    take, skip, leave = " enter or y: take them ", " n: the next ", " esc leaves it "
    links = {take: "answer(True)", leave: "leave"} | ({skip: "answer(False)"} if others else {})
    middle = ((skip, "key"), ("   ", "text")) if others else ()
    return ((take, "key"), ("   ", "text"), *middle, (leave, "muted")), links


def _lines(rewording: Rewording, width: int) -> Iterator[Line]:
    if rewording.caution:
        yield ((f" ⚠ Read with care: it {text.line(rewording.caution)}.", "warn"),)
        yield ()
    yield from _sides(rewording.before or "no words yet", rewording.statement, width)
    for name, (before, after) in rewording.triggers.items():
        yield ()
        yield ((f" {TRIGGERS.get(name, (name, ''))[0]}", "label"),)
        yield from _sides(", ".join(before) or "none", ", ".join(after) or "none", width)


def _sides(before: str, after: str, width: int) -> Iterator[Line]:
    for sign, words, look in (("-", before, "bad"), ("+", after, "good")):
        for part in text.wrap(text.line(words), width - 4):
            yield ((f" {sign} {part}", look),)
            sign = " "
