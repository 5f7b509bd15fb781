"""The console asks once whether a model may read along, and has it read what was typed before."""

from pathlib import Path

import pytest

from learnloop.service import workspace
from learnloop.service.facts import modes
from learnloop.service.workspace import Workspace, open_workspace
from learnloop_tui.bridge.service_bridge import ServiceBridge
from learnloop_tui.dialogs.page import ConfirmScreen, OfferScreen
from learnloop_tui.widgets.line_widgets import Page
from tests.distill.model_scene import FakeModel
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
        assert "once a trial shows" in seen.app.screen.query_one(Page).plain
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
