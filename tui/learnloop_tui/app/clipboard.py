"""Small things at hand in every pane: what stands there is copied, what was said is read again."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop_tui.app import news
from learnloop_tui.app.setup import SetupFlows
from learnloop_tui.bridge import machine_queries
from learnloop_tui.view import text

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from learnloop_tui.screens.main import MainScreen

MOST_COPIED = 50_000
"""Characters that go to the clipboard: terminals drop a longer sequence silently."""
SHORTEST_MS = 20_000
"""A visit shorter than this saw nothing: the next one still tells what was new."""
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
        self.knows_news = False
        """Whether it was looked for what is new."""
        self._opened = 0

    def on_load(self) -> None:
        """The visit begins."""
        self._opened = self.clock()

    def notify(self, message: str, *, severity: SeverityLevel = "information", **options: Any) -> None:
        """Show a toast, and keep it to be read again."""
        self.messages.append(Message(self.clock(), severity, text.clean(message)))
        super().notify(message, severity=severity, **options)

    async def tell_news(self) -> None:
        """One quiet line on what is new since the last visit."""
        found = None if self.bridge.demo else await self.bridge.long(machine_queries.since_visit)
        self.knows_news = True
        if found is not None and found.is_any:
            line = news.line(found)
            self.messages.append(Message(self.clock(), "information", "".join(part for part, _ in line[0])))
            await self.main.show_news(line)

    async def end_visit(self) -> None:
        """Keep what was seen, unless there was hardly time to see it."""
        if not self.bridge.demo and self.clock() - self._opened >= SHORTEST_MS:
            await self.bridge.long(machine_queries.end_visit)

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
