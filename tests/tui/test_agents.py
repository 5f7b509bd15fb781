"""The agents' pane on a bridge without a store: sorting, splitting, filtering, the prompts behind."""

from typing import Any

import pytest

from learnloop.learn.profile import agent_tallies as figures
from learnloop.models import AgentPerformance, Feedback, Turn
from learnloop.models.agent import AgentWeek, FailurePattern
from learnloop.service.profile import judged_turns
from learnloop.service.profile.judged_turns import JudgedTurn
from learnloop_tui.panes.agents import AgentsPane
from learnloop_tui.panes.list_pane import FilterBar
from learnloop_tui.view import agent_lines, agent_state
from tests.tui.fakes import Console, FakeBridge, console, lesson


def _agent(name: str, good: int = 0, revised: int = 0, cancelled: int = 0, **fields: Any) -> AgentPerformance:
    judged = good + revised + cancelled
    made = {
        "agent_name": name, "project": "/code/shop", "host": "claude", "total_invocations": judged + 3,
        "success_count": good, "revision_count": revised, "cancellation_count": cancelled,
        "turns": judged + 3, "praised_count": good, "corrected_rate": revised / (judged + 3),
        "corrected_interval": figures.wilson(revised, judged + 3), "last_updated": "2023-11-14T22:00:00.000Z",
        "series": (AgentWeek(week="2023-11-06", invocations=2), AgentWeek(week="2023-11-13", invocations=8)),
    }  # fmt: skip
    return AgentPerformance.model_validate({**made, **fields})


def _judged(outcome: str, said: str) -> JudgedTurn:
    turn = Turn.model_validate({
        "id": "t1", "session_id": "s1", "host": "claude", "project": "/code/shop",
        "started": "2023-11-14T22:00:00.000Z", "origin": "human", "prompt": "build [red]the[/red] page",
        "end": "done", "outcome": outcome,
    })  # fmt: skip
    feedback = Feedback.model_validate({
        "id": "f1", "timestamp": "2023-11-14T22:01:00.000Z", "session_id": "s1", "turn_id": "t1",
        "project_path": "/code/shop", "event_type": outcome, "feedback_category": "correction",
        "confidence": 0.8, "reason": "opens with a contradiction", "user_message": said,
    })  # fmt: skip
    return JudgedTurn(turn, feedback)


def _bridge() -> FakeBridge:
    bridge = FakeBridge(lesson(1))
    theme = FailurePattern(pattern="pnpm is used instead of npm.", count=3, examples=("no, use pnpm",))
    bridge.figures = [
        _agent("main", 9, 3, 1),
        _agent("reviewer", 1, 2, failure_patterns=(theme,), weak_areas=()),
        _agent("../\x1b[31mevil", 0, 11),
    ]
    bridge.turns = [_judged("revision", "no, \x1b[2Juse pnpm"), _judged("success", "great, thanks")]
    return bridge


async def _open(seen: Console) -> AgentsPane:
    pane = await seen.open(AgentsPane)
    await seen.until(lambda: pane.view.loaded)
    return pane


def _names(pane: AgentsPane) -> list[str]:
    return [item.figures.agent_name for item in pane.view.items]


@pytest.mark.slow
async def test_the_table_sorts_by_every_column_by_key() -> None:
    async with console(_bridge()) as seen:
        pane = await _open(seen)
        assert _names(pane)[0] == "main"
        for _ in agent_state.COLUMNS:
            values = [agent_state.sort_key(pane.view.column, item) for item in pane.view.items]
            assert values == sorted(values, reverse=pane.view.down)
            await seen.press("O")
            turned = [agent_state.sort_key(pane.view.column, item) for item in pane.view.items]
            assert turned == values[::-1]
            await seen.press("o")
        assert pane.view.column == "runs"


async def test_a_click_on_a_head_sorts_and_again_turns_round() -> None:
    async with console(_bridge()) as seen:
        pane = await _open(seen)
        width = seen.heads.size.width - 1
        at = next(x for x in range(width) if agent_lines.column_at(x, width) == "corrected")
        await seen.pilot.click(seen.heads, offset=(at, 0))
        await seen.until(lambda: pane.view.column == "corrected")
        assert _names(pane) == ["../\x1b[31mevil", "main", "reviewer"]
        await seen.pilot.click(seen.heads, offset=(at, 0))
        await seen.until(lambda: not pane.view.down)
        assert _names(pane) == ["reviewer", "main", "../\x1b[31mevil"]


async def test_an_agent_is_filtered_split_and_looked_behind() -> None:
    bridge = _bridge()
    async with console(bridge) as seen:
        pane = await _open(seen)
        await seen.press("v")
        await seen.until(lambda: pane.view.split)
        assert {item.figures.project for item in pane.view.items} == {"/code/shop"}
        await seen.press("v")
        await seen.until(lambda: not pane.view.split)
        await seen.press("slash", *"pnpm")
        await seen.until(lambda: _names(pane) == ["reviewer"])
        await seen.press("enter", "escape")
        await seen.until(lambda: len(pane.view.items) == 3)
        await seen.press("g", "enter")
        await seen.until(lambda: "build [red]the[/red] page" in pane.plain)
        assert "main: corrected" in pane.plain
        assert "correction 0.80: opens with a contradiction" in pane.plain
        assert "\x1b" not in pane.plain
        await seen.press("f", "f")
        await seen.until(lambda: "great, thanks" in pane.plain and "main: praised" in pane.plain)
        assert ("main", "success", None, None) in bridge.asked(judged_turns.turns_behind)
        await seen.press("escape")
        await seen.until(lambda: "corrected in 3 of 16 turns" in pane.plain)


async def test_a_share_is_shown_with_its_interval() -> None:
    async with console(_bridge()) as seen:
        pane = await _open(seen)
        await seen.until(
            lambda: (
                "corrected in 3 of 16 turns; with 95 % confidence 7% to 43%" in pane.plain.replace("\n ", " ")
            )
        )
        rows = seen.row_list.plain
        assert "19%" in rows[0]
        assert set("├●┤") <= set(rows[0])
        assert "▂▇" in rows[0]
        assert "too few" in next(row for row in rows if "reviewer" in row)
        assert not any("\x1b" in row for row in rows)


async def test_a_page_leads_with_what_was_corrected_most() -> None:
    async with console(_bridge(), size=(140, 40)) as seen:
        pane = await _open(seen)
        await seen.until(lambda: "You have not corrected it on the same thing twice." in pane.plain)
        await seen.press("down", "down")
        await seen.until(lambda: "reviewer" in pane.plain.splitlines()[0])
        places = [
            pane.plain.index(words) for words in ("Corrected most", "3× pnpm", "❝ no, use pnpm", "2 of 6")
        ]
        assert places == sorted(places)
        assert "3 nothing said" in " ".join(pane.plain.split())


@pytest.mark.slow
async def test_the_filter_knows_figures_and_says_what_it_does_not_know() -> None:
    async with console(_bridge()) as seen:
        pane = await _open(seen)
        every = _names(pane)
        await seen.press("slash", *"agent:rev")
        await seen.until(lambda: _names(pane) == ["reviewer"])
        await seen.press("escape", "slash", *"runs:>100000")
        await seen.until(lambda: _names(pane) == [])
        await seen.press("escape", "slash", *"is:new")
        hints = seen.app.main.query_one(FilterBar).hints
        await seen.until(lambda: "is: knows enough, few" in hints.plain)
        assert _names(pane) == every
