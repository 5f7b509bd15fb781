"""Hooks as Cursor would run them, by its documents: what it is told and when, and what stays silent."""

import json
import os
from typing import Any

import pytest

from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish

PROMPTED = {
    "id": "releases", "status": "active", "statement": "A release has a changelog.", "scope": "global",
    "triggers": {"action_keywords": ["changelog"]}, "priority": "HIGH",
}  # fmt: skip
STOPPING = {
    "id": "versions", "status": "active", "statement": "Every release raises the version.", "scope": "global",
    "triggers": {"command_patterns": ["release *"]}, "gate": True,
}  # fmt: skip


@pytest.fixture
def cursor(agent: Agent) -> Agent:
    agent.command = agent.command.removesuffix("claude") + "cursor"
    return agent


def fire(agent: Agent, event: str, folder: str | None = None, **fields: Any) -> dict[str, Any]:
    payload = {"conversation_id": "c1", "generation_id": "g1", "cursor_version": "3.20.17", **fields}
    payload |= {"hook_event_name": event, "user_email": "someone@example.com"}
    project = str(agent.project) if folder is None else folder
    environment = {"CURSOR_PROJECT_DIR": project, "CLAUDE_PROJECT_DIR": project}
    out = agent.write(json.dumps(payload).encode(), **environment)
    answer: dict[str, Any] = json.loads(out) if out else {}
    return answer


def run(agent: Agent, event: str, command: str) -> dict[str, Any]:
    call: dict[str, Any] = {"tool_name": "Shell", "tool_use_id": "u1", "tool_input": {"command": command}}
    return fire(agent, event, **call, tool_output='{"exitCode":0,"stdout":""}')


def test_a_prompt_is_remembered_and_counts_after_the_next_call(cursor: Agent, publish: Publish) -> None:
    publish(PROMPTED)
    assert fire(cursor, "beforeSubmitPrompt", prompt="Write the changelog of this release") == {}
    assert run(cursor, "preToolUse", "ls") == {}
    assert PROMPTED["statement"] in run(cursor, "postToolUse", "ls")["additional_context"]
    assert {event["project"] for event in cursor.events()} == {str(cursor.project)}
    assert "someone@example.com" not in str(cursor.events())


def test_a_window_without_a_folder_is_of_no_project_but_the_home_folder(cursor: Agent) -> None:
    fire(cursor, "beforeSubmitPrompt", "", prompt="Where am I?", workspace_roots=[])
    assert [event["project"] for event in cursor.events()] == [os.path.realpath(os.environ["HOME"])]


def test_a_gate_denies_once(cursor: Agent, publish: Publish) -> None:
    publish(STOPPING)
    assert run(cursor, "preToolUse", "release now")["permission"] == "deny"


def test_hooks_for_claude_code_are_silent_in_cursor(agent: Agent, publish: Publish) -> None:
    publish(STOPPING)
    assert run(agent, "preToolUse", "release now") == run(agent, "PreToolUse", "release now") == {}
    assert agent.events() == []
