"""The palette: one line in which commands, lessons and sessions are found."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from textual import on
from textual.command import CommandPalette
from textual.widgets import Input
from textual.worker import WorkerError

from learnloop_tui.screens import providers

_PATIENCE_S = 5.0
_LONGEST = 1_000
_SHOWN = r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]*"
"""No control characters, and none that turn the direction of writing."""


class Palette(CommandPalette):
    """Finds what is typed; enter runs the command, or opens the lesson or the session."""

    DEFAULT_CSS = """
    Palette SearchIcon { display: none; }
    Palette #--input { padding-left: 1; }
    Palette CommandList > .option-list--option,
    Palette CommandList > .option-list--option-highlighted { text-style: none; }
    """

    def __init__(self) -> None:
        super().__init__(
            providers=providers.ALL, placeholder="A command, a lesson, a session …", id="--command-palette"
        )

    def on_mount(self) -> None:
        """Nothing that steers a terminal, and no more than a person types."""
        field = self.query_one(Input)
        field.max_length, field.restrict = _LONGEST, _SHOWN

    @on(providers.NamesArrived)
    def _search_again(self) -> None:
        """Search again for what is typed: there is more to find now."""
        if typed := self.query_one(Input).value.strip():
            self._gather_commands(typed)

    @on(Input.Submitted)
    async def _find_first(self) -> None:
        """Enter means what was typed, not what was found for the letters before: wait until it is found."""
        searches = [
            worker
            for worker in self.workers
            if worker.node is self and worker.group == self._GATHER_COMMANDS_GROUP and not worker.is_finished
        ]
        with suppress(WorkerError, TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                for worker in searches:
                    await worker.wait()
