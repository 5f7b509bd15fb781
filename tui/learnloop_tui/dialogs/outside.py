"""Dialogs with long fields: a key opens the field in the person's own editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple, TypeVar

from textual.app import App, SuspendNotSupported
from textual.binding import Binding
from textual.widgets import Input, Static, TextArea

from learnloop.wire import paths, regular
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

        field = self.focused
        if not isinstance(field, Input | TextArea):
            self._tell("Go to a field of words first: tab goes on.")
            return
        before = field.value if isinstance(field, Input) else field.text
        written = edit(self.app, before, name=field.id or "field")
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


_LONGEST = 20_000
"""Characters that are taken back; every field has a smaller limit of its own."""


class _Written(NamedTuple):
    """What came of it."""

    words: str | None
    problem: str = ""
    """Why nothing is taken; empty where it was only left as it is."""


def _command() -> list[str]:
    """The person's editor by $VISUAL or $EDITOR, else vi or nano; [] where none is there."""
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(os.environ.get(name, ""))
        except ValueError:
            continue
        if words:
            return words
    editor = next((path for path in map(shutil.which, ("vi", "nano")) if path), None)
    return [editor] if editor else []


def edit(app: App[object], words: str, *, name: str = "field") -> _Written:
    """Leave the console for the editor with those words in a file that only the person can read."""
    argv = _command()
    if not argv:
        return _Written(None, "There is no editor: set EDITOR, as in EDITOR=nano.")
    if shutil.which(argv[0]) is None:
        return _Written(None, f"The editor {argv[0]} was not found: mend VISUAL or EDITOR.")
    try:
        handle, path = _scratch(name)
    except OSError as error:
        return _Written(None, f"No file could be made for {argv[0]}: {error.strerror or error}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{words}\n")
        return _run(app, [*argv, path], words)
    except OSError as error:
        return _Written(None, f"{argv[0]} could not be used: {error.strerror or error}.")
    finally:
        Path(path).unlink(missing_ok=True)


def _scratch(name: str) -> tuple[int, str]:
    """A file for the editor, below the root: nothing private goes to a shared folder."""
    paths.ensure_dir(paths.root())
    return tempfile.mkstemp(prefix=f"edit-{name}-", suffix=".txt", dir=paths.root())


def _run(app: App[object], argv: list[str], words: str) -> _Written:
    try:
        with app.suspend():
            code = subprocess.run(argv, check=False).returncode
    except SuspendNotSupported:
        return _Written(None, "This terminal cannot be left for an editor.")
    if code:
        return _Written(None, f"{argv[0]} ended with {code}, so nothing was taken.")
    try:
        now = regular.content(argv[-1]).decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        return _Written(None, "What the editor wrote is no UTF-8, so nothing was taken.")
    if len(now) > _LONGEST:
        most = f"{_LONGEST:,} are the most"
        return _Written(None, f"That is {len(now):,} characters, {most}: nothing was taken.")
    return _Written(None if now == words else now)
