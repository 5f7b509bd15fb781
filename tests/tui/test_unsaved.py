"""What was typed into a dialog is not dropped unasked."""

import pytest

from learnloop_tui.dialogs.edit import EditScreen
from learnloop_tui.dialogs.sentence_screen import StatementScreen
from tests.tui.fakes import FakeBridge, console, lesson
from tests.tui.person import at


@pytest.mark.parametrize("key", ["e", "p"])
async def test_escape_asks_once_where_something_was_typed(key: str) -> None:
    async with console(FakeBridge(lesson(1, needs_words=True, statement=""))) as seen:
        await seen.burst(key)
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen | StatementScreen))
        await seen.burst(*"Use it")
        await seen.press("escape")
        await at(seen).sees("esc again drops what you typed")
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
