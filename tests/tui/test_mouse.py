"""Everything that a person does by mouse."""

import pytest
from textual import events
from textual.widget import Widget
from textual.widgets import OptionList

from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.dialogs.dialog import Answers
from learnloop_tui.dialogs.help import HelpScreen
from learnloop_tui.dialogs.page import BulkScreen
from learnloop_tui.widgets.line_widgets import Bar
from tests.demo_stores import DemoStores
from tests.tui.fakes import Console, FakeBridge, console, lesson


async def _click(seen: Console, bar: str, words: str) -> None:
    """A piece of one of the fixed lines."""
    line = seen.app.main.query_one(f"#{bar}", Bar)
    await seen.pilot.click(line, offset=(line.plain.index(words) + 1, 0))


def _wheel(under: Widget) -> events.MouseScrollDown:
    return events.MouseScrollDown(under, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False)


def _bridge() -> FakeBridge:
    return FakeBridge(*map(lesson, range(1, 60)), lesson(99, status="active"))


async def test_a_click_points_and_a_double_click_opens() -> None:
    async with console(_bridge()) as seen:
        await seen.pilot.click(seen.row_list, offset=(10, 3))
        await seen.until(lambda: seen.current == "tool4 is used here")
        assert seen.row_list.has_focus
        await seen.pilot.double_click(seen.row_list, offset=(10, 1))
        await seen.until(lambda: seen.current == "tool2 is used here" and seen.details.has_focus)
        await seen.until(lambda: "strength because" in seen.page)


async def test_footer_keys_pane_names_and_the_status_line_are_clicked() -> None:
    bridge = _bridge()
    async with console(bridge, size=(160, 30)) as seen:
        await _click(seen, "status", "Last capture")
        await seen.until(lambda: seen.app.main.pane.PLACE == "health")
        await _click(seen, "panes", "1 Inbox")
        await seen.until(lambda: seen.app.main.pane.PLACE == "triage")
        await _click(seen, "keys", "keep")
        await seen.until(lambda: len(bridge.verdicts) == 1)
        await _click(seen, "keys", "drop")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        listing = seen.app.screen.query_one(OptionList)
        await seen.pilot.click(listing, offset=(4, 1))
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert bridge.verdicts[1].args == {"reason": "one-off"}
        await _click(seen, "panes", "2 Lessons")
        await seen.until(lambda: seen.app.main.pane.PLACE == "lessons")


async def test_the_wheel_scrolls_what_is_under_it() -> None:
    async with console(_bridge()) as seen:
        await seen.press("f")
        await seen.until(lambda: len(seen.rows) > 40)
        seen.row_list.post_message(_wheel(seen.row_list))
        await seen.until(lambda: seen.row_list.top == 3)
        assert seen.current == "tool1 is used here", "scrolling moves no cursor"
        await seen.pilot.click(
            seen.row_list, offset=(seen.row_list.size.width - 1, seen.row_list.size.height - 1)
        )
        await seen.until(lambda: seen.row_list.top > 20)


async def test_a_preview_is_answered_and_left_by_mouse() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await seen.burst("space", "space", "p")
        assert isinstance(seen.app.screen, BulkScreen)
        await seen.pilot.click(offset=(1, 1))
        await seen.until(lambda: seen.app.screen is seen.app.main)
        assert not bridge.verdicts
        await seen.burst("p")
        answers = seen.app.screen.query_one(Answers)
        await seen.pilot.click(answers, offset=(answers.plain.index("Keep 2 lessons"), 0))
        await seen.until(lambda: len(bridge.verdicts) == 1)
        await seen.burst("?")
        assert isinstance(seen.app.screen, HelpScreen)
        await seen.pilot.click(offset=(0, 0))
        await seen.until(lambda: seen.app.screen is seen.app.main)


@pytest.mark.parametrize("place", "245")
@pytest.mark.slow
async def test_rows_of_every_pane_are_clicked(root: str, demo_stores: DemoStores, place: str) -> None:
    demo_stores.copy(root)
    second = (10, 2 if place == "5" else 1)  # the first patch has two lines
    async with console(ServiceBridge(root), size=(140, 40)) as seen:
        await seen.press(place)
        await seen.until(lambda: seen.app.main.pane is not seen.app.main.triage)
        await seen.until(lambda: seen.view.loaded and len(seen.view.items) > 1)
        rows = seen.row_list
        await seen.pilot.pause()
        await seen.pilot.click(rows, offset=second)
        await seen.until(lambda: rows.view.cursor == 1)
        assert rows.has_focus
        await seen.pilot.double_click(rows, offset=second)
        await seen.until(lambda: seen.details.has_focus)
