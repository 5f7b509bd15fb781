"""The lines under the edit form: what the triggers in it would have done."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from textual import work
from textual.widgets import Static

from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from learnloop_tui.view.state import Section

    Try = Callable[[Mapping[str, Any]], Awaitable[Section | None]]
    """What a lesson with these changes would have done; None where a later question came."""

PAUSE_S = 0.15
"""So long nothing may be typed before triggers are tried."""


class Trial(Static):
    """Says what the triggers that stand in a form would have done; only the last question is answered."""

    DEFAULT_CSS = """
    Trial { height: auto; min-height: 2; color: $foreground 70%; margin-top: 1; }
    """

    def __init__(self, try_: Try) -> None:
        super().__init__(text.content(""), id="trial")
        self._try = try_

    @work(group="trial", exclusive=True, exit_on_error=False)
    async def ask(self, changes: Mapping[str, Any]) -> None:
        """Try a lesson with these changes, once nothing more is typed."""
        await asyncio.sleep(PAUSE_S)
        self.tell(await self._try(changes))

    def tell(self, found: Section | None) -> None:
        """Show what came of it."""
        if found is not None:
            said = "\n".join(f"{fact.label:<13}{text.cut(fact.value, 56)}" for fact in found.facts[:4])
            self.update(text.content(said))
