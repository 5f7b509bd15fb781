"""Small things at hand: copying, messages read again, keys that stay alive where a list runs empty."""

import base64

import pytest

from learnloop_tui.app.app import MOST_COPIED
from learnloop_tui.dialogs.page import MessagesScreen
from learnloop_tui.widgets.line_widgets import Page
from tests.tui.fakes import Console, FakeBridge, console, lesson


def _clipboard(seen: Console) -> str:
    return seen.app.clipboard


async def test_the_statement_and_the_id_are_copied_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    async with console(FakeBridge(lesson(1), lesson(2))) as seen:
        written: list[str] = []
        driver = seen.app._driver
        assert driver is not None
        monkeypatch.setattr(driver, "write", written.append)
        await seen.press("y")
        assert _clipboard(seen) == "tool1 is used here"
        assert f"\x1b]52;c;{base64.b64encode(b'tool1 is used here').decode()}\a" in written
        assert "Copied “tool1 is used here”." in seen.toasts
        await seen.press("Y")
        assert _clipboard(seen) == "l00001"
        await seen.press("asterisk", "y")
        assert _clipboard(seen) == "tool1 is used here\ntool2 is used here"
        assert "Copied 2 lines" in seen.toasts


@pytest.mark.slow
async def test_what_is_copied_carries_nothing_that_steers_a_terminal_and_is_bounded() -> None:
    hostile = "no \x1b[31m[/x]\u202e\x07" + "long " * 20_000
    async with console(FakeBridge(lesson(1, needs_words=True, statement="", quote=hostile))) as seen:
        await seen.press("y")
        copied = _clipboard(seen)
        assert not {"\x1b", "\x07", "\u202e"} & set(copied)
        assert "[/x]" in copied
        assert len(copied) == MOST_COPIED
        assert "50,000 characters are the most" in seen.toasts


async def test_messages_are_read_again_newest_first_and_whole() -> None:
    bridge = FakeBridge(lesson(1), lesson(2))
    async with console(bridge) as seen:
        seen.app.notifications.notify("the first [/x] \x1b[31mone", "error")
        seen.app.notifications.notify("much to say " * 15, "warning")
        await seen.press("exclamation_mark")
        await seen.until(lambda: isinstance(seen.app.screen, MessagesScreen))
        page = seen.app.screen.query_one(Page)
        await seen.until(lambda: "the first [/x]" in page.plain)
        assert page.plain.index("much to say") < page.plain.index("the first")
        assert " ".join(page.plain.split()).count("much to say") == 15
        assert "\x1b" not in page.plain
        await seen.press("exclamation_mark")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        for number in range(500):
            seen.app.notifications.notify(f"message {number}")
        assert len(seen.app.notifications.messages) == 200


async def test_keys_stay_alive_when_the_last_draft_is_gone() -> None:
    bridge = FakeBridge(lesson(1))
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: not seen.rows and not seen.app.verdicts.pending)
        await seen.press("r")
        await seen.until(lambda: "there is none here" in seen.toasts)
        for key, place in (
            ("2", "lessons"),
            ("3", "sessions"),
            ("4", "agents"),
            ("6", "health"),
            ("1", "triage"),
        ):
            await seen.burst(key)
            assert place == seen.app.main.pane.PLACE
        await seen.press("z")
        await seen.until(lambda: seen.rows == ["tool1 is used here"])
        await seen.until(lambda: seen.row_list.has_focus)
        await seen.burst("r", "w")
        await seen.until(lambda: not seen.rows and not seen.app.verdicts.pending)
        await seen.press("z")
        await seen.until(lambda: seen.rows == ["tool1 is used here"])
