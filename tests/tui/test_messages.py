"""One line of messages, and what a console says and does that still reads."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.widgets._toast import Toast

from learnloop.service.health.health_report import Health
from learnloop_tui.app.app import ConsoleApp
from learnloop_tui.bridge import machine_queries
from learnloop_tui.view.state import Pulse
from tests.tui.fakes import NOW_MS, Console, FakeBridge, console, lesson
from tests.tui.slow_bridge import SlowBridge


def _foot(seen: Console) -> str:
    return seen.bar("message")


async def test_the_newest_message_is_on_the_line_and_its_repeats_are_counted() -> None:
    async with console(FakeBridge(), size=(100, 30)) as seen:
        await seen.press(*"pppppp")
        await seen.until(lambda: "Only drafts are kept, and there is none here. (×6)" in _foot(seen))
        await seen.press("Z")
        await seen.until(lambda: "There is nothing to do again." in _foot(seen))
        assert "Only drafts" not in _foot(seen)
        assert not seen.app.screen.query(Toast)
        keys, line = seen.app.main.query_one("#keys"), seen.app.main.query_one("#message")
        assert line.region.bottom == keys.region.y
        assert line.region.width == 100


async def test_a_console_that_still_reads_can_be_left() -> None:
    bridge: Any = SlowBridge(lesson(1))
    app = ConsoleApp(bridge, clock=lambda: NOW_MS)
    async with app.run_test(size=(100, 30)) as pilot:
        app.simulate_key("q")
        await Console(app, pilot).until(lambda: not app.is_running)


async def test_nothing_is_called_done_before_it_is_known_whether_hooks_report() -> None:
    bridge: Any = FakeBridge()
    known = asyncio.Event()

    async def pulse() -> Pulse:
        await known.wait()
        return Pulse(Health(), hooked=False)

    bridge.answers[machine_queries.pulse] = pulse
    app = ConsoleApp(bridge, clock=lambda: NOW_MS)
    async with app.run_test(size=(100, 30)) as pilot:
        seen = Console(app, pilot)
        await seen.until(lambda: app.main.snapshot is not None)
        assert "All done" not in seen.empty_list.plain
        known.set()
        await seen.until(lambda: app.main.pane.PLACE == "welcome")
