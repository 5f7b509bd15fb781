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


@pytest.mark.parametrize("key", ["e", "p"])
async def test_escape_leaves_at_once_where_nothing_was(key: str) -> None:
    async with console(FakeBridge(lesson(1, needs_words=True, statement=""))) as seen:
        await seen.burst(key)
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen | StatementScreen))
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)


async def test_the_dialog_shows_the_words_of_the_row_and_an_example() -> None:
    one = lesson(1, needs_words=True, statement="", title="", quote="you broke the refunds package")
    later = one.evidence[0].with_(quote="you broke the tokens package")
    async with console(FakeBridge(one.with_(evidence=(*one.evidence, later)))) as seen:
        await seen.burst("p")
        await at(seen).sees("❝ you broke the refunds package ❞", "as in", "Run the tests of a package")
