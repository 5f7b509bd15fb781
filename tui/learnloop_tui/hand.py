"""Small things at hand in every pane: what stands there is copied, what was said is read again."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop_tui import text
from learnloop_tui.setup import SetupFlows

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from learnloop_tui.screens.main import MainScreen

MOST_COPIED = 50_000
"""Characters that go to the clipboard: terminals drop a longer sequence silently."""
_KEPT = 200
"""So many messages can be read again."""


class Message(NamedTuple):
    """Something that was said."""

    ms: int
    severity: str
    words: str


class HandFlows(SetupFlows):
    """Copies, and keeps what was said."""

    main: MainScreen

    def __init__(self) -> None:
        super().__init__()
        self.messages: deque[Message] = deque(maxlen=_KEPT)

    def notify(self, message: str, *, severity: SeverityLevel = "information", **options: Any) -> None:
        """Show a toast, and keep it to be read again."""
        self.messages.append(Message(self.clock(), severity, text.clean(message)))
        super().notify(message, severity=severity, **options)

    def do_messages(self) -> None:
        """Read again what was said."""
        from learnloop_tui.screens.messages import MessagesScreen

        self.push_screen(MessagesScreen(tuple(self.messages)))

    def why_not_copy(self) -> str:
        """Something has to stand there."""
        return "" if self.main.pane.to_copy() else "There is nothing to copy here."

    def do_copy(self) -> None:
        """What the row says."""
        self._copy(self.main.pane.to_copy())

    def why_not_copy_name(self) -> str:
        """Something has to have a name."""
        return "" if self.main.pane.to_copy(name=True) else "Nothing here has an id to copy."

    def do_copy_name(self) -> None:
        """How it is called elsewhere."""
        self._copy(self.main.pane.to_copy(name=True))

    def _copy(self, wanted: str) -> None:
        copied = text.clean(wanted)[:MOST_COPIED]
        self.copy_to_clipboard(copied)
        rest = "" if len(copied) == len(wanted) else f" and no more: {MOST_COPIED:,} characters are the most"
        many = copied.count("\n") + 1
        told = f"{many} lines, “{text.cut(copied, 50)}”" if many > 1 else f"“{text.cut(copied, 60)}”"
        self.say(f"Copied {told}{rest}.")
