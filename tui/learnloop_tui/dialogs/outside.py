"""Dialogs with long fields: a key opens the field in the person's own editor."""

from __future__ import annotations

from typing import TypeVar

from textual.binding import Binding
from textual.widgets import Input, Static, TextArea

from learnloop_tui.dialogs.dialog import Dialog
from learnloop_tui.view import text
from learnloop_tui.widgets.sentence import Sentence

T = TypeVar("T")
KEY = "f4"


class Outside(Dialog[T]):
    """A dialog whose fields can be written outside."""

    BINDINGS = [Binding(f"{KEY},ctrl+o", "outside", "editor", priority=True)]  # noqa: RUF012  # as Textual declares it

    _is_warned = False

    def action_outside(self) -> None:
        """The field under the cursor in $VISUAL or $EDITOR; the written text replaces it."""
        from learnloop_tui.dialogs import editor

        field = self.focused
        if not isinstance(field, Input | TextArea):
            self._tell("Go to a field of words first: tab goes on.")
            return
        before = field.value if isinstance(field, Input) else field.text
        written = editor.edit(self.app, before, name=field.id or "field")
        self._tell(written.problem or ("" if written.words is not None else "Left as it was."))
        if written.words is not None and isinstance(field, Input):
            field.value = text.line(written.words)
        elif written.words is not None and isinstance(field, TextArea):
            made_fit = text.line if isinstance(field, Sentence) else text.clean
            field.load_text(made_fit(written.words))
            field.move_cursor(field.document.end)

    def is_changed(self) -> bool:
        """Whether something was typed that would be lost."""
        return False

    def action_leave(self) -> None:
        """The first escape warns where something was typed, the second leaves."""
        if self._is_warned or not self.is_changed():
            self.dismiss(None)
        else:
            self._is_warned = True
            self._tell("Not saved: esc again drops what you typed.")

    def _tell(self, words: str) -> None:
        self.query_one(".problem", Static).update(text.content(words))
