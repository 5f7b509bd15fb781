"""Undo asks before it reaches beyond this console, and before it writes a file."""

from datetime import datetime

from learnloop_tui.dialogs.page import ConfirmScreen
from tests.tui.fakes import FakeBridge, console, lesson
from tests.tui.person import at

NOON = datetime(2026, 11, 22, 12, 0).astimezone()


def _ms(then: datetime) -> int:
    return int(then.timestamp() * 1000)


async def test_what_this_console_decided_is_undone_at_once_and_all_else_after_a_question() -> None:
    bridge = FakeBridge(lesson(1), lesson(2))
    async with console(bridge) as seen:
        await seen.burst("p")
        await seen.until(lambda: bridge.verdicts and not seen.app.verdicts.pending)
        bridge.ahead = bridge.ahead._replace(ms=0)
        await seen.burst("z")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await at(seen).sees("Kept something")
        await seen.press("escape")
        assert bridge.verdicts
        bridge.ahead = bridge.ahead._replace(ms=_ms(NOON) * 2, files=("/home/robin/.claude/CLAUDE.md",))
        await seen.burst("z")
        await at(seen).sees("/home/robin/.claude/CLAUDE.md")
        await seen.press("y")
        await seen.until(lambda: not bridge.verdicts)
