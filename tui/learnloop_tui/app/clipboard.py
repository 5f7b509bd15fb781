"""Copying what the open pane shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.app import App

    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.screens.main import MainScreen

MOST_COPIED = 50_000
"""Characters that go to the clipboard: terminals drop a longer sequence silently."""


class Clipboard:
    """Copies the words or the id of what the open pane points at."""

    def __init__(self, app: App[str], main: MainScreen, notifications: Notifications) -> None:
        self._app = app
        self._main = main
        self._notifications = notifications

    def why_not_copy(self) -> str:
        """An empty pane has nothing to copy."""
        return "" if self._main.pane.to_copy() else "There is nothing to copy here."

    def copy(self) -> None:
        self._copy(self._main.pane.to_copy())

    def why_not_copy_name(self) -> str:
        """Not everything has an id."""
        return "" if self._main.pane.to_copy(name=True) else "Nothing here has an id to copy."

    def copy_name(self) -> None:
        self._copy(self._main.pane.to_copy(name=True))

    def _copy(self, words: str) -> None:
        copied = text.clean(words)[:MOST_COPIED]
        self._app.copy_to_clipboard(copied)
        rest = "" if len(copied) == len(words) else f" and no more: {MOST_COPIED:,} characters are the most"
        lines = copied.count("\n") + 1
        what = f"{lines} lines, “{text.cut(copied, 50)}”" if lines > 1 else f"“{text.cut(copied, 60)}”"
        self._notifications.notify(f"Copied {what}{rest}.")
