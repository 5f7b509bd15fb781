"""Nothing may be sent unless the setting and the person's decision for the project both allow it."""

from pathlib import Path

import pytest

from learnloop.distill import model_clients
from learnloop.errors import Refused
from learnloop.service import workspace
from learnloop.service.facts import by_hand, modes
from learnloop.service.history import undo
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import clock, switches
from tests.distill.model_scene import FakeModel
from tests.fact_scene import IMPLIED, PROJECT, say

LATER = "the handlers log with structlog, as we agreed"


def _waiting(ws: Workspace) -> int:
    """How many requests wait where a model may read along."""
    return len(list(by_hand.requests(open_workspace(ws.root))))


def _asked(ws: Workspace) -> list[str]:
    """The projects about which something is asked."""
    return [request["project"] for request in by_hand.requests(open_workspace(ws.root))]


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


def test_everywhere_is_later_projects_too_but_for_those_that_are_off(ws: Workspace) -> None:
    say(ws.root, IMPLIED, session="s0", project="/code/early")
    said = clock.now_ms()
    while clock.now_ms() == said:  # a consent counts from its millisecond on
        pass
    modes.set_mode(ws, modes.EVERYWHERE, "draft")
    modes.set_mode(ws, "/code/other", "off")
    say(ws.root, IMPLIED)
    say(ws.root, LATER, session="s2", project="/code/other")
    assert _asked(ws) == [PROJECT]
    with pytest.raises(Refused, match="draft already"):
        modes.set_mode(ws, PROJECT, "draft")
    modes.set_mode(ws, modes.EVERYWHERE, "off")
    assert _asked(ws) == []


def test_a_consent_that_the_setting_kept_out_of_force_is_not_revived(ws: Workspace) -> None:
    modes.set_mode(ws, "/code/other", "draft")
    settings_file.set_("facts.mode", "off")
    say(ws.root, IMPLIED, session="s2", project="/code/other")
    modes.set_mode(open_workspace(ws.root), PROJECT, "draft")
    assert _asked(ws) == []
    assert [mode.project for mode in modes.modes(open_workspace(ws.root))] == [PROJECT]


def test_a_yes_that_was_cut_off_sends_nothing_and_is_given_again(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("learnloop.service.setup.settings_file.set_", dies)
        with pytest.raises(KeyboardInterrupt):
            modes.set_mode(ws, PROJECT, "draft")
    say(ws.root, IMPLIED)
    assert _waiting(ws) == 0
    modes.set_mode(ws, PROJECT, "draft")
    say(ws.root, LATER, session="s2")
    assert _waiting(ws) == 1


def test_a_no_is_asked_again_only_after_it_is_undone(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeModel(tmp_path / "model", monkeypatch)
    monkeypatch.delenv("LEARNLOOP_FACTS_MODE")
    offer = modes.if_open(ws, "/code/new")
    assert offer is not None
    assert modes.answer(ws, offer.project, "n").where == ""
    assert (modes.if_open(ws, "/code/new"), modes.modes(ws)) == (None, [])
    undo.undo(ws)
    assert modes.if_open(ws, "/code/new") is not None
    settings_file.set_("facts.mode", "off")
    assert modes.if_open(open_workspace(ws.root), "/code/new") is None


@pytest.mark.parametrize(
    ("programs", "command"),
    [("codex llm", "codex"), ("llm gemini", "llm"), ("gemini", ""), ("claude codex", "")],
)  # fmt: skip
def test_where_claude_code_is_missing_a_yes_sets_another_client(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: str, command: str
) -> None:
    for name in programs.split():
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    is_asked = programs != "gemini"
    assert (modes.if_open(ws, "/code/new") is not None) == is_asked
    modes.set_mode(ws, PROJECT, "draft")
    words = open_workspace(ws.root).settings.facts.command
    assert words == (model_clients.CLIENTS[command] if command else ())


def test_the_question_tells_what_a_week_would_cost_and_what_goes_first(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    for number in range(21):
        say(ws.root, f"{LATER} in part {number}", session=f"s{number}")
    say(ws.root, IMPLIED, session="s", project="/code/other")
    workspace.ingest(ws)
    offer = modes.offer(ws, PROJECT)
    words = "\n".join(offer.words)
    assert "Claude Code with your login (haiku" in words
    assert "about 3 calls a day for about 1 cent in shop, about 3 calls" in words
    [first, *_] = by_hand.requests(ws, PROJECT)
    assert offer.request == f"{first['system']}\n\n{first['text']}"
    assert modes.answer(ws, PROJECT, "a").past == "Your last 22 prompts: 22 calls, about 10 cents"
