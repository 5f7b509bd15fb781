"""Undo asks before it reaches beyond this console, and before it writes a file."""

from datetime import datetime, timedelta

import pytest

from learnloop_tui.dialogs.confirm import ConfirmScreen
from learnloop_tui.view import fence
from learnloop_tui.view.state import Ahead
from tests.tui.fakes import FakeBridge, console, lesson
from tests.tui.person import at

NOON = datetime(2026, 11, 22, 12, 0).astimezone()


def _ms(then: datetime) -> int:
    return int(then.timestamp() * 1000)


@pytest.mark.parametrize(
    ("then", "words"),
    [
        (NOON - timedelta(minutes=5), "Undo from today 11:55:"),
        (NOON - timedelta(hours=22), "Undo from yesterday 14:00:"),
        (NOON - timedelta(days=10), "Undo from 12 Nov 12:00:"),
        (NOON - timedelta(days=365), "Undo from 22 Nov 2025 12:00:"),
    ],
)
def test_the_question_says_what_and_when(then: datetime, words: str) -> None:
    ahead = Ahead("d1", _ms(then), "console", "Rejected “Use uv”")
    assert fence.question("undo", ahead, _ms(NOON)).splitlines() == [words, "Rejected “Use uv”"]


def test_the_question_names_the_files_and_where_it_was_given() -> None:
    files = tuple(f"/home/robin/{name}.md" for name in "abcdef")
    asked = fence.question("redo", Ahead("d1", _ms(NOON), "cli", "Applied patch", files), _ms(NOON))
    assert "given with cli" in asked
    assert "/home/robin/d.md" in asked
    assert "/home/robin/e.md" not in asked
    assert asked.endswith("and 2 more files")


async def test_what_this_console_decided_is_undone_at_once_and_all_else_after_a_question() -> None:
    bridge = FakeBridge(lesson(1), lesson(2))
    async with console(bridge) as seen:
        await seen.burst("p")
        await seen.until(lambda: bridge.verdicts and not seen.app.verdicts.pending)
        bridge.ahead = bridge.ahead._replace(ms=0)
        await seen.burst("z")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await at(seen).sees("Promoted something")
        await seen.press("escape")
        assert bridge.verdicts
        bridge.ahead = bridge.ahead._replace(ms=_ms(NOON) * 2, files=("/home/robin/.claude/CLAUDE.md",))
        await seen.burst("z")
        await at(seen).sees("/home/robin/.claude/CLAUDE.md")
        await seen.press("y")
        await seen.until(lambda: not bridge.verdicts)
