"""The approval of a draft that makes something due."""

import pytest
from textual.widgets import Static

from learnloop.models.lesson_check import of_due_moment
from learnloop_tui.dialogs.choice import WayScreen
from learnloop_tui.view import detail
from learnloop_tui.view.state import Detail, Verdict
from tests.tui.fake_rows import row
from tests.tui.fakes import FakeBridge, console, lesson

DUE = of_due_moment({"after": ["src/**"], "files": ["**/CHANGELOG.md"]})


@pytest.mark.parametrize(("key", "way"), [("2", "tell"), ("p", "remind")])
async def test_what_is_due_is_shown_and_the_reminder_is_recommended(key: str, way: str) -> None:
    bridge = FakeBridge(lesson(1, check=[DUE]))
    async with console(bridge) as seen:
        await seen.until(lambda: seen.rows == ["tool1 is used here"])
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, WayScreen))
        facts = str(seen.app.screen.query_one(Static).content)
        assert "After you write src/**: write CHANGELOG.md, before you are done." in facts
        await seen.press(key)
        await seen.until(lambda: bridge.verdicts == [Verdict("promote", ("l00001",), {"way": way})])


@pytest.mark.parametrize(
    ("reminds", "words"),
    [(True, "an agent is reminded at the end"), (False, "an agent is not reminded at the end")],
)
def test_the_details_say_what_is_due(reminds: bool, words: str) -> None:
    made = lesson(1, check=[DUE], reminds=reminds)
    lines = detail.layout(row(made), Detail(made, "", ""), 120, 0, explained=True)
    shown = "\n".join("".join(words for words, _ in line) for line in lines)
    assert "after you write src/**: write CHANGELOG.md" in shown
    assert words in shown
    assert "of every session" not in shown
