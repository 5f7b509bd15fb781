"""A key decides nothing on what was not on the screen when it was typed; keys that only move wait."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual import events

from learnloop.service.lessons import documents
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.screens.main_screen import MainScreen
from tests.store.small_stores import drafts
from tests.tui import person
from tests.tui.fakes import NOW_MS, Console, FakeBridge, console, lesson
from tests.tui.slow_bridge import SlowBridge

SAID = "That key came before there was anything to see: nothing was done."
DECIDING = ("p", "r", "x", "m", "a", "N", "U", "e", "s", "t", "space", "asterisk", "z", "Z", "i", "b")


def _type(app: ConsoleApp, *keys: str) -> None:
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


@asynccontextmanager
async def _loading(bridge: Any) -> AsyncIterator[Console]:
    """A console whose rows are not there yet."""
    app = ConsoleApp(bridge, clock=lambda: NOW_MS)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        yield Console(app, pilot)


async def _is_undecided(seen: Console, bridge: FakeBridge) -> None:
    await seen.until(lambda: seen.is_painted and seen.app.is_settled)
    assert not bridge.verdicts
    assert not seen.view.marks
    assert seen.app.screen is seen.app.main, "nor does a dialog wait for its answer"


async def test_keys_typed_while_the_rows_load_are_no_verdicts() -> None:
    bridge = SlowBridge(*(lesson(number) for number in range(1, 7)))
    async with _loading(bridge) as seen:
        _type(seen.app, *DECIDING, "p", "enter", "p")
        await seen.pilot.pause()
        bridge.ready.set()
        await _is_undecided(seen, bridge)
        assert SAID in seen.toasts
        await seen.press("p")
        await seen.until(lambda: [one.action for one in bridge.verdicts] == ["promote"])


async def test_keys_that_only_move_wait_for_the_rows() -> None:
    bridge = SlowBridge(lesson(1), lesson(2), lesson(3))
    async with _loading(bridge) as seen:
        _type(seen.app, "j", "j")
        await seen.pilot.pause()
        bridge.ready.set()
        await seen.until(lambda: seen.view.items and seen.current == "tool3 is used here")
        assert SAID not in seen.toasts


async def test_a_key_between_the_loading_of_rows_and_their_paint_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bridge = SlowBridge(lesson(1), lesson(2))
    show = MainScreen.show
    async with _loading(bridge) as seen:

        def show_and_type(*args: Any) -> None:
            monkeypatch.setattr(MainScreen, "show", show)  # rows that are shown again have been seen
            show(*args)
            _type(seen.app, "p")

        monkeypatch.setattr(MainScreen, "show", show_and_type)
        bridge.ready.set()
        await seen.until(lambda: SAID in seen.toasts)
        await _is_undecided(seen, bridge)


async def test_a_key_right_behind_that_of_a_pane_decides_nothing_there() -> None:
    bridge = FakeBridge(lesson(1), lesson(2, status="active"))
    async with console(bridge) as seen:
        for _ in range(2):
            await seen.press("1")
            await seen.burst("2", "x")
            assert SAID in seen.toasts
            await _is_undecided(seen, bridge)
        await seen.press("x")
        assert isinstance(seen.app.screen, ChoiceScreen)


async def test_nothing_typed_into_a_starting_console_is_decided(root: str) -> None:
    drafts(root, "always ship the {} with a label", 6)
    with person.at_terminal(root) as somebody:
        await somebody.types("p", "p", "p")
        await somebody.sees("Inbox 6", SAID)
    assert {doc["status"] for doc in documents.lessons(root).values()} == {"draft"}
