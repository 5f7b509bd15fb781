"""Consent fails closed: what a person does not want recorded is not, whatever happened to the index."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Unreadable
from learnloop.ingest.publish import publish as publish_store
from learnloop.service import silences
from learnloop.service.health import quick_status
from learnloop.service.setup import settings_file
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


HIDDEN = [
    "[learnloop]\nrecord = false",
    "[settings.learnloop]\nenabled = false",
    "[[learnloop]]\nrecord = 0",
    "Record = false",
    "recording = 'off'",
    "rcord = 0",
    "record = 'nein'",
    "record = {value = false}",
    "[record]\nvalue = false",
    "record: false",
    "record = False",
    "[budgets]\nper_call = 2\nrecord = false",
    "[keys]\npromote = 'u'\nrecord = false",
    "[keys]\npromote = 'u'\n\n[redaction]\nextras = []\nenabled = false",
    "theme = 5\nrecord = false",
    "\xff",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_do_not_record_holds_however_it_is_written(agent: Agent, text: str) -> None:
    publish_store(agent.root)
    Path(paths.config_file()).write_text(text, "latin-1")
    with contextlib.suppress(Unreadable):
        publish_store(agent.root)
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []
    assert not is_anywhere(agent, "Evergreen")
    assert not quick_status.quick_status(open_workspace(agent.root)).recording


@pytest.mark.parametrize("text", ["record = false", "[learnloop]\nrecord=0", "enabled=false", "theme = 'a'"])
def test_do_not_record_by_hand_counts_before_any_program_read_it(agent: Agent, text: str) -> None:
    settings_file.set_("recall", "true")
    Path(paths.config_file()).write_text(text)
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert len(agent.events()) == text.startswith("theme")


def test_settings_that_are_not_understood_are_told_when_a_session_starts(agent: Agent) -> None:
    Path(paths.config_file()).write_text("[learnloop]\nrecord = false")
    with contextlib.suppress(Unreadable):
        publish_store(agent.root)
    message = json.loads(agent.fire("SessionStart", source="startup"))["systemMessage"]
    assert message.startswith("Learnloop records nothing: ")
    assert "unknown key 'learnloop'" in message
    (silence,) = silences.of(agent.root)
    assert "unknown key 'learnloop'" in silence.why


@pytest.mark.parametrize(
    "text", ["theme = 5", "queue_size = 0\nrecord = true", "record = true", "theme = 'a'"]
)
def test_a_fault_about_something_else_stops_no_recording(agent: Agent, text: str) -> None:
    Path(paths.config_file()).write_text(text)
    with contextlib.suppress(Unreadable):
        publish_store(agent.root)
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert len(agent.events()) == 1


def test_settings_in_the_root_may_forbid_though_others_count(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings_file.set_("record", "false")
    monkeypatch.delenv("LEARNLOOP_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings_file.set_("record", "true")
    publish_store(agent.root, force=True)
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []


@pytest.mark.parametrize("how", ["record", "off", "neither"])
def test_another_home_of_the_agent_leads_past_no_switch(agent: Agent, tmp_path: Path, how: str) -> None:
    if how == "record":
        settings_file.set_("record", "false")
    elif how == "off":
        settings_file.switch(open_workspace(agent.root), on=False)
    agent.fire("UserPromptSubmit", prompt=SECRET, env={"LEARNLOOP_HOME": str(tmp_path / "elsewhere")})
    assert (tmp_path / "elsewhere" / "journal.jsonl").exists() == (how == "neither")


@pytest.mark.parametrize(
    ("name", "value"), [("RECORD", "false"), ("RECORD", "nein"), ("ENABLED", "0"), ("DISABLE", "1")]
)
def test_a_variable_of_the_agent_forbids_too(agent: Agent, name: str, value: str) -> None:
    agent.fire("UserPromptSubmit", prompt=SECRET, env={f"LEARNLOOP_{name}": value})
    assert agent.events() == []


def test_settings_of_a_project_do_not_exist_and_forbid(agent: Agent) -> None:
    (agent.project / ".learnloop").mkdir()
    (agent.project / ".learnloop" / "config.toml").write_text("record = false")
    message = json.loads(agent.fire("SessionStart", source="startup"))["systemMessage"]
    assert "a project has no settings" in message
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []
    status = quick_status.quick_status(open_workspace(agent.root), project=str(agent.project))
    assert not status.recording


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
    settings_file.switch(open_workspace(agent.root), on=False, project=str(agent.project))
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
    settings_file.switch(ws, on=False, project=str(agent.project))
    for path in (agent.project / ".learnloop").iterdir():
        path.unlink()
    agent.fire("UserPromptSubmit", prompt=SECRET)
    assert agent.events() == []


def test_a_part_of_a_project_that_is_off_is_off_too(agent: Agent) -> None:
    part = agent.project / "packages" / "app"
    (part / ".learnloop").mkdir(parents=True)
    settings_file.switch(open_workspace(agent.root), on=False, project=str(agent.project))
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
    settings_file.switch(
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
