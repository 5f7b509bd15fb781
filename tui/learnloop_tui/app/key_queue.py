"""Keys in the order they were typed: each waits until all that the one before set off is done.

Textual hands keys to whatever has the focus when they arrive. In a burst (a paste, a macro, a fast hand)
the keys behind one that opens a field or a dialog would go to the list, where letters are verdicts.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from textual import events, on
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.screen import Screen

from learnloop_tui.panes.pane import HoldKeys, TypedAheadDropped

T = TypeVar("T")

MOST_PASTED = 10_000
"""Characters of a paste: no field of the console holds more, and laying out a megabyte stops everything."""
_UNSEEN = "That key came before there was anything to see: nothing was done."
_RETRY_S = 0.02
_GIVE_UP_S = 10.0
"""A fence that is not back by then was lost with a widget that went away."""


class Fence(Message, bubble=True):
    """Follows a key through the same widgets to the app; once it is there, they are done with the key."""

    def __init__(self, target: DOMNode, screen: Screen[object], typed_at: float, *, walks: int = 1) -> None:
        super().__init__()
        self.target = target
        self.screen = screen
        self.typed_at = typed_at
        self.walks = walks
        self.since = time.monotonic()

    @property
    def is_lost(self) -> bool:
        gone = not self.target.is_running or not self.target.is_attached
        return gone or time.monotonic() - self.since > _GIVE_UP_S


class SequentialKeys(App[T]):
    """An app that delivers one key or paste at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: deque[events.Key | events.Paste] = deque()
        self._fence: Fence | None = None
        self._opening = 0

    @property
    def is_settled(self) -> bool:
        """Whether every key that arrived is done with; one whose fence went with its widget is."""
        is_under_way = self._fence is not None and not self._fence.is_lost
        return not (self._typed or is_under_way or self._opening)

    def why_early(self, painted_at: float) -> str:
        """Why the key that is being answered decides nothing; empty where it came after that paint."""
        typed_at = self._fence.typed_at if self._fence is not None else time.monotonic()
        return "" if typed_at >= painted_at else _UNSEEN

    async def on_event(self, event: events.Event) -> None:
        """Put keys in line; everything else goes its way."""
        is_typed = isinstance(event, (events.Key, events.Paste))
        if is_typed and not self.screen_stack:  # the console is closing
            return
        if isinstance(event, (events.Key, events.Paste)) and not event.is_forwarded:
            self._typed.append(self._bounded(event) if isinstance(event, events.Paste) else event)
            await self._deliver()
        else:
            await super().on_event(event)

    def _bounded(self, paste: events.Paste) -> events.Paste:
        if len(paste.text) <= MOST_PASTED:
            return paste
        self.paste_was_cut(len(paste.text))
        return events.Paste(paste.text[:MOST_PASTED])

    def paste_was_cut(self, characters: int) -> None:
        """A paste of so many characters was too long."""

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Hold keys back while something reads what it needs before it opens a screen."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1
            self.call_later(self._deliver)

    @on(HoldKeys)
    def _hold_keys(self, event: HoldKeys) -> None:
        self._opening += 1
        self.run_worker(self._release_keys(event.until), group="hold-keys", exit_on_error=False)

    @on(TypedAheadDropped)
    def _drop_typed(self) -> None:
        self._typed.clear()

    async def _release_keys(self, until: asyncio.Event) -> None:
        await until.wait()
        self._opening -= 1
        await self._deliver()

    async def _deliver(self) -> None:
        """The next key, if the one before is done with; looks again later where it is not."""
        if not self.screen_stack:  # the console is closing: nobody is there to take a key
            self._typed.clear()
            return
        if self._fence is not None and self._fence.is_lost:
            self._fence = None
        if self._typed and self._fence is None and not self._opening:
            target: DOMNode = self.focused or self.screen
            typed = self._typed.popleft()
            self._fence = Fence(target, self.screen, typed.time)
            await super().on_event(typed)
            self._send(self._fence)
        if self._typed:
            self.set_timer(_RETRY_S, self._deliver)

    def _send(self, fence: Fence) -> None:
        if not fence.target.post_message(fence):
            self._fence = None

    @on(Fence)
    async def _arrived(self, fence: Fence) -> None:
        """Once more behind what the key set off, and through a screen that it opened; then the next key."""
        fence.stop()
        if fence is not self._fence:
            return
        self._fence = None
        if self.screen_stack and (fence.walks == 1 or fence.screen is not self.screen):
            target: DOMNode = self.focused or self.screen
            self._fence = Fence(target, self.screen, fence.typed_at, walks=fence.walks + 1)
            self._send(self._fence)
        await self._deliver()
