"""The backtest as lines, and the line under the edit form that follows what is typed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from textual import work
from textual.widgets import Static

from learnloop_tui.view import text
from learnloop_tui.view.state import Fact, Section

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from learnloop.service.recall.backtest import Backtest

    Try = Callable[[Mapping[str, Any]], Awaitable[Section | None]]
    """What a lesson with these changes would have done; None where a later question came."""

PAUSE_S = 0.15
"""So long nothing may be typed before triggers are tried."""
_SHOWN = 10
_SESSIONS = 3


def section(found: Backtest, summary: str) -> Section:
    """What the details say of a backtest."""
    return Section("Backtest", tuple(_facts(found, summary)), tuple(_parts(found)), "told")


def _facts(found: Backtest, summary: str) -> Iterator[Fact]:
    yield Fact("fires", summary, "text" if found.fired else "warn")
    if found.led:
        look = "good" if found.led_fired else "warn"
        turns = "turn" if found.led == 1 else "turns"
        yield Fact(
            "led to it", f"in {found.led_fired} of {found.led} {turns} that led to the correction", look
        )
    for dead in found.dead:
        nothing = "no file of the repository" if dead.where == "repository" else "nothing recorded"
        yield Fact("dead", f"{dead.kind} {dead.trigger}: {nothing}", "warn")
    for one in found.sessions[:_SESSIONS]:
        place = one.project.rstrip("/").rpartition("/")[2]
        yield Fact("session", f"{one.session_id[:8]} {place}, {one.fired}×", "muted")
    if found.session_count > _SESSIONS:
        yield Fact("", f"and {found.session_count - _SESSIONS:,} more sessions", "muted")
    if found.repository:
        yield Fact("files", f"not looked at: {found.repository}", "muted")


def _parts(found: Backtest) -> Iterator[Fact]:
    """The first ten, with every part of their scores."""
    for at, shot in enumerate(found.first[:_SHOWN]):
        parts = f"{shot.tool} tool + {shot.target} target + {shot.action} action + {shot.context} context"
        score = f"{shot.final} = ({parts}) × {shot.multiplier / 100:g}, from {shot.threshold} on"
        what = shot.what.replace(f"{shot.project}/", "") if shot.project else shot.what
        yield Fact("first" if at == 0 else "", what or shot.moment, "text")
        yield Fact("", f"{score}; {shot.why}", "muted")


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
