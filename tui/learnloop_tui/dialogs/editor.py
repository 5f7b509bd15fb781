"""A long text in the person's own editor, and back."""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from textual.app import App, SuspendNotSupported

from learnloop.wire import paths, regular

LONGEST = 20_000
"""Characters that are taken back; every field has a smaller limit of its own."""


class Written(NamedTuple):
    """What came of it."""

    words: str | None
    problem: str = ""
    """Why nothing is taken; empty where it was only left as it is."""


def command() -> list[str]:
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


def edit(app: App[object], words: str, *, name: str = "field") -> Written:
    """Leave the console for the editor with those words in a file that only the person can read."""
    argv = command()
    if not argv:
        return Written(None, "There is no editor: set EDITOR, as in EDITOR=nano.")
    if shutil.which(argv[0]) is None:
        return Written(None, f"The editor {argv[0]} was not found: mend VISUAL or EDITOR.")
    try:
        handle, path = _scratch(name)
    except OSError as error:
        return Written(None, f"No file could be made for {argv[0]}: {error.strerror or error}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{words}\n")
        return _run(app, [*argv, path], words)
    except OSError as error:
        return Written(None, f"{argv[0]} could not be used: {error.strerror or error}.")
    finally:
        Path(path).unlink(missing_ok=True)


def _scratch(name: str) -> tuple[int, str]:
    """A file for the editor, below the root: nothing private goes to a shared folder."""
    paths.ensure_dir(paths.root())
    return tempfile.mkstemp(prefix=f"edit-{name}-", suffix=".txt", dir=paths.root())


def _run(app: App[object], argv: list[str], words: str) -> Written:
    try:
        with app.suspend():
            code = subprocess.run(argv, check=False).returncode
    except SuspendNotSupported:
        return Written(None, "This terminal cannot be left for an editor.")
    if code:
        return Written(None, f"{argv[0]} ended with {code}, so nothing was taken.")
    try:
        now = regular.content(argv[-1]).decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        return Written(None, "What the editor wrote is no UTF-8, so nothing was taken.")
    if len(now) > LONGEST:
        most = f"{LONGEST:,} are the most"
        return Written(None, f"That is {len(now):,} characters, {most}: nothing was taken.")
    return Written(None if now == words else now)
