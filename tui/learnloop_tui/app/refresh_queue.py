"""Ingest and reload, one after the other and never more often than needed."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from learnloop_tui.bridge import Bridge

PROMPT = frozenset({"prompt", "refusal", "decision", "tool_failed"})
"""Kinds of events that may change what is on the screen."""
SOON_S, LATER_S = 0.05, 10.0
"""How long events of those kinds and of others wait for company before they are ingested."""


def delay(kinds: Iterable[str]) -> float:
    """How long new events may wait: an ingest makes a segment, so a busy agent's calls are gathered."""
    return SOON_S if PROMPT.intersection(kinds) else LATER_S


@dataclass(eq=False)
class RefreshQueue:
    """Ingests once the time has come, reloads once something changed."""

    bridge: Bridge
    load: Callable[[], Awaitable[None]]
    notify_error: Callable[[Exception], None]
    _ingest_at = math.inf
    _is_reload_due = False

    def __post_init__(self) -> None:
        self._wake = asyncio.Event()

    def request_ingest(self, delay_s: float = 0.0) -> None:
        """Ingest after that time at the latest."""
        self._ingest_at = min(self._ingest_at, time.monotonic() + delay_s)
        self._wake.set()

    def request_reload(self) -> None:
        """Load as soon as possible; several requests are one load."""
        self._is_reload_due = True
        self._wake.set()

    async def run(self) -> None:
        """Serve requests for ever; a failure is reported and costs one round."""
        while True:
            await self._until_due()
            try:
                await self._round()
            except Exception as error:  # whatever the service meets, the console goes on
                self.notify_error(error)

    async def _round(self) -> None:
        if self._ingest_at <= time.monotonic():
            self._ingest_at = math.inf
            if await self.bridge.ingest():
                self._is_reload_due = True
        if self._is_reload_due:
            self._is_reload_due = False
            await self.load()

    async def _until_due(self) -> None:
        while not self._is_reload_due and (left := self._ingest_at - time.monotonic()) > 0:
            self._wake.clear()
            try:
                await asyncio.wait_for(self._wake.wait(), None if left == math.inf else left)
            except TimeoutError:
                return
