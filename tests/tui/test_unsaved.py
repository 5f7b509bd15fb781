"""What was typed into a dialog is not dropped unasked."""

from learnloop_tui.dialogs.edit import EditScreen
from learnloop_tui.dialogs.sentence_screen import StatementScreen
from tests.tui.fakes import FakeBridge, console, lesson
from tests.tui.person import at


async def test_escape_asks_once_where_something_was_typed() -> None:
    async with console(FakeBridge(lesson(1, needs_words=True, statement=""))) as seen:
        for key, dialog in (("e", EditScreen), ("p", StatementScreen)):
            await seen.burst(key)
            assert isinstance(seen.app.screen, dialog)
            await seen.burst(*"Use it")
            await seen.press("escape")
            await at(seen).sees("esc again drops what you typed")
            await seen.press("escape")
            await seen.until(lambda: seen.app.screen is seen.app.main)
