"""The approval of a draft that makes something due."""

from typing import Any

import pytest
from textual.widgets import OptionList

from learnloop.models.lesson_check import of_due_moment
from learnloop_tui.dialogs.reason import ReasonScreen
from learnloop_tui.view import detail
from learnloop_tui.view.state import Detail, Verdict
from tests.tui.fake_rows import row
from tests.tui.fakes import FakeBridge, console, lesson

DUE = of_due_moment({"after": ["src/**"], "files": ["**/CHANGELOG.md"]})


@pytest.mark.parametrize(
    ("sides", "key", "args", "words"),
    [
        (
            {"check": [DUE]},
            "1",
            {"stop": True, "remind": False},
            "after you write src/**: write CHANGELOG.md",
        ),
        (
            {"check": [DUE]},
            "2",
            {"stop": True, "remind": True},
            "remind an agent once that ends before",
        ),
        (
            {"check": [DUE], "unwanted": {"commands": ["npm"]}},
            "2",
            {"stop": False, "remind": False},
            "only mention",
        ),
        (
            {"check": [DUE], "unwanted": {"commands": ["npm"]}},
            "3",
            {"stop": True, "remind": True},
            "stop npm",
        ),
    ],
)
async def test_it_says_what_is_due_and_asks_whether_to_remind(
    sides: dict[str, Any], key: str, args: dict[str, bool], words: str
) -> None:
    bridge = FakeBridge(lesson(1, **sides))
    async with console(bridge) as seen:
        await seen.until(lambda: seen.rows == ["tool1 is used here"])
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ReasonScreen))
        option = seen.app.screen.query_one(OptionList).get_option_at_index(int(key) - 1)
        assert words in str(option.prompt)
        await seen.press(key)
        await seen.until(lambda: bridge.verdicts == [Verdict("promote", ("l00001",), args)])


@pytest.mark.parametrize(("reminds", "words"), [(True, "is reminded once"), (False, "")])
def test_the_details_say_what_is_due(reminds: bool, words: str) -> None:
    made = lesson(1, check=[DUE], reminds=reminds)
    lines = detail.layout(row(made), Detail(made, "", ""), 120, 0, explained=True)
    shown = "\n".join("".join(words for words, _ in line) for line in lines)
    assert "after you write src/**: write CHANGELOG.md" in shown
    assert words in shown
    assert "of every session" not in shown
