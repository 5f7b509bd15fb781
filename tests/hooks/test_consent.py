"""Consent fails closed: what a person does not want recorded is not, whatever happened to the index."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.publish import publish as publish_store
from learnloop.service.health import quick_status
from learnloop.service.setup import settings_file, switch_files
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish

LESSON: dict[str, Any] = {
    "id": "versions", "status": "active", "statement": "Every release raises the version.",
    "scope": "global", "triggers": {"action_keywords": ["deploy"], "file_patterns": ["*.json"]},
}  # fmt: skip
SECRET = "our customer is called Evergreen"


def is_anywhere(agent: Agent, words: str) -> bool:
    """Whether some words are in any file below the root but the settings."""
    return any(
        words.encode() in path.read_bytes()
        for path in Path(agent.root).rglob("*")
        if path.is_file() and path.name != "config.toml"
    )


def damage(agent: Agent) -> None:
    Path(paths.index(agent.root)).write_bytes(b"LLIX garbage")


def remove(agent: Agent) -> None:
    Path(paths.index(agent.root)).unlink()


def newer(agent: Agent) -> None:
    path = Path(paths.index(agent.root))
    path.write_bytes(path.read_bytes().replace(b'"version":', b'"version":9', 1))


def forget_all(agent: Agent) -> None:
    forget.forget(open_workspace(agent.root), everything=True)


def break_settings(agent: Agent) -> None:
    Path(paths.config_file()).write_text("record = fals")
    remove(agent)


def lose_settings(agent: Agent) -> None:
    Path(paths.config_file()).unlink()
    remove(agent)
    open_workspace(agent.root).settings  # noqa: B018  # what each start reads
    publish_store(agent.root)


@pytest.mark.parametrize("key", ["record", "enabled"])
@pytest.mark.parametrize("happens", [damage, remove, newer, forget_all, break_settings, lose_settings])
def test_do_not_record_holds_whatever_happens(
    agent: Agent, key: str, happens: Callable[[Agent], None]
) -> None:
    settings_file.set_(key, "false")
    publish_store(agent.root, force=True)
    happens(agent)
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []
    assert not is_anywhere(agent, "Evergreen")


def test_do_not_record_by_hand_counts_before_anything_was_published(agent: Agent) -> None:
    Path(paths.config_file()).write_text("record = false\n")
    assert not quick_status.quick_status(open_workspace(agent.root)).recording
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []


def test_recording_is_on_again_by_the_settings(agent: Agent) -> None:
    settings_file.set_("record", "false")
    settings_file.unset("record")
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert len(agent.events()) == 1


def test_a_prompt_is_not_remembered_for_recall_either(agent: Agent, publish: Publish) -> None:
    settings_file.set_("record", "false")
    publish(LESSON)
    assert agent.fire("UserPromptSubmit", prompt=f"deploy it, {SECRET}")
    call = {"file_path": str(agent.project / "Evergreen.json"), "content": "{}"}
    agent.fire("PreToolUse", tool_name="Write", tool_use_id="t1", tool_input=call)
    agent.fire("PreToolUse", tool_name="Bash", tool_use_id="t2", tool_input={"command": "Evergreen"})
    assert agent.events() == []
    assert not is_anywhere(agent, "Evergreen")


def test_what_cannot_be_understood_is_not_recorded_either(agent: Agent) -> None:
    settings_file.set_("record", "false")
    agent.write(b'{"hook_event_name": "Stop", ')
    settings_file.unset("record")
    switch_files.switch(open_workspace(agent.root), on=False, project=str(agent.project))
    agent.write(b'{"hook_event_name": "Stop", ')
    assert agent.events() == []


def test_own_patterns_are_blacked_out_without_an_index(agent: Agent) -> None:
    settings_file.set_("redaction.extras", '["Evergreen"]')
    forget_all(agent)
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert len(agent.events()) == 1
    assert not is_anywhere(agent, SECRET)
    Path(paths.redaction(agent.root)).write_bytes(b"[")
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert not is_anywhere(agent, SECRET)


def test_a_switch_of_ones_own_outlives_the_project_folder(agent: Agent) -> None:
    ws = open_workspace(agent.root)
    switch_files.switch(ws, on=False, project=str(agent.project))
    for path in (agent.project / ".learnloop").iterdir():
        path.unlink()
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []


def test_a_part_of_a_project_that_is_off_is_off_too(agent: Agent) -> None:
    part = agent.project / "packages" / "app"
    (part / ".learnloop").mkdir(parents=True)
    switch_files.switch(open_workspace(agent.root), on=False, project=str(agent.project))
    (part / ".learnloop" / "project").touch()
    agent.fire("UserPromptSubmit", prompt=SECRET, env={"CLAUDE_PROJECT_DIR": str(part)})
    assert agent.events() == []


# What comes with a repository


def stop(agent: Agent, name: str) -> None:
    (agent.project / ".learnloop").mkdir()
    (agent.project / ".learnloop" / name).touch()


def call(agent: Agent) -> dict[str, Any]:
    tool_input = {"file_path": str(agent.project / "plugin.json"), "content": "{}"}
    out = agent.fire("PreToolUse", tool_name="Write", tool_use_id="t1", tool_input=tool_input)
    return dict(json.loads(out)["hookSpecificOutput"]) if out else {}


@pytest.mark.parametrize("name", ["off", "record-only"])
def test_a_switch_of_the_repository_silences_no_gate(agent: Agent, publish: Publish, name: str) -> None:
    publish({**LESSON, "gate": True})
    stop(agent, name)
    assert call(agent)["permissionDecision"] == "deny"


@pytest.mark.parametrize("name", ["off", "record-only"])
def test_a_switch_of_the_repository_silences_what_is_neither_gate_nor_critical(
    agent: Agent, publish: Publish, name: str
) -> None:
    publish(LESSON, {**LESSON, "id": "critical", "priority": "CRITICAL", "statement": "Tests run first."})
    stop(agent, name)
    told = call(agent)["additionalContext"]
    assert "Tests run first." in told
    assert "Every release" not in told
    assert [kind for kind, _ in agent.payloads()] == ([] if name == "off" else ["tool_start", "recall"])


@pytest.mark.parametrize("name", ["off", "record-only"])
def test_a_persons_own_switch_silences_everything(agent: Agent, publish: Publish, name: str) -> None:
    publish({**LESSON, "gate": True})
    recall_only = name == "record-only"
    switch_files.switch(
        open_workspace(agent.root), on=False, project=str(agent.project), recall_only=recall_only
    )
    assert call(agent) == {}
    assert agent.fire("SessionStart", source="startup") == b""


@pytest.mark.parametrize("name", ["off", "record-only"])
def test_a_switch_of_the_repository_is_told_when_a_session_starts(agent: Agent, name: str) -> None:
    stop(agent, name)
    for source in ("startup", "resume"):
        message = json.loads(agent.fire("SessionStart", source=source))["systemMessage"]
        assert f".learnloop/{name}" in message
        assert "learn off --project" in message
