"""The gate: a lesson that stops the first call it matters at, so that the agent reads it before it acts."""

import json
from typing import Any

import pytest

from learnloop.wire import render
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish


def lesson(lesson_id: str, statement: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": lesson_id, "status": "active", "statement": statement, "scope": "global",
        "triggers": {"file_patterns": ["*.json"]}, **changes,
    }  # fmt: skip


GATED = lesson("versions", "Every release raises the version in both manifests.", gate=True)
PLAIN = lesson("sortedks", "Keys stand in alphabetical order.")


def write(agent: Agent, name: str, use: str, session: str = "s1", **fields: Any) -> dict[str, Any]:
    call = {"file_path": str(agent.project / name), "content": "{}"}
    out = agent.fire("PreToolUse", session, tool_name="Write", tool_use_id=use, tool_input=call, **fields)
    found: dict[str, Any] = json.loads(out)["hookSpecificOutput"] if out else {}
    return found


def batch(agent: Agent, session: str = "s1", **fields: Any) -> None:
    agent.fire("PostToolBatch", session, tool_calls=[], **fields)


def denied(answer: dict[str, Any]) -> bool:
    return answer.get("permissionDecision") == "deny"


def test_the_first_call_is_stopped_once_with_the_lesson_as_reason(agent: Agent, publish: Publish) -> None:
    publish(GATED)
    first = write(agent, "plugin.json", "t1")
    assert denied(first)
    assert "Every release raises the version in both manifests. (vers)" in first["permissionDecisionReason"]
    assert first["permissionDecisionReason"].endswith(render.STOPPED)
    batch(agent)
    assert write(agent, "plugin.json", "t2") == {}
    assert write(agent, "other.json", "t3") == {}


def test_another_session_and_another_agent_are_stopped_for_themselves(agent: Agent, publish: Publish) -> None:
    publish(GATED)
    assert denied(write(agent, "plugin.json", "t1"))
    batch(agent)
    assert denied(write(agent, "plugin.json", "t2", session="s2"))
    assert denied(write(agent, "plugin.json", "t3", agent_id="a1", agent_type="helper"))
    batch(agent, agent_id="a1")
    assert write(agent, "plugin.json", "t4", agent_id="a1", agent_type="helper") == {}


def test_a_call_beside_it_that_ends_first_does_not_open_the_gate(agent: Agent, publish: Publish) -> None:
    publish(GATED)
    batch(agent)
    assert denied(write(agent, "plugin.json", "t1"))


def test_what_is_no_gate_is_recalled_beside_the_call_that_passes(agent: Agent, publish: Publish) -> None:
    publish(GATED, PLAIN)
    first = write(agent, "plugin.json", "t1")
    assert denied(first)
    assert "alphabetical" not in first["permissionDecisionReason"]
    batch(agent)
    second = write(agent, "plugin.json", "t2")
    assert "alphabetical" in second["additionalContext"]
    assert "both manifests" not in second["additionalContext"]


def test_without_word_of_the_batch_a_second_try_passes_later(
    agent: Agent, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    from learnloop.wire import session_recalls

    kept = session_recalls.SessionRecalls(agent.root, "s9")
    kept.stopped(["versions"], "a", 1_000)
    again = session_recalls.SessionRecalls(agent.root, "s9")
    assert again.stops(["versions"], "a", 1_500) == ["versions"]
    assert again.stops(["versions"], "b", 3_000) == ["versions"], "another file, perhaps beside it"
    assert again.stops(["versions"], "a", 2_001) == []
    assert again.stops(["versions"], "b", 11_001) == []


def test_a_gate_stops_nothing_but_matching_calls_and_leaves_a_receipt(agent: Agent, publish: Publish) -> None:
    publish(GATED)
    assert write(agent, "notes.txt", "t0") == {}
    assert agent.fire("UserPromptSubmit", prompt="raise the version") == b""
    write(agent, "plugin.json", "t1")
    receipts = [payload for kind, payload in agent.payloads() if kind == "recall"]
    assert [(one["gate"], one["lessons"][0]["id"]) for one in receipts] == [(True, "versions")]
