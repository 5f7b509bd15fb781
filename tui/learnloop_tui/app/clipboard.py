"""Copying what the open pane shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from learnloop_tui.panes.actions import Action, needs
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.app import App

    from learnloop_tui.app.notifications import Notifications
    from learnloop_tui.screens.main_screen import MainScreen

MOST_COPIED = 50_000
"""Characters that go to the clipboard: terminals drop a longer sequence silently."""


@dataclass(eq=False)
class Clipboard:
    """Copies the words or the id of what the open pane points at."""

    app: App[str]
    main: MainScreen
    notifications: Notifications

    def action(self, *, name: bool) -> Action:
        """The command that copies the words, or with `name` the id."""
        reason = "Nothing here has an id to copy." if name else "There is nothing to copy here."

        def words() -> str:
            return self.main.pane.to_copy(name=name)

        return Action(lambda: self._copy(words()), needs(words, reason))

    def _copy(self, words: str) -> None:
        copied = text.clean(words)[:MOST_COPIED]
        self.app.copy_to_clipboard(copied)
        rest = "" if len(copied) == len(words) else f" and no more: {MOST_COPIED:,} characters are the most"
        lines = copied.count("\n") + 1
        what = f"{lines} lines, “{text.cut(copied, 50)}”" if lines > 1 else f"“{text.cut(copied, 60)}”"
        self.notifications.notify(f"Copied {what}{rest}.")
