"""Finding a lesson among many: the filter language, sorting by a column, groups."""

from functools import partial

import pytest

from learnloop_tui.panes.list_pane import FilterBar
from learnloop_tui.view.state import Verdict
from learnloop_tui.widgets.line_widgets import Bar, Page
from tests.tui.fakes import Console, FakeBridge, console, lesson


def _shop() -> FakeBridge:
    return FakeBridge(
        lesson(1, kind="pattern", priority="HIGH", category="testing", seen_count=3),
        lesson(2, kind="fact", priority="LOW", category="style", project="/code/bank"),
        lesson(3, kind="pattern", priority="CRITICAL", category="testing", scope="global", project=""),
        lesson(4, kind="fact", category="style", trust="external", source="import:memory", seen_count=2),
    )


def _has(verdicts: list[Verdict], count: int) -> bool:
    return len(verdicts) == count


def _tells(hints: Bar, words: str) -> bool:
    return words in hints.plain


def _shown(seen: Console) -> list[str]:
    return [words.split()[0] for words in seen.rows]


def _subtitle(seen: Console) -> str:
    return str(seen.list_pane.list_frame.border_subtitle)


async def _type(seen: Console, words: str) -> None:
    await seen.press("slash", *words)


async def test_fields_words_and_minus_find_what_fits() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        for words, expected in (
            ("kind:pattern prio:>high", ["tool3"]), ("-kind:pattern", ["tool2", "tool4"]),
            ('"tool2 is"', ["tool2"]),
        ):  # fmt: skip
            await seen.burst("/", *words)
            assert _shown(seen) == expected, words
            await seen.burst("escape")
        assert not bridge.verdicts


async def test_tab_completes_fields_and_the_values_that_there_are() -> None:
    async with console(_shop()) as seen:
        await _type(seen, "proj")
        await seen.press("tab")
        assert seen.app.main.query_one(FilterBar).value == "project:"
        await seen.press("b", "tab")
        assert seen.app.main.query_one(FilterBar).value == "project:bank"
        assert _shown(seen) == ["tool2"]
        await seen.press("enter")
        assert "/project:bank · 1" in _subtitle(seen)


async def test_a_huge_paste_is_cut_and_the_console_goes_on() -> None:
    from textual import events

    async with console(_shop()) as seen:
        await seen.press("slash")
        seen.app.post_message(events.Paste("\x1b]0;x\x07\u202etool1 " + "tool1 " * 200_000 + "\nnext line"))
        await seen.until(lambda: seen.app.is_settled and seen.app.main.query_one(FilterBar).value)
        assert seen.app.main.query_one(FilterBar).value.isprintable()
        assert len(seen.app.main.query_one(FilterBar).value) <= 1_000
        assert _shown(seen) == []


@pytest.mark.slow
async def test_a_key_sorts_by_each_column_and_back_and_another_turns_it_round() -> None:
    async with console(_shop()) as seen:
        await seen.press("j", "o")
        assert "by lesson" in _subtitle(seen)
        await seen.press("O")
        assert _shown(seen) == ["tool4", "tool3", "tool2", "tool1"]
        assert seen.current.startswith("tool2")
        await seen.press("o", "o")
        assert "by seen" in _subtitle(seen)
        assert _shown(seen)[:2] == ["tool1", "tool4"]
        await seen.press("o")
        assert "by new" in _subtitle(seen)
        await seen.press("o")
        assert _subtitle(seen) == ""
        assert _shown(seen) == ["tool1", "tool2", "tool3", "tool4"]
        await seen.press("O")
        assert "Nothing is sorted" in seen.toasts


async def test_a_click_on_a_head_sorts_and_a_second_turns_it_round() -> None:
    async with console(_shop()) as seen:
        bar = seen.heads
        await seen.pilot.click(bar, offset=(8, 0))
        await seen.until(lambda: "lesson▲" in bar.plain)
        await seen.pilot.click(bar, offset=(8, 0))
        await seen.until(lambda: "lesson▼" in bar.plain)
        assert _shown(seen) == ["tool4", "tool3", "tool2", "tool1"]
        await seen.pilot.click(bar, offset=(8, 0))
        await seen.until(lambda: _subtitle(seen) == "")
        assert _shown(seen) == ["tool1", "tool2", "tool3", "tool4"]


async def test_groups_have_heads_that_fold_and_verdicts_pass_them_by() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        await seen.press("v")
        assert [words for words in seen.rows if "is used" not in words] == [
            "bank 1",
            "everywhere 1",
            "shop 2",
        ]
        assert "groups by project" in _subtitle(seen)
        await seen.press("v")
        assert [words for words in seen.rows if "is used" not in words] == ["style 2", "testing 2"]
        assert seen.current.startswith("tool1")
        await seen.press("g")
        assert seen.current == ""
        await seen.press("p")
        assert bridge.verdicts == []
        assert "there is none here" in seen.toasts
        await seen.press("enter")
        assert seen.rows[:2] == ["style 2", "testing 2"]
        await seen.press("asterisk", "j", "j")
        assert len(seen.view.marks) == 2
        await seen.press("v")
        assert "groups by agent" in _subtitle(seen)
        await seen.press("v")
        assert [words for words in seen.rows if "is used" not in words] == ["import 1", "prompt 3"]
        await seen.press("v")
        heads = [words for words in seen.rows if "is used" not in words]
        assert [head.split(" ")[0] for head in heads] == ["said", "no"], (
            "what one prompt said stands together"
        )
        await seen.press("v")
        assert len(seen.rows) == 4


async def test_verdicts_follow_each_other_past_the_heads_of_groups() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        await seen.press("v", "v")
        await seen.press("g", "j")
        assert [*seen.rows[:2], seen.current.split()[0]] == ["style 2", "tool2 is used here", "tool2"]
        for number in (1, 2, 3):
            await seen.press("p")
            await seen.until(partial(_has, bridge.verdicts, number))
        assert [verdict.ids[0] for verdict in bridge.verdicts] == ["l00002", "l00004", "l00001"]
        await seen.until(lambda: seen.rows == ["testing 1", "tool3 is used here"])


@pytest.mark.slow
async def test_the_hints_say_how_a_word_goes_on_what_is_wrong_and_how_many_fit() -> None:
    async with console(_shop()) as seen:
        await seen.press("slash")
        hints = seen.app.main.query_one(FilterBar).hints
        await seen.until(lambda: "? explains · status: kind: prio:" in hints.plain)
        for typed, told in (
            ("project:", "tab project:shop · bank"), ("b", "tab project:bank"),
            ("ank prio:u", "prio: knows critical, high, medium, low"),
        ):  # fmt: skip
            await seen.press(*typed)
            await seen.until(partial(_tells, hints, told))
        await seen.press("backspace", "l")
        await seen.until(lambda: "tab prio:low" in hints.plain)
        await seen.press("tab")
        await seen.until(lambda: "1 of 4" in hints.plain)
        await seen.press("enter")
        await seen.until(lambda: not hints.display)


async def test_a_question_mark_alone_explains_the_fields_of_the_pane() -> None:
    async with console(_shop()) as seen:
        await seen.press("slash", "question_mark")
        await seen.until(lambda: "prio:>=high" in seen.app.screen.query_one(Page).plain)
        assert "Drop a draft" not in seen.app.screen.query_one(Page).plain
        await seen.press("escape", "x", "question_mark")
        assert seen.app.main.query_one(FilterBar).value == "x?"


@pytest.mark.slow
async def test_keys_behind_a_question_mark_or_an_open_line_are_no_verdicts() -> None:
    bridge = _shop()
    async with console(bridge) as seen:
        await seen.burst("/", "?", "p", "p")
        await seen.burst("escape", *"r(.*)[+p\u202ep")
        assert bridge.verdicts == []
        assert seen.app.main.query_one(FilterBar).value == "r(.*)[+pp"
        assert seen.rows == []
        await seen.press("escape")
        assert len(seen.rows) == 4
