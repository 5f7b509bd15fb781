"""The lessons pane, on a bridge without a store."""

from learnloop.models import Usage
from learnloop_tui.bridge import lesson_queries
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.panes.lessons import LessonsPane
from tests.tui.fakes import Console, FakeBridge, console, lesson


def _bridge() -> FakeBridge:
    told = Usage(
        recalled=7, told_sessions=6, heeded=3, ignored=1, helpful=2, recurred=1,
        last_recalled="2023-11-14T22:00:00.000Z",
    )  # fmt: skip
    return FakeBridge(
        lesson(1), lesson(2, status="active", usage=told), lesson(3, status="active", paused=True),
        lesson(4, status="archived", archived_reason="unused"),
        lesson(5, status="rejected", rejection_reason="only [/once]"),
    )  # fmt: skip


async def _open(seen: Console) -> LessonsPane:
    pane = await seen.open(LessonsPane)
    await seen.until(lambda: seen.rows)
    return pane


async def test_what_was_decided_is_in_the_list_with_its_state_or_effect() -> None:
    async with console(_bridge()) as seen:
        await _open(seen)
        assert [name[4] for name in seen.rows] == ["2", "3", "4", "5"]
        drawn = seen.row_list.plain
        assert [line.split()[1 if line.startswith("▌") else 0] for line in drawn[:4]] == [
            "●", "‖", "▪", "✗",
        ]  # fmt: skip
        assert "worked 5 of 6" in drawn[0]
        assert [line.split()[-1] for line in drawn[1:4]] == ["paused", "archived", "rejected"]


async def test_the_views_of_the_pane_are_turned_through_but_for_empty_ones() -> None:
    bridge = _bridge()
    bridge.answers[lesson_queries.places] = lambda: (frozenset({"l00003"}), True)
    async with console(bridge, size=(150, 30)) as seen:
        pane = await _open(seen)
        await seen.until(lambda: pane.has_view("testing"))
        names = []
        for _ in range(6):
            await seen.press("f")
            names.append(seen.app.main.pane.shown_view)
            await seen.until(lambda: f"[{names[-1]}" in seen.title or f"· {names[-1]}" in seen.title)
            assert seen.bar("panes").count("Lessons 2") == 1
        assert names == ["worked", "in files", "testing", "yours", "retired", "all"]
        await seen.press("F")
        assert (pane.shown_view, len(seen.rows)) == ("retired", 2)
        assert "[retired 2]  all 4  worked 1  in files 1  testing  yours" in seen.title
        await seen.press("7")
        assert "Health is 6" in seen.toasts


async def test_details_show_use_and_why_it_was_turned_down() -> None:
    async with console(_bridge()) as seen:
        await _open(seen)
        await seen.press("enter")
        await seen.until(lambda: "last told" in seen.page)
        assert "told 6× · heeded 3 · ignored 1 · open 2 · rated helpful 2" in " ".join(seen.page.split())
        assert "came back once" in seen.page
        await seen.press("escape", "j", "j", "j", "enter")
        await seen.until(lambda: "only [/once]" in seen.page)


async def test_archive_asks_why_and_restore_brings_back() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await _open(seen)
        await seen.press("x")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        await seen.press("2")
        await seen.until(lambda: len(bridge.verdicts) == 1)
        assert (bridge.verdicts[0].action, dict(bridge.verdicts[0].args)) == (
            "archive",
            {"reason": "superseded"},
        )
        await seen.until(lambda: not seen.app.verdicts.pending)
        assert seen.current == "tool3 is used here"
        await seen.press("k", "R")
        await seen.until(lambda: len(bridge.verdicts) == 2)
        assert bridge.lessons["l00002"].status == "active"


async def test_pause_and_go_on() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        await _open(seen)
        await seen.press("P")
        await seen.until(lambda: bridge.lessons["l00002"].paused)
        await seen.until(lambda: not seen.app.verdicts.pending)
        await seen.press("P")
        await seen.until(lambda: not bridge.lessons["l00002"].paused)
