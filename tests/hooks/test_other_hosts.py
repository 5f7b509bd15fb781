"""Hooks of other hosts: the same record and the same recall, each in the host's own words."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish

GATED = {
    "id": "versions", "status": "active", "statement": "Every release raises the version.", "scope": "global",
    "triggers": {"command_patterns": ["release *"]}, "gate": True,
}  # fmt: skip
PLAIN = {**GATED, "id": "changelg", "statement": "A release has a changelog.", "gate": False}


@pytest.fixture
def codex(agent: Agent) -> Agent:
    agent.command = agent.command.removesuffix("claude") + "codex"
    return agent


def fire(agent: Agent, event: str, **fields: Any) -> dict[str, Any]:
    out = agent.fire(event, env={"CLAUDE_PROJECT_DIR": ""}, turn_id="t1", **fields)
    answer: dict[str, Any] = json.loads(out) if out else {}
    return answer


def release(agent: Agent) -> dict[str, Any]:
    return fire(agent, "PreToolUse", tool_name="Bash", tool_use_id="u", tool_input={"command": "release now"})


def test_a_call_is_recorded_with_its_host_and_turn(codex: Agent) -> None:
    release(codex)
    (event,) = codex.events()
    assert (event["host"], event["kind"], event["prompt_id"]) == ("codex", "tool_start", "t1")
    assert event["project"] == str(codex.project)


def test_a_gate_denies_and_other_lessons_are_told(codex: Agent, publish: Publish) -> None:
    publish(PLAIN)
    assert "changelog" in release(codex)["hookSpecificOutput"]["additionalContext"]
    publish(GATED)
    assert release(codex)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_lesson_holds_for_every_host_or_for_the_one_it_names(
    codex: Agent, agent: Agent, publish: Publish
) -> None:
    def told(host: str) -> bool:
        triggers = {"command_patterns": ["release *"], "agent_names": [host] if host else []}
        publish({**PLAIN, "triggers": triggers, "id": f"changel{len(host)}"})
        return "hookSpecificOutput" in release(codex)

    assert (told(""), told("host:codex"), told("host:gemini")) == (True, True, False)


def test_after_a_call_nothing_is_told_where_it_was_told_before(codex: Agent, publish: Publish) -> None:
    publish(PLAIN)
    given = {"tool_name": "Bash", "tool_use_id": "u", "tool_input": {"command": "release now"}}
    assert fire(codex, "PostToolUse", **given, tool_response="done\n") == {}


def test_an_event_of_another_host_is_one_error_and_silence(codex: Agent) -> None:
    assert fire(codex, "BeforeAgent", prompt="secret words") == {}
    ((kind, payload),) = codex.payloads()
    assert (kind, payload["event"], payload["error"]) == (
        "hook_error", "BeforeAgent", "ValueError: an unknown event",
    )  # fmt: skip


def test_an_unknown_host_is_one_error_and_silence(agent: Agent) -> None:
    agent.command = agent.command.removesuffix("claude") + "clippy"
    assert fire(agent, "Stop") == {}
    assert [kind for kind, _ in agent.payloads()] == ["hook_error"]


def test_hooks_for_claude_code_are_silent_in_copilot(agent: Agent, publish: Publish) -> None:
    publish(PLAIN)
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "release now"}}
    assert agent.fire("PreToolUse", env={"COPILOT_CLI": "1"}, timestamp="2026-11-22T02:25:16Z", **call) == b""
    assert agent.events() == []
    assert agent.fire("PreToolUse", env={"COPILOT_CLI": "1"}, **call), "Claude Code, started from Copilot"
    assert {event["host"] for event in agent.events()} == {"claude"}


def test_the_command_line_names_an_event_of_copilot(agent: Agent, publish: Publish) -> None:
    publish(PLAIN)
    agent.command = agent.command.removesuffix("claude") + "copilot preToolUse || :"
    call = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "release now"}, "timestamp": 7}
    answer = json.loads(agent.write(json.dumps(call).encode(), COPILOT_PROJECT_DIR=str(agent.project)))
    assert answer.keys() == {"additionalContext"}
    assert {(event["host"], event["project"]) for event in agent.events()} == {
        ("copilot", str(agent.project))
    }


@pytest.fixture
def droid(agent: Agent) -> Agent:
    agent.command = agent.command.removesuffix("claude") + "droid"
    return agent


TASK = "# Task Tool Invocation\n\nSubagent type: worker\nTask complexity: medium\n"


def run_a_subagent(droid: Agent, caller: str) -> None:
    """A session that calls a subagent, as droid reports both."""
    fire(droid, "UserPromptSubmit", session="s1", prompt="Let a helper count")
    there = {"session": "a1", "transcript_path": "/x/a1.jsonl"}
    fire(droid, "SessionStart", **there, source="startup", calling_session_id=caller)
    fire(droid, "UserPromptSubmit", **there, prompt=TASK)
    given = {"tool_name": "Execute", "tool_input": {"command": "ls"}}
    fire(droid, "PostToolUse", **there, **given, tool_response="0")
    fire(droid, "Stop", **there)
    fire(droid, "SessionEnd", **there)


def test_a_subagent_of_droid_counts_to_the_session_that_called_it(droid: Agent) -> None:
    run_a_subagent(droid, "s1")
    prompt, *theirs = droid.events()
    assert [event["kind"] for event in theirs] == ["subagent_start", "tool_end", "subagent_end"]
    assert {(event["session_id"], event.get("agent_id"), event.get("agent_type")) for event in theirs} == {
        ("s1", "a1", "worker")
    }
    assert (prompt["session_id"], theirs[1]["transcript_path"]) == ("s1", "/x/s1.jsonl")
    fire(droid, "UserPromptSubmit", session="a1", prompt="Now count the folders")
    assert (droid.events()[-1]["kind"], droid.events()[-1]["session_id"]) == ("prompt", "a1"), "a person's"


@pytest.mark.parametrize("caller", ["", "s 1", "../s1", "s1\nsaid x"])
def test_what_names_no_session_joins_nothing(droid: Agent, caller: str) -> None:
    run_a_subagent(droid, caller)
    assert [event["session_id"] for event in droid.events()] == ["s1", *["a1"] * 5]


def test_a_type_that_is_no_name_is_not_remembered(droid: Agent) -> None:
    fire(droid, "SessionStart", session="a1", calling_session_id="s1")
    for kind in ("two words", "x" * 100, "sk-ant-api03-" + "a1B2" * 24):
        fire(droid, "UserPromptSubmit", session="a1", prompt=TASK.replace("worker", kind))
    assert {event.get("agent_type") for event in droid.events()} == {"subagent"}
    assert Path(droid.root, "recall", "sessions", "a1").read_text().split() == ["of", "s1", "subagent"]


def test_a_project_that_is_off_is_not_remembered(droid: Agent) -> None:
    (droid.project / ".learnloop").mkdir()
    (droid.project / ".learnloop" / "off").touch()
    run_a_subagent(droid, "s1")
    assert not Path(droid.root, "recall", "sessions", "a1").exists()


CLIENT = (
    "import subprocess, sys; subprocess.run(sys.argv[1], shell=True, input=sys.argv[2].encode(), check=True)"
)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="no /proc shows command lines")
@pytest.mark.parametrize(
    ("host", "event", "words", "has_terminal", "headless"),
    [
        ("codex", "UserPromptSubmit", ["exec", "Use uv"], True, "print"),
        ("codex", "UserPromptSubmit", ["app-server"], False, None),
        ("gemini", "BeforeAgent", ["--prompt=Use uv"], True, "print"),
        ("gemini", "BeforeAgent", ["-m", "flash"], True, None),
        ("gemini", "BeforeAgent", ["--acp"], False, None),
        ("qwen", "UserPromptSubmit", ["-p", "Use uv"], True, "print"),
        ("qwen", "UserPromptSubmit", ["Use uv"], False, "print"),
        ("copilot", "userPromptSubmitted", ["-p", "Use uv"], True, "print"),
        ("copilot", "userPromptSubmitted", ["-i", "Use uv"], True, None),
        ("droid", "UserPromptSubmit", ["exec", "--input-format", "stream-jsonrpc"], False, None),
        ("opencode", "chat.message", ["run", "Use uv"], True, "print"),
        ("opencode", "chat.message", ["serve"], False, None),
        ("cline", "beforeRun", ["--json", "Use uv"], False, "print"),
        ("cline", "beforeRun", ["-i"], True, None),
    ],
)
def test_the_clients_command_line_tells_print_mode(
    agent: Agent, host: str, event: str, words: list[str], has_terminal: bool, headless: str | None
) -> None:
    command = agent.command.removesuffix("claude") + f"{host} {event}"
    payload = json.dumps({"session_id": "s1", "prompt": "Use uv", "cwd": str(agent.project)})
    terminal, stdin = os.openpty()
    subprocess.run(
        [sys.executable, "-c", CLIENT, command, payload, *words], env=agent.env, timeout=60, check=True,
        stdin=stdin if has_terminal else subprocess.DEVNULL,
    )  # fmt: skip
    os.close(terminal)
    os.close(stdin)
    ((kind, fields),) = agent.payloads()
    assert (kind, fields.get("headless")) == ("prompt", headless)
