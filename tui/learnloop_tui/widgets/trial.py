"""The line under the edit form: what the typed triggers would have done."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from textual import work
from textual.widgets import Static

from learnloop_tui.view import text
from learnloop_tui.view.state import Section

Try = Callable[[Mapping[str, Any]], Awaitable[Section | None]]
"""The backtest of a lesson with these changes; None where a later question came."""


PAUSE_S = 0.15
"""So long nothing may be typed before triggers are tried."""


class Trial(Static):
    """Shows the backtest of the triggers in a form; only the last question is answered."""

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
        self.show_section(await self._try(changes))

    def show_section(self, section: Section | None) -> None:
        """Show the first facts of a backtest."""
        if section is not None:
            facts = (f"{fact.label:<13}{text.cut(fact.value, 60)}" for fact in section.facts[:4])
            self.update(text.content("\n".join(facts)))
