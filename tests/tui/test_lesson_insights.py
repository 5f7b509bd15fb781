"""What stands beside a lesson: backtest, duplicates, contradictions, proposals; merging, gates, ratings."""

from typing import Any

from learnloop.models import Usage
from learnloop_tui.bridge import lesson_insights
from learnloop_tui.dialogs.choice import WayScreen
from learnloop_tui.dialogs.choose_lesson import ContradictionScreen, MergeScreen, SideBySide
from learnloop_tui.dialogs.edit import EditScreen, Trial
from learnloop_tui.view.state import DetailLine, LessonInsights, Section
from tests.tui.fakes import FakeBridge, console, lesson

BACKTEST = Section(
    "Backtest",
    (DetailLine("fires", "at 5 of 203 calls"), DetailLine("dead", "file *.rs: nothing recorded", "warn")),
    "told",
)


def _bridge() -> FakeBridge:
    bridge = FakeBridge(lesson(1), lesson(2), lesson(3), lesson(4, status="active"))
    known = Section(
        "Already known", (DetailLine("in", "/code/shop/CLAUDE.md:12, read by every agent", "warn"),)
    )
    bridge.insights["l00001"] = LessonInsights(
        (DetailLine("cost", "2 of your last 9 tool calls"),), (known, BACKTEST), ("l00002",),
        ("l00004", "one denies it"),
    )  # fmt: skip
    return bridge


async def test_marked_lessons_are_merged_into_the_chosen_one() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await seen.press("g", "space", "space", "m")
        await seen.until(lambda: isinstance(seen.app.screen, MergeScreen))
        sides = seen.app.screen.query_one(SideBySide)
        await seen.until(lambda: "tool2 is used here" in sides.plain)
        await seen.press("right", "enter")
        await seen.until(lambda: bool(bridge.verdicts))
        verdict = bridge.verdicts[0]
        assert (verdict.action, verdict.args) == ("merge", {"keep": "l00002"})
        assert set(verdict.ids) == {"l00001", "l00002"}


async def test_of_two_that_contradict_each_other_one_goes() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await seen.press("g")
        await seen.until(lambda: bool(seen.app.main.triage.insights("l00001").contradicts))
        await seen.press("c")
        await seen.until(lambda: isinstance(seen.app.screen, ContradictionScreen))
        await seen.press("enter")
        await seen.until(lambda: bool(bridge.verdicts))
        verdict = bridge.verdicts[0]
        assert (verdict.action, verdict.ids, verdict.args) == (
            "replace",
            ("l00001", "l00004"),
            {},
        )


async def test_a_recall_is_rated() -> None:
    bridge = FakeBridge(lesson(4, status="active", usage=Usage(recalled=2)), lesson(5, status="active"))
    async with console(bridge) as seen:
        await seen.press("2", "g", "plus")
        await seen.until(lambda: len(bridge.verdicts) == 1 and not seen.app.verdicts.pending)
        await seen.press("minus")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        rated = [{"verdict": "helpful"}, {"verdict": "harmful"}]
        assert [(one.action, one.args) for one in bridge.verdicts] == [("rate", args) for args in rated]
        await seen.until(lambda: not seen.app.verdicts.pending)
        await seen.press("G", "plus")
        await seen.until(lambda: "nothing to rate" in seen.toasts)
        assert len(bridge.verdicts) == 2


async def test_one_key_stops_the_first_call_where_there_is_no_check_and_else_asks_how_it_binds() -> None:
    uses = {"statement": "Use pnpm, not npm.", "unwanted": {"commands": ["npm"]}}
    bridge = FakeBridge(lesson(4, status="active"), lesson(5, status="active", **uses))
    async with console(bridge) as seen:
        await seen.press("2", "g", "t")
        await seen.until(lambda: bridge.verdicts and not seen.app.verdicts.pending)
        await seen.press("G", "t")
        await seen.until(lambda: isinstance(seen.app.screen, WayScreen))
        await seen.press("2")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert [(one.action, one.args) for one in bridge.verdicts] == [
            ("bind", {"way": "first"}), ("bind", {"way": "remind"}),
        ]  # fmt: skip


async def test_a_proposal_is_in_the_queue_where_p_keeps_it_and_r_archives_it() -> None:
    bridge = FakeBridge(lesson(1), lesson(4, status="active"), lesson(5, status="active"))
    bridge.proposed = dict.fromkeys(("l00004", "l00005"), "usefulness 0.14 after 5 judged")
    async with console(bridge) as seen:
        await seen.until(lambda: "to look at" in seen.app.main.triage.heading())
        assert seen.rows == ["tool1 is used here", "tool4 is used here", "tool5 is used here"]
        await seen.press("j", "p")
        await seen.until(lambda: bridge.verdicts and not seen.app.verdicts.pending)
        await seen.press("G", "r")
        assert "Archive “tool5 is used here”" in str(seen.app.screen.query_one(".box").border_title)
        await seen.press("enter")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert [(one.action, one.ids) for one in bridge.verdicts] == [
            ("keep", ("l00004",)), ("archive", ("l00005",)),
        ]  # fmt: skip


async def test_triggers_are_tried_while_they_are_typed_and_the_last_answer_counts() -> None:
    bridge = _bridge()

    def tried() -> list[dict[str, Any]]:
        return [changes for _, changes in bridge.asked(lesson_insights.trial)]

    async with console(bridge) as seen:
        await seen.press("g", "e")
        await seen.until(lambda: isinstance(seen.app.screen, EditScreen))
        field = seen.app.screen.query_one("#file_patterns")
        field.focus()
        await seen.press("end", *", x.rs")
        await seen.until(lambda: "x.rs" in str(tried()[-1:]))
        trial = seen.app.screen.query_one(Trial)
        await seen.until(lambda: f"tried {len(tried())}" in str(trial.visual))
        assert tried()[-1]["triggers"]["file_patterns"] == ["*.py", "x.rs"]
        assert len(tried()) < len(", x.rs") + 2, "what is typed on is not asked for"


async def test_a_near_duplicate_is_merged_without_marks_and_an_active_one_is_kept_first() -> None:
    bridge = _bridge()
    bridge.insights["l00001"] = LessonInsights(near=("l00004",))
    async with console(bridge) as seen:
        await seen.press("g")
        await seen.until(lambda: bool(seen.app.main.triage.insights("l00001").near))
        await seen.press("m")
        await seen.until(lambda: isinstance(seen.app.screen, MergeScreen))
        await seen.press("enter")
        await seen.until(lambda: bool(bridge.verdicts))
        assert bridge.verdicts[0].args == {"keep": "l00004"}
