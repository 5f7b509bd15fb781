"""Asks what a new experiment tries: a lesson or all of recall, the share, and what the other sessions get."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual import on
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from textual import events
    from textual.app import ComposeResult

_FIELDS = {
    "lesson": ("Which lesson, or all of recall: ↑/↓, or some of its words", "pnpm"),
    "name": ("What the experiment is called", "uv or not"),
    "share": ("Percent of sessions that get the other variant, 5 to 50", "20"),
    "words": ("Other words for these sessions; empty: they are not told", ""),
}
_GENERAL = {
    "budgets": (
        "All of recall: how much is told",
        "How much these sessions are told, as per_call=1, call_tokens=100",
    ),
    "priming": (
        "All of recall: earlier tasks or none",
        "These sessions are told no earlier tasks; enter starts it",
    ),
}
"""What can be tried without a lesson, and the question about the other sessions."""


class Design(NamedTuple):
    """What is to be tried, and on which lesson; "" for all of recall."""

    lesson: str
    name: str
    variants: tuple[str, ...]
    """As a person types them."""


class NewExperimentScreen(Dialog[Design]):
    """Gives the design; enter in the last field starts the experiment."""

    DEFAULT_CSS = "NewExperimentScreen OptionList { height: 5; }"

    def __init__(self, lessons: Sequence[tuple[str, str]], names: Collection[str] = ()) -> None:
        """`lessons`: id and words of those that can be tried, the likeliest first; `names` are in use."""
        super().__init__()
        self._lessons = lessons
        self._names = names
        self._list = OptionList(compact=True)
        self._list.can_focus = False

    def compose(self) -> ComposeResult:
        fields = [
            widget
            for name, (label, example) in _FIELDS.items()
            for widget in (
                Static(text.content(label), classes="label", id=f"label-{name}"),
                Input(placeholder=example, id=f"new-{name}", compact=True),
            )
        ]
        problem = Static(text.content(""), classes="problem")
        keys = "enter goes on, in the last field it starts · esc cancels"
        yield box(*fields[:2], self._list, *fields[2:], problem, title="New experiment", keys=keys)

    def on_mount(self) -> None:
        self.query_one("#new-share", Input).value = "20"
        self.query_one("#new-lesson", Input).focus()
        self._list_matches("")

    def on_key(self, event: events.Key) -> None:
        """Arrows move in the list of lessons while its field has the focus."""
        if event.key in ("up", "down") and self.query_one("#new-lesson", Input).has_focus:
            event.stop()
            self._list.action_cursor_up() if event.key == "up" else self._list.action_cursor_down()

    @on(Input.Changed, "#new-lesson")
    def _narrow(self, event: Input.Changed) -> None:
        self._list_matches(event.value)

    def _list_matches(self, typed: str) -> None:
        words = typed.lower().split()
        every = [*self._lessons, *((name, shown) for name, (shown, _) in _GENERAL.items())]
        matches = [(name, shown) for name, shown in every if all(w in shown.lower() for w in words)]
        self._list.clear_options()
        self._list.add_options(
            [Option(text.content(text.cut(shown, 66)), id=name) for name, shown in matches]
        )
        self._list.highlighted = 0 if matches else None

    @on(OptionList.OptionHighlighted)
    def _ask_for(self) -> None:
        """Ask of the other sessions what fits to what is tried."""
        question = _GENERAL.get(self._lesson(), ("", _FIELDS["words"][0]))[1]
        self.query_one("#label-words", Static).update(text.content(question))

    def _lesson(self) -> str:
        """The id of the lesson under the cursor; empty where no lesson has the words."""
        option = self._list.highlighted_option
        return option.id or "" if option is not None else ""

    def _complain(self, problem: str) -> None:
        self.query_one(".problem", Static).update(text.content(problem))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if event.input.id != "new-words":
            self.focus_next(Input)
        elif problem := self._problem():
            self._complain(problem)
        else:
            self.dismiss(self._design())

    def _typed(self, name: str) -> str:
        return text.line(self.query_one(f"#new-{name}", Input).value).strip()

    def _problem(self) -> str:
        share = self._typed("share")
        if not self._lesson() or not self._typed("name"):
            return "A name is needed." if self._lesson() else "No lesson that can be tried has these words."
        if self._typed("name") in self._names:
            return "An experiment that is not over has this name."
        is_share = share.isascii() and share.isdigit() and 5 <= int(share) <= 50
        if not is_share:
            return "The share is a number from 5 to 50."
        return self._wrong_words()

    def _wrong_words(self) -> str:
        from learnloop.service.experiments import typed_variants

        budgets = typed_variants.what_differs(self._typed("words")).get("budgets")
        if self._lesson() == "budgets":
            return "" if budgets else "Write per_call=1, call_tokens=100 or start_tokens=200."
        return "Budgets are tried on all of recall." if budgets else ""

    def _design(self) -> Design:
        share, words, lesson = int(self._typed("share")), self._typed("words"), self._lesson()
        other = {"budgets": f"other:{share}:{words}", "priming": f"unprimed:{share}:priming=off"}.get(lesson)
        if other is None:
            other = f"other words:{share}:{words}" if words else f"held out:{share}:off"
        told = f"as now:{100 - share}" if lesson in _GENERAL else f"told:{100 - share}"
        variants = (other, told) if lesson in _GENERAL else (told, other)
        return Design("" if lesson in _GENERAL else lesson, self._typed("name"), variants)
