"""What one decides by can be read in a small terminal: whole statements, and details without scrolling."""

from functools import partial

import pytest

from learnloop_tui.bridge import ServiceBridge
from learnloop_tui.view import detail
from learnloop_tui.view.state import Detail, DetailLine, LessonInsights, Row
from tests.demo_stores import DemoStores
from tests.tui.fake_rows import row
from tests.tui.fakes import NOW_MS, Console, FakeBridge, console, lesson

SIZE = (100, 30)


@pytest.fixture
def seeded(root: str, demo_stores: DemoStores) -> str:
    """A copy of the demo."""
    demo_stores.copy(root)
    return root


async def test_at_most_three_of_the_twenty_drafts_of_the_demo_are_cut(seeded: str) -> None:
    async with console(ServiceBridge(seeded), size=SIZE) as seen:
        drafts = [item for item in seen.view.items if isinstance(item, Row)]
        width = seen.row_list.size.width - 1
        drawn = " ".join(seen.row_list.draw(line, width).text for line in range(seen.row_list.count))
        shown = " ".join(drawn.split())
        assert len(drafts) >= 20
        assert shown.count("…") <= 3


@pytest.mark.slow
async def test_all_that_one_decides_by_is_above_the_fold(seeded: str) -> None:
    async with console(ServiceBridge(seeded), size=SIZE) as seen:
        for _ in range(20):
            words = seen.current.split()[-1]
            await seen.until(partial(_is_worked_out, seen, words))
            assert "all the rest" in seen.page
            assert seen.details.count <= seen.details.page, seen.page
            await seen.press("j")


def _is_worked_out(seen: Console, words: str) -> bool:
    return words in seen.page and "cost " in seen.page and "looking …" not in seen.page


async def test_a_long_statement_takes_two_lines_and_the_cursor_is_on_both() -> None:
    long = lesson(1, statement="Use the tool that is made for this, and never the one from the old days.")
    async with console(FakeBridge(long, lesson(2)), size=SIZE) as seen:
        first, second, third = seen.row_list.plain[:3]
        assert first.startswith("▌")
        assert second.startswith("▌")
        assert "old days." in second
        assert "tool2" in third
        await seen.pilot.click(seen.row_list, offset=(10, 2))
        await seen.until(lambda: seen.current == "tool2 is used here")
        await seen.pilot.click(seen.row_list, offset=(10, 1))
        await seen.until(lambda: seen.current == long.statement)


def _page(**fields: object) -> str:
    one = lesson(1, seen_count=3, **fields)
    known = LessonInsights(
        (DetailLine("cost", "too broad, e narrows: 14 of your last 27 tool calls", "warn"),)
    )
    lines = detail.layout(row(one), Detail(one, "", ""), 60, NOW_MS, explained=False, insights=known)
    return " ".join(" ".join("".join(part for part, _ in line) for line in lines).split())


def test_the_details_are_in_the_order_in_which_one_decides() -> None:
    page = _page()
    parts = ("tool1 is used here", "❝ no, use tool1 here ❞", "said 3 times", "after the agent ran pytest -q",
             "told when before *.py is written · in shop", "cost too broad", "p keep")  # fmt: skip
    assert sorted(parts, key=page.index) == list(parts)
