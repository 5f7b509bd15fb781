"""The console asks once whether a model may read along, and has it read what was typed before."""

from pathlib import Path

import pytest

from learnloop.learn.facts import reading_consent
from learnloop.service import workspace
from learnloop.service.facts import modes
from learnloop.service.history import undo
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace
from learnloop_tui.bridge.service_bridge import ServiceBridge
from learnloop_tui.dialogs.page import ConfirmScreen, OfferScreen
from learnloop_tui.widgets.line_widgets import Page
from tests.distill.model_scene import FakeModel
from tests.distill.test_judged_turns import ERRORS, turn
from tests.fact_scene import IMPLIED, PROJECT, item, reading, say
from tests.tui.fakes import console

BRANCH = "Commit to a session branch, never to main"


@pytest.fixture
def model(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """A command that would answer, and a session with a draft of fixed rules."""
    fake = FakeModel(tmp_path / "model", monkeypatch)
    monkeypatch.delenv("LEARNLOOP_FACTS_MODE")
    monkeypatch.setattr("learnloop.ingest.start_reading.start", lambda _: False)
    say(ws.root, "add the order endpoint", "No, don't add docstrings to handlers")
    say(ws.root, IMPLIED, session="s2")
    workspace.ingest(ws)
    return fake


async def test_one_question_leads_to_drafts_in_the_queue(ws: Workspace, model: FakeModel) -> None:
    model.answers(reading(), reading(item(BRANCH)))
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: isinstance(seen.app.screen, OfferScreen))
        await seen.until(lambda: "once a trial shows" in seen.app.screen.query_one(Page).plain)
        await seen.press("y")
        await seen.until(lambda: isinstance(seen.app.screen, ConfirmScreen))
        await seen.press("y")
        await seen.until(lambda: "Rules found 1, the model 1 more." in seen.toasts)
        await seen.until(lambda: any(BRANCH in row for row in seen.rows))
    assert [(mode.project, mode.in_force) for mode in modes.modes(open_workspace(ws.root))] == [
        (PROJECT, "draft")
    ]


@pytest.mark.parametrize(("key", "is_asked_again"), [("n", False), ("escape", True)])
async def test_a_no_is_the_end_of_it_and_leaving_it_is_not(
    ws: Workspace, model: FakeModel, key: str, is_asked_again: bool
) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: isinstance(seen.app.screen, OfferScreen))
        await seen.press(key)
        await seen.until(lambda: not isinstance(seen.app.screen, OfferScreen))
        await seen.until(lambda: (modes.if_open(ws, PROJECT) is not None) == is_asked_again)
    assert model.seen == []


@pytest.fixture
def reader(ws: Workspace, model: FakeModel) -> FakeModel:
    """A model that reads along in the shop, where a turn wrote what a lesson without a check is about."""
    modes.set_mode(ws, PROJECT, "draft")
    verdicts.add(ws, ERRORS, scope="project", project=PROJECT)
    turn(ws.root)
    workspace.ingest(ws)
    return model


@pytest.mark.parametrize(
    ("key", "judged"), [("y", {PROJECT}), ("a", {modes.EVERYWHERE}), ("n", set()), ("escape", None)]
)
async def test_who_reads_along_is_asked_once_whether_turns_may_be_judged(
    ws: Workspace, reader: FakeModel, key: str, judged: set[str] | None
) -> None:
    async with console(ServiceBridge(ws.root)) as seen:
        await seen.until(lambda: isinstance(seen.app.screen, OfferScreen))
        await seen.until(lambda: "raise Error('failed')" in seen.app.screen.query_one(Page).plain)
        await seen.press(key)
        await seen.until(lambda: not isinstance(seen.app.screen, OfferScreen))
        await seen.until(
            lambda: (modes.turns_if_open(open_workspace(ws.root), PROJECT) is None) == (judged is not None)
        )
    given = reading_consent.asked(documents.decisions(ws.root))
    assert {project for project, since in given.items() if since} == (judged or set())


def test_an_undone_answer_leaves_the_question_about_turns_open(ws: Workspace, reader: FakeModel) -> None:
    assert "not asked again" in modes.answer_turns(ws, PROJECT, "n")
    assert modes.turns_if_open(open_workspace(ws.root), PROJECT) is None
    undo.undo(ws)
    assert modes.turns_if_open(open_workspace(ws.root), PROJECT) is not None
