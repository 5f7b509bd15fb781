"""Asks what a new experiment tries: a lesson, its share, and other words or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from textual import on
from textual.widgets import Input, Static

from learnloop_tui.dialogs.dialog import Dialog, box
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.app import ComposeResult

_FIELDS = {
    "lesson": ("The lesson's id (y copies it in Lessons)", "k3fq"),
    "name": ("What the experiment is called", "uv or not"),
    "share": ("Percent of sessions that get the other variant, 5 to 50", "20"),
    "words": ("Other words for these sessions; empty: they are not told", ""),
}


class Design(NamedTuple):
    """What is to be tried."""

    lesson: str
    name: str
    variants: tuple[dict[str, Any], ...]


class NewExperimentScreen(Dialog[Design]):
    """Gives the design; enter in the last field starts the experiment."""

    def compose(self) -> ComposeResult:
        fields = [
            widget
            for name, (label, example) in _FIELDS.items()
            for widget in (
                Static(text.content(label), classes="label"),
                Input(placeholder=example, id=f"new-{name}", compact=True),
            )
        ]
        problem = Static(text.content(""), classes="problem")
        keys = "enter goes on, in the last field it starts · esc cancels"
        yield box(*fields, problem, title="New experiment", keys=keys)

    def on_mount(self) -> None:
        self.query_one("#new-share", Input).value = "20"
        self.query_one("#new-lesson", Input).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if event.input.id != "new-words":
            self.focus_next(Input)
        elif problem := self._problem():
            self.query_one(".problem", Static).update(text.content(problem))
        else:
            self.dismiss(self._design())

    def _typed(self, name: str) -> str:
        return text.line(self.query_one(f"#new-{name}", Input).value).strip()

    def _problem(self) -> str:
        share = self._typed("share")
        if not self._typed("lesson") or not self._typed("name"):
            return "A lesson and a name are needed."
        is_share = share.isascii() and share.isdigit() and 5 <= int(share) <= 50
        return "" if is_share else "The share is a number from 5 to 50."

    def _design(self) -> Design:
        share, words = int(self._typed("share")), self._typed("words")
        other = {"name": "other words", "wording": words} if words else {"name": "held out", "tells": False}
        return Design(
            self._typed("lesson"), self._typed("name"),
            ({"name": "told", "weight": 100 - share}, {**other, "weight": share}),
        )  # fmt: skip
