"""The experiments' pane and the key that holds a lesson out, on a real store."""

from functools import partial

import pytest
from textual.widgets import Input, OptionList, Select, Static

from learnloop.service.experiments import reports
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop_tui.bridge import ServiceBridge, experiment_queries
from learnloop_tui.dialogs.choice import ChoiceScreen
from learnloop_tui.dialogs.new_experiment import NewExperimentScreen
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


async def _form(seen: Console) -> NewExperimentScreen:
    await _open(seen)
    await seen.press("N")
    await seen.until(lambda: isinstance(seen.app.screen, NewExperimentScreen))
    form = seen.app.screen
    assert isinstance(form, NewExperimentScreen)
    return form


def _problems(form: NewExperimentScreen) -> dict[str | None, str]:
    """What is wrong, by the field that it stands below."""
    return {each.id: str(each.content) for each in form.query(".problem").results(Static) if each.display}


def _complains(form: NewExperimentScreen, words: str) -> bool:
    return _problems(form) == {"wrong-share": words}


@pytest.mark.slow
async def test_a_new_one_is_started_from_the_form_by_keys_alone(ws: Workspace) -> None:
    lesson_id = add(ws, PNPM)
    for other in ("Indent with tabs.", "Write short functions."):
        add(ws, other)
    async with console(ServiceBridge(ws.root)) as seen:
        form = await _form(seen)
        await seen.press(*"zz", "enter", "w", "ctrl+s")
        assert _problems(form) == {"wrong-lesson": "No lesson that can be tried has these words."}
        await seen.press("escape", "N", *"PN us", "enter", "c", "enter", *"So?", "enter")
        await seen.press("enter", "down", "enter", "tab", "ctrl+u", *"30", "ctrl+s")
        await seen.until(lambda: reports.reports(ws))
    (known,) = reports.reports(ws)
    tried = known.experiment
    assert (tried.name, tried.question, tried.outcome) == ("c", "So?", "done")
    assert tried.lesson_ids == (lesson_id,)
    assert [(variant.name, variant.weight, variant.tells) for variant in tried.variants] == [
        ("told", 70, True), ("held out", 30, False),
    ]  # fmt: skip


@pytest.mark.slow
async def test_what_cannot_be_held_out_is_said_below_the_share_and_starts_nothing(ws: Workspace) -> None:
    add(ws, "Write short functions.")
    async with console(ServiceBridge(ws.root)) as seen:
        form = await _form(seen)
        await seen.press("enter", "ctrl+s")
        assert _problems(form) == {"wrong-name": "A name is needed."}
        await seen.press(*"words")
        assert _problems(form) == {}, "what is mended is no longer complained of"
        for typed, words in {"0": "0 % cannot be held out.", "51": "51 % cannot be held out."}.items():
            form.query_one("#new-share", Input).value = typed
            await seen.press("ctrl+s")
            await seen.until(partial(_complains, form, words))
        form.query_one("#new-share", Input).value = "20"
        form.query_one(Select).value = "done"
        await seen.press("ctrl+s")
        await seen.until(partial(_complains, form, "No call shows whether this lesson is kept."))
    assert reports.reports(ws) == []


async def test_the_form_fits_a_small_terminal_with_what_is_wrong(ws: Workspace) -> None:
    add(ws, PNPM)
    async with console(ServiceBridge(ws.root), size=(80, 24)) as seen:
        form = await _form(seen)
        form.query_one("#new-share", Input).value = "99"
        await seen.press("enter", *"words", "ctrl+s")
        await seen.until(lambda: _problems(form))
        inside = form.query_one(".box").content_region
        for each in form.query("Input, Select, .hint, #wrong-share"):
            assert inside.contains_region(each.region), each


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


async def test_a_vital_lesson_is_tried_from_the_form_after_a_second_question(ws: Workspace) -> None:
    add(ws, "Never push to main.", priority="CRITICAL")
    async with console(ServiceBridge(ws.root)) as seen:
        await _form(seen)
        await seen.press("enter", *"vital", "ctrl+s")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await seen.press("enter")
        await seen.until(lambda: reports.reports(ws))
    assert _state(ws) == "running"
