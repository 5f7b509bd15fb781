"""Nothing may be sent unless the setting and the person's decision for the project both allow it."""

from pathlib import Path

import pytest

from learnloop.errors import Refused
from learnloop.service import workspace
from learnloop.service.facts import by_hand, modes
from learnloop.service.history import undo
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store.store import Store
from learnloop.wire import switches
from tests.fact_scene import IMPLIED, PROJECT, say


def _waiting(ws: Workspace) -> int:
    """How many requests wait where a model may read along."""
    return len(list(by_hand.requests(open_workspace(ws.root))))


@pytest.mark.parametrize(
    ("setting", "decided", "in_force"),
    [
        ("off", "draft", "off"), ("draft", "draft", "draft"),
    ],
)  # fmt: skip
def test_the_lower_of_setting_and_decision_counts(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, setting: str, decided: str, in_force: str
) -> None:
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", setting)
    modes.set_mode(ws, PROJECT, decided)
    [mode] = modes.modes(ws)
    assert (mode.mode, mode.in_force) == (decided, in_force)
    with pytest.raises(Refused):
        modes.set_mode(ws, PROJECT, decided)


def test_prompts_of_before_and_of_other_projects_are_not_sent(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "draft")
    say(ws.root, IMPLIED)
    workspace.ingest(ws)
    modes.set_mode(ws, PROJECT, "draft")
    assert _waiting(ws) == 0
    say(ws.root, "use uv, not pip, in this project", session="s2")
    assert _waiting(ws) == 1
    undo.undo(ws)
    assert (_waiting(ws), modes.modes(ws)) == (0, [])
    modes.set_mode(ws, "/code/other", "draft")
    assert _waiting(ws) == 0


def test_a_project_that_is_switched_off_is_left_alone(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARNLOOP_FACTS_MODE", "draft")
    modes.set_mode(ws, PROJECT, "draft")
    say(ws.root, IMPLIED)
    assert _waiting(ws) == 1
    switch = Path(ws.root, switches.own(PROJECT, switches.PROJECT_RECORD_ONLY))
    switch.parent.mkdir()
    switch.touch()
    assert _waiting(ws) == 0
    assert [mode.in_force for mode in modes.modes(ws)] == ["off"]


@pytest.mark.parametrize("name", ["off", "record"])
def test_nothing_is_sent_while_nothing_may_be_recorded(ws: Workspace, name: str) -> None:
    modes.set_mode(ws, PROJECT, "draft")
    say(ws.root, IMPLIED)
    assert _waiting(ws) == 1
    Path(ws.root, "off").touch() if name == "off" else settings_file.set_("record", "false")
    assert _waiting(ws) == 0
    assert [mode.in_force for mode in modes.modes(ws)] == ["off"]


def test_the_consent_is_a_decision_that_history_names(ws: Workspace) -> None:
    modes.set_mode(ws, PROJECT, "draft")
    [decision] = Store(ws.root).decisions()
    assert (decision.action, decision.args) == ("facts", {"project": PROJECT, "mode": "draft"})
