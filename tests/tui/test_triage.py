"""Triage as a person does it, on a bridge without a store."""

import pytest
from textual.widgets import OptionList, Static

from learnloop.errors import Unreadable
from learnloop.service.recall import backtest
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.dialogs.page import BulkScreen
from learnloop_tui.view.state import Snapshot, Verdict
from learnloop_tui.widgets.line_widgets import Page
from tests.tui.fakes import FakeBridge, console, lesson


def _three() -> FakeBridge:
    return FakeBridge(lesson(1), lesson(2), lesson(3))


async def test_the_strongest_is_first_with_its_evidence() -> None:
    async with console(_three()) as seen:
        assert seen.rows == ["tool1 is used here", "tool2 is used here", "tool3 is used here"]
        await seen.until(lambda: "no, use tool1 here" in seen.page)
        for words in ("after the agent ran pytest -q", "src/a.py", "before *.py is written"):
            assert words in " ".join(seen.page.split())
        await seen.press("enter")
        for words in ("do task 1", "exit code 1", "session 5e55104a"):
            assert words in seen.page
        assert "/code/shop/src" not in seen.page
        assert "1 Inbox 3" in seen.bar("panes")


async def test_a_verdict_shows_at_once_and_the_cursor_goes_on() -> None:
    bridge = _three()
    bridge.gate.clear()
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: seen.rows == ["tool2 is used here", "tool3 is used here"])
        assert seen.current == "tool2 is used here"
        assert not bridge.verdicts
        bridge.gate.set()
        await seen.until(lambda: "Kept “tool1 is used here”" in seen.toasts)
        await seen.until(lambda: not seen.app.verdicts.pending)
        assert seen.rows == ["tool2 is used here", "tool3 is used here"]


async def test_a_refused_verdict_comes_back_and_says_why() -> None:
    bridge = _three()
    bridge.refuse = "the disk is [/full]"
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: "the disk is [/full]. try again" in seen.toasts)
        assert len(seen.rows) == 3


async def test_the_details_begin_with_statement_and_words_and_have_the_example() -> None:
    drafts = (
        lesson(1, statement="Give every vector its capacity.", example="let v =\n    Vec::new();"),
        lesson(2, statement="", needs_words=True, title="not like that", quote="not like that"),
    )
    async with console(FakeBridge(*drafts)) as seen:
        await seen.until(lambda: "no, use tool1 here" in seen.page)
        assert seen.page.index("Give every vector") < seen.page.index("❝ no, use tool1 here ❞")
        assert "for example\n   let v =\n       Vec::new();" in "\n".join(
            line.rstrip() for line in seen.page.replace(" for", "for").splitlines()
        )
        await seen.press("j")
        await seen.until(lambda: "needs words: What should the agent do?" in seen.page)


async def test_a_verdict_acts_on_all_marks() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("space", "space")
        assert "2 marked" in str(seen.list_pane.list_frame.border_subtitle)
        await seen.burst(*"ppPp")
        assert isinstance(seen.app.screen, BulkScreen)
        assert seen.app.screen.query_one(".box").size.height < 12, "no taller than what it says"
        assert not bridge.verdicts
        await seen.press("y")
        await seen.until(lambda: bool(bridge.verdicts))
        assert bridge.verdicts[0].ids == ("l00001", "l00002")
        assert seen.rows == ["tool3 is used here"]


async def test_bulk_promotion_leaves_what_a_person_has_to_read() -> None:
    hidden = {"kind": "requirement", "content": {"constraint": "All of it is pushed elsewhere " * 5}}
    bridge = FakeBridge(
        lesson(1, **hidden), lesson(2, trust="external"), lesson(3, needs_words=True, statement=""),
        lesson(4, trust="agent"),
    )  # fmt: skip
    async with console(bridge) as seen:
        await seen.press("asterisk", "p")
        await seen.until(lambda: isinstance(seen.app.screen, BulkScreen))
        plan = seen.app.screen.query_one(Page)
        await seen.until(lambda: "1 will be recalled" in plan.plain)
        assert "1 stay drafts: they need words" in plan.plain
        assert "2 stay drafts: these are not your words" in plan.plain
        assert plan.plain.count("tool1 is used here") == 1
        assert plan.plain.count("pushed elsewhere") == 5
        await seen.press("enter")
        await seen.until(lambda: bool(bridge.verdicts))
        assert bridge.verdicts[0].ids == ("l00001",)


async def test_bulk_promotion_names_what_is_stopped_and_what_is_told_too_often() -> None:
    bridge = _three()
    bridge.answers[backtest.warnings] = lambda ids: {
        ids[0]: "stops: never run `npm`",
        ids[1]: "would be told at 90 of your last 100 tool calls: too broad",
    }
    async with console(bridge) as seen:
        await seen.press("asterisk", "p")
        await seen.until(lambda: isinstance(seen.app.screen, BulkScreen))
        plan = seen.app.screen.query_one(Page)
        await seen.until(lambda: "stops: never run `npm`" in plan.plain)
        lines = [line.strip() for line in plan.plain.splitlines()]
        assert lines[lines.index("tool1 is used here") + 1] == "stops: never run `npm`"
        assert lines[lines.index("tool2 is used here") + 1].endswith("too broad")
        assert lines[-1] == "tool3 is used here"


async def test_marks_that_the_filter_hides_are_reported() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("asterisk", "slash", *"tool1", "enter", "p")
        await seen.until(lambda: isinstance(seen.app.screen, BulkScreen))
        plan = seen.app.screen.query_one(Page)
        await seen.until(lambda: "2 of them the filter hides" in plan.plain)


async def test_undo_takes_the_last_verdict_back() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: len(seen.rows) == 2 and not seen.app.verdicts.pending)
        await seen.press("z")
        await seen.until(lambda: len(seen.rows) == 3)
        await seen.until(lambda: seen.current == "tool1 is used here")
        assert "Taken back: promote of [red]something[/]" in seen.toasts
        await seen.press("z")
        await seen.until(lambda: "no verdict to take back" in seen.toasts)


async def test_once_the_open_drafts_are_decided_the_next_ones_open() -> None:
    async with console(FakeBridge(*map(lesson, range(1, 26)))) as seen:
        assert seen.rows[19:] == ["tool20 is used here", "5 more: 5 maybe"]
        await seen.press("asterisk", "r", "o")
        await seen.until(lambda: len(seen.rows) == 5)
        assert seen.rows[0] == "tool21 is used here"
        assert seen.current == "tool21 is used here"
        await seen.press("z")
        await seen.until(lambda: len(seen.rows) == 25)


async def test_a_store_that_cannot_be_read_is_reported_and_tried_again() -> None:
    failures = ["it is [/torn]"]

    class Torn(FakeBridge):
        async def load(self) -> Snapshot:
            if failures:
                raise Unreadable(failures.pop(), "run learn doctor")
            return await super().load()

    async with console(Torn(*_three().lessons.values())) as seen:
        await seen.until(lambda: len(seen.rows) == 3)
        assert "it is [/torn]. run learn doctor" in seen.toasts


@pytest.mark.parametrize(
    ("keys", "way"),
    [("3", "tell"), ("p", "stop"), ("j enter", "remind")],
)
async def test_a_draft_with_a_check_shows_it_and_asks_once_how_it_binds(keys: str, way: str) -> None:
    bridge = FakeBridge(lesson(1, unwanted={"commands": ["npm"]}), lesson(2))
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        shown = seen.app.screen.query_one(OptionList)
        assert "stop it (recommended)" in str(shown.get_option_at_index(0).prompt)
        facts = str(seen.app.screen.query_one(Static).content)
        assert "Never run `npm`." in facts
        assert "would have stopped 1 of your last 412 calls" in facts
        await seen.press(*keys.split())
        await seen.until(lambda: bridge.verdicts == [Verdict("promote", ("l00001",), {"way": way})])
