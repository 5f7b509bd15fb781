"""Triage as a person does it, on a bridge without a store."""

import pytest
from textual.widgets import OptionList, Static

from learnloop.errors import Unreadable
from learnloop_tui.dialogs.bulk import BulkScreen
from learnloop_tui.dialogs.reason import ReasonScreen
from learnloop_tui.view.state import Snapshot, Verdict
from learnloop_tui.widgets.line_widgets import Bar, Page
from learnloop_tui.widgets.row_list import RowList
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
        await seen.until(lambda: "Promoted “tool1 is used here”" in seen.toasts)
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


async def test_scope_switches_between_project_and_everywhere() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("s")
        await seen.until(lambda: len(bridge.verdicts) == 1)
        await seen.press("s")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert [verdict.args["scope"] for verdict in bridge.verdicts] == ["global", "project"]


async def test_a_verdict_acts_on_all_marks() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("space", "space")
        assert "2 marked" in str(seen.list_pane.list_frame.border_subtitle)
        await seen.burst(*"ppPp")
        assert isinstance(seen.app.screen, BulkScreen)
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


async def test_escape_leaves_marks_and_lessons_as_they_are() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("asterisk", "s")
        await seen.until(lambda: isinstance(seen.app.screen, BulkScreen))
        await seen.press("escape")
        await seen.until(lambda: seen.app.screen is seen.app.main)
        assert not bridge.verdicts
        assert len(seen.app.main.triage.view.marks) == 3


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


async def test_filter_shows_what_matches_and_escape_steps_back() -> None:
    async with console(FakeBridge(*map(lesson, range(1, 30)))) as seen:
        await seen.press("slash", *"tool7")
        await seen.until(lambda: seen.rows == ["tool7 is used here"])
        await seen.press("enter")
        await seen.until(lambda: seen.row_list.has_focus)
        assert seen.rows == ["tool7 is used here"]
        await seen.press("escape")
        await seen.until(lambda: len(seen.rows) == 21)


async def test_an_empty_filter_result_says_so() -> None:
    async with console(_three()) as seen:
        await seen.press("slash", *"zz[/")
        await seen.until(lambda: "zz[/" in seen.empty_list.plain)


async def test_the_queue_opens_with_the_strongest_and_folds_the_rest() -> None:
    async with console(FakeBridge(*map(lesson, range(1, 36)))) as seen:
        assert seen.rows[19:] == ["tool20 is used here", "15 more: 7 maybe, 8 weak"]
        assert seen.app.main.triage.heading() == "Drafts 20"
        assert "Inbox 20" in seen.app.main.query_one("#panes", Bar).plain
        await seen.press("f")
        assert len(seen.rows) == 36
        await seen.press("f")
        assert len(seen.rows) == 21


async def test_once_the_open_drafts_are_decided_the_next_ones_open() -> None:
    async with console(FakeBridge(*map(lesson, range(1, 26)))) as seen:
        assert seen.rows[19:] == ["tool20 is used here", "5 more: 5 maybe"]
        await seen.press("asterisk", "r", "o")
        await seen.until(lambda: len(seen.rows) == 5)
        assert seen.rows[0] == "tool21 is used here"
        assert seen.current == "tool21 is used here"
        await seen.press("z")
        await seen.until(lambda: len(seen.rows) == 25)


async def test_enter_explains_the_draft_and_escape_goes_back() -> None:
    async with console(_three()) as seen:
        await seen.until(lambda: "told when" in seen.page)
        assert "strength because" not in seen.page
        await seen.press("enter")
        assert "strength because" in seen.page
        await seen.press("escape")
        assert "strength because" not in seen.page
        assert seen.row_list.has_focus


async def test_a_key_that_does_nothing_says_why() -> None:
    async with console(FakeBridge()) as seen:
        await seen.press("p")
        await seen.until(lambda: "Only drafts are promoted, and there is none here." in seen.toasts)
        await seen.press("f")
        await seen.until(lambda: "No draft is folded." in seen.toasts)


async def test_an_empty_queue_says_what_to_do() -> None:
    async with console(FakeBridge()) as seen:
        assert "When you correct your agent" in seen.empty_list.plain


async def test_new_drafts_do_not_move_cursor_or_marks() -> None:
    bridge = _three()
    async with console(bridge) as seen:
        await seen.press("space")
        assert seen.current == "tool2 is used here"
        bridge.lessons["l00000"] = lesson(0, statement="a new one")
        seen.app.refresh_queue.request_reload()
        await seen.until(lambda: len(seen.rows) == 4)
        assert seen.rows[0] == "a new one"
        assert seen.current == "tool2 is used here"
        assert seen.app.main.triage.view.marks == {"l00001"}
        assert seen.app.main.triage.view.fresh == {"l00000"}


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


async def test_narrow_terminals_show_the_list_over_the_details() -> None:
    async with console(_three(), size=(80, 24)) as seen:
        upper, lower = seen.app.main.triage.children
        assert (upper.region.x, upper.region.bottom) == (lower.region.x, lower.region.y)
    async with console(_three(), size=(120, 24)) as seen:
        left, right = seen.app.main.triage.children
        assert (left.region.right, left.region.y) == (right.region.x, right.region.y)


async def test_rows_and_details_say_where_a_draft_comes_from_and_whose_words_it_is() -> None:
    bridge = FakeBridge(
        lesson(1), lesson(2, source="discovery", trust="agent"),
        lesson(3, source="import:reflect", trust="external"),
    )  # fmt: skip
    async with console(bridge, size=(200, 40)) as seen:
        listed = seen.app.main.query_one("#triage RowList", RowList).plain[:3]
        for line, sign in zip(listed, "○✦⇣", strict=True):
            assert f"{sign} tool" in line
        await seen.press("j", "j", "enter")
        await seen.until(lambda: "claude-reflect's queue · words from outside" in seen.app.main.screen_text())


@pytest.mark.parametrize(
    ("keys", "way"),
    [("1", "stop"), ("2", "remind"), ("3", "tell"), ("p", "stop"), ("enter", "stop"), ("j enter", "remind")],
)
async def test_a_draft_with_a_check_shows_it_and_asks_once_how_it_binds(keys: str, way: str) -> None:
    bridge = FakeBridge(lesson(1, unwanted={"commands": ["npm"]}), lesson(2))
    async with console(bridge) as seen:
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ReasonScreen))
        shown = seen.app.screen.query_one(OptionList)
        assert "stop it (recommended)" in str(shown.get_option_at_index(0).prompt)
        facts = str(seen.app.screen.query_one(Static).content)
        assert "Never run `npm`." in facts
        assert "would have stopped 1 of your last 412 calls" in facts
        await seen.press(*keys.split())
        await seen.until(lambda: bridge.verdicts == [Verdict("promote", ("l00001",), {"way": way})])
