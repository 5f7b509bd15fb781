"""The experiments' pane and the key that holds a lesson out, on a real store."""

from functools import partial

import pytest
from textual.widgets import OptionList

from learnloop.service.experiments import reports
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop_tui.bridge import ServiceBridge, experiment_queries
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.dialogs.page import ConfirmScreen
from learnloop_tui.panes.experiment_list import ExperimentsPane
from learnloop_tui.panes.lessons import LessonsPane
from learnloop_tui.panes.triage import TriagePane
from learnloop_tui.view import list_view
from learnloop_tui.view.experiment_state import ExperimentsView
from tests.ingest.session_scene import Scene
from tests.ingest.told_lessons import PROJECT, add, take
from tests.service.experiments.measured import HELD, PNPM, TOLD, held_out, sessions
from tests.tui.fakes import Console, console


async def _open(seen: Console) -> ExperimentsPane:
    pane = await seen.open(ExperimentsPane)
    await seen.until(lambda: pane.view.loaded)
    return pane


def _shows(pane: ExperimentsPane, state: str) -> bool:
    return pane.view.items[0].state == state


def _state(ws: Workspace) -> str:
    return reports.reports(ws)[0].experiment.state


@pytest.fixture
def lesson_id(ws: Workspace) -> str:
    known = held_out(ws, 50)
    sessions(ws, known, TOLD, 6, again=2)
    sessions(ws, known, HELD, 5, again=4)
    return known


async def test_what_is_known_stands_beside_the_list_with_its_numbers(ws: Workspace, lesson_id: str) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        assert "told or not" in pane.row_list.plain[0]
        page = " ".join(seen.page.split())
        assert "not known yet · 11 of about" in page
        assert PNPM in page
        assert "6 6 2 33" in page
        assert "5 5 4 80" in page
        assert "times as many" not in page, "a ratio that may be either says nothing"


async def test_it_is_paused_resumed_decided_undone_and_stopped(ws: Workspace, lesson_id: str) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await _open(seen)
        for state in ("paused", "running"):
            await seen.press("P")
            await seen.until(partial(_shows, pane, state))
        await seen.press("p")
        await seen.until(lambda: isinstance(seen.app.screen, ChoiceScreen))
        options = seen.app.screen.query_one(OptionList).options
        assert "told – the lesson stays as it is" in str(options[0].prompt)
        assert "held out – the lesson is archived" in str(options[1].prompt)
        await seen.press("2")
        await seen.until(lambda: pane.view.items[0].state == "decided")
        assert documents.find(ws, lesson_id).status == "archived"
        await seen.press("z")
        await seen.until(lambda: pane.view.items[0].state == "running")
        assert documents.find(ws, lesson_id).status == "active"
        await seen.press("x")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await seen.press("enter")
        await seen.until(lambda: pane.view.items[0].state == "stopped")
    assert _state(ws) == "stopped"


async def test_h_in_lessons_names_the_price_and_holds_out(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    take(ws, Scene("s1", PROJECT).prompt("add a cart", "p1").stop().prompt("always use tabs", "p2"))
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: seen.pane(TriagePane).view.current)
        pane = await seen.open(LessonsPane)
        await seen.until(lambda: pane.view.current)
        await seen.press("h")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await seen.press("enter")
        await seen.until(lambda: reports.of_lesson(ws, lesson_id))
        await seen.until(lambda: "per 100 moments 0 told, 0 held out" in " ".join(seen.page.split()))
    assert _state(ws) == "running"


def test_the_filter_knows_state_lesson_moments_and_age(ws: Workspace, lesson_id: str) -> None:
    from learnloop.wire import clock

    view = ExperimentsView(rows=experiment_queries.experiments(ws))
    now = clock.now_ms()
    assert list_view.filtered(view, "state:running lesson:pnpm moments:11 began:<1d told", now).items
    for part in ("state:paused", "lesson:tabs", "moments:>11", "began:>1d", "nowhere"):
        assert list_view.filtered(view, part, now).items == ()


def _asks(seen: Console, title: str) -> bool:
    boxes = seen.app.screen.query(".box")
    return bool(boxes) and str(boxes.first().border_title) == title


async def test_a_vital_lesson_is_held_out_after_a_second_question(ws: Workspace) -> None:
    add(ws, "Never push to main.", priority="CRITICAL")
    async with console(ServiceBridge(ws.root)) as seen:
        pane = await seen.open(LessonsPane)
        await seen.until(lambda: pane.view.current)
        await seen.press("h")
        for title in ("Hold it out?", "Hold it out all the same?"):
            await seen.until(partial(_asks, seen, title))
            await seen.press("enter")
        await seen.until(lambda: reports.reports(ws))
    assert _state(ws) == "running"
