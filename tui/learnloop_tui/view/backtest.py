"""The backtest of a lesson as a section of its details. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view.state import Fact, Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.service.recall.backtest import Backtest

_SHOWN = 10
_SESSIONS = 3


def section(backtest: Backtest, summary: str) -> Section:
    """The section of the details about a backtest."""
    return Section("Backtest", tuple(_facts(backtest, summary)), tuple(_scores(backtest)), "told")


def _facts(backtest: Backtest, summary: str) -> Iterator[Fact]:
    yield Fact("fires", summary, "text" if backtest.fired else "warn")
    if backtest.led:
        look = "good" if backtest.led_fired else "warn"
        turns = "turn" if backtest.led == 1 else "turns"
        count = f"in {backtest.led_fired} of {backtest.led} {turns} that led to the correction"
        yield Fact("led to it", count, look)
    for dead in backtest.dead:
        nothing = "no file of the repository" if dead.where == "repository" else "nothing recorded"
        yield Fact("dead", f"{dead.kind} {dead.trigger}: {nothing}", "warn")
    for session in backtest.sessions[:_SESSIONS]:
        place = session.project.rstrip("/").rpartition("/")[2]
        yield Fact("session", f"{session.session_id[:8]} {place}, {session.fired}×", "muted")
    if backtest.session_count > _SESSIONS:
        yield Fact("", f"and {backtest.session_count - _SESSIONS:,} more sessions", "muted")
    if backtest.repository:
        yield Fact("files", f"not looked at: {backtest.repository}", "muted")


def _scores(backtest: Backtest) -> Iterator[Fact]:
    for index, shot in enumerate(backtest.first[:_SHOWN]):
        parts = f"{shot.tool} tool + {shot.target} target + {shot.action} action + {shot.context} context"
        score = f"{shot.final} = ({parts}) × {shot.multiplier / 100:g}, from {shot.threshold} on"
        what = shot.what.replace(f"{shot.project}/", "") if shot.project else shot.what
        yield Fact("first" if index == 0 else "", what or shot.moment, "text")
        yield Fact("", f"{score}; {shot.why}", "muted")
