"""Asks which lesson is held out of a share of the sessions, and what is compared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, OptionList, Select, Static
from textual.widgets.option_list import Option

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text
from learnloop_tui.view.experiment_state import Design

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget

_OUTCOMES = {
    "own": "the lesson's own error comes again",
    "done": "a call does what the lesson forbids",
    "corrected": "any correction comes",
    "success": "it succeeds",
}
_SHARE = "20"
_PERCENT = "percent of the sessions; learn experiments new --variants compares other things"

Check = Callable[[Design], Awaitable[str]]
"""Why a design cannot start; empty where it can."""


class NewExperimentScreen(Dialog[Design]):
    """Gives a design that can be."""

    DEFAULT_CSS = """
    NewExperimentScreen OptionList { height: 4; }
    NewExperimentScreen .row { height: auto; }
    NewExperimentScreen .row .label { width: 14; }
    NewExperimentScreen .row Input, NewExperimentScreen Select { width: 1fr; }
    NewExperimentScreen Select > SelectCurrent {
        border: none; padding: 0 1; height: 1; background: $background;
    }
    NewExperimentScreen Select:focus > SelectCurrent { background: $panel; }
    """
    BINDINGS = [  # noqa: RUF012  # as Textual declares it
        Binding("ctrl+s", "start", "start", priority=True)
    ]

    def __init__(self, lessons: Sequence[tuple[str, str]], names: Collection[str], check: Check) -> None:
        """`lessons`: id and words of those that can be tried, the likeliest first; `names` are in use."""
        super().__init__()
        self._lessons = lessons
        self._names = names
        self._check = check
        self._list = OptionList(compact=True)
        self._list.can_focus = False

    def compose(self) -> ComposeResult:
        outcomes = [(words, outcome) for outcome, words in _OUTCOMES.items()]
        yield box(
            *_row("lesson", "which lesson", Input(placeholder="↑/↓, or some of its words", compact=True)),
            self._list,
            *_row("name", "name", Input(placeholder="uv or not", compact=True, max_length=80)),
            *_row("question", "question", Input(placeholder="may stay empty", compact=True, max_length=300)),
            *_row("outcome", "counted", Select(outcomes, value="own", allow_blank=False, compact=True)),
            *_row("share", "held out of", Input(_SHARE, compact=True, type="integer", max_length=2)),
            Static(text.content(_PERCENT), classes="hint"),
            title="New experiment",
            keys="enter or tab goes on · ctrl+s starts · esc cancels",
        )  # fmt: skip

    def on_mount(self) -> None:
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
        matches = [(name, shown) for name, shown in self._lessons if all(w in shown.lower() for w in words)]
        self._list.clear_options()
        self._list.add_options(
            [Option(text.content(text.cut(shown, 66)), id=name) for name, shown in matches]
        )
        self._list.highlighted = 0 if matches else None

    def _lesson(self) -> str:
        """The id of the lesson under the cursor; empty where no lesson has the words."""
        option = self._list.highlighted_option
        return option.id or "" if option is not None else ""

    @on(Input.Submitted)
    def _go_on(self) -> None:
        self.focus_next()

    async def action_start(self) -> None:
        """Give the design, or say beside the first wrong field what is wrong there."""
        design = self._design()
        field, words = self._wrong(design) or ("share", await self._check(design))
        if not words:
            self.dismiss(design)
            return
        problem = self.query_one(f"#wrong-{field}", Static)
        problem.display = True
        problem.update(text.content(words))
        self.query_one(f"#new-{field}").focus()

    @on(Input.Changed)
    @on(Select.Changed)
    def _hide_problems(self) -> None:
        for problem in self.query(".problem"):
            problem.display = False

    def _wrong(self, design: Design) -> tuple[str, str] | None:
        """The first wrong field above the share, and what is wrong with it."""
        if not self._lesson():
            return "lesson", "No lesson that can be tried has these words."
        if not design.name:
            return "name", "A name is needed."
        if design.name in self._names:
            return "name", "An experiment that is not over has this name."
        return None

    def _design(self) -> Design:
        name, question = (
            text.line(self.query_one(f"#new-{each}", Input).value).strip() for each in ("name", "question")
        )
        share = self.query_one("#new-share", Input).value
        outcome = str(self.query_one(Select).value)
        return Design(self._lesson(), name, question, outcome, int(share) if share.isdecimal() else 0)


def _row(name: str, label: str, field: Widget) -> Iterator[Widget]:
    """A field beside its label, and what is wrong with it below."""
    field.id = f"new-{name}"
    yield Horizontal(Static(text.content(label), classes="label"), field, classes="row")
    yield _problem(name)


def _problem(name: str) -> Static:
    problem = Static(text.content(""), classes="problem", id=f"wrong-{name}")
    problem.display = False
    return problem
