"""Bad input of every other host: silence, a record as far as it is true, an error that doctor tells."""

import json
import time
from typing import Any

import pytest

from learnloop.ingest.run import ingest
from learnloop.service import workspace
from learnloop.service.health import doctor
from learnloop.store.store import Store
from learnloop.wire import codec, hosts
from learnloop_hooks import record
from tests.hooks.agent import Agent
from tests.hooks.test_bad_input import WRONG

OTHERS = [name for name in hosts.NAMES if name != hosts.CLAUDE]
GOOD: dict[str, Any] = {
    "session_id": "s1", "cwd": "/", "prompt": "Use tabs", "tool_name": "Bash", "source": "startup",
    "tool_input": {"command": "make"}, "tool_use_id": "t", "tool_response": "done", "message": "m",
    "tool_calls": [{"tool_name": "Bash", "status": "success"}], "notification_type": "idle_prompt",
    "agent_id": "a", "agent_type": "b", "last_assistant_message": "Done.", "error": "e", "details": {},
    "transcript_path": "/nowhere.jsonl", "calling_session_id": "s0", "sessionId": "s1", "toolName": "bash",
    "toolArgs": {"command": "make"}, "toolResult": {"textResultForLlm": "done"}, "parentAgentId": "s0",
}  # fmt: skip
Told = list[tuple[str, str, dict[str, Any]]]


def send(agent: Agent, host: str, event: str, payload: dict[str, Any]) -> None:
    """One firing, in one process: `main` without its exit; its answer is JSON or nothing."""
    data = json.dumps({**payload, "hook_event_name": event}).encode()
    answer = record.handle(agent.root, host, data, len(data), time.monotonic_ns(), event)
    assert not answer or isinstance(codec.decode(answer.decode()), dict)


def fire(agent: Agent, host: str, event: str, payload: dict[str, Any]) -> Told:
    """Host, kind and payload of what one firing adds to the journal."""
    before = len(agent.events())
    send(agent, host, event, payload)
    added = list(zip(agent.events(), agent.payloads(), strict=True))[before:]
    return [(event["host"], kind, payload) for event, (kind, payload) in added]


@pytest.fixture(params=OTHERS)
def host(request: pytest.FixtureRequest) -> str:
    """A host other than Claude Code."""
    name: str = request.param
    return name


@pytest.fixture
def events(host: str) -> list[str]:
    """The names of its events."""
    return list(hosts.description(host)["events"])


def test_an_event_of_a_newer_version_is_one_error_and_told_by_doctor(agent: Agent, host: str) -> None:
    ((by, kind, payload),) = fire(agent, host, "FromTheFuture", GOOD)
    assert (by, kind, payload["event"]) == (host, "hook_error", "FromTheFuture")
    (check,) = [
        each for each in doctor.examine(workspace.open_workspace(agent.root)) if "Future" in str(each)
    ]
    assert f"{host} FromTheFuture: ValueError: an unknown event" in str(check)


def test_fields_of_a_newer_version_change_nothing(agent: Agent, host: str, events: list[str]) -> None:
    news = {"from_the_future": {"a": [1]}, "session": 7, "x" * 300: None}
    for event in events:
        payload = {**GOOD, "tool_use_id": event}
        assert fire(agent, host, event, {**payload, **news}) == fire(agent, host, event, payload)


def test_missing_fields_hurt_nobody(agent: Agent, host: str, events: list[str]) -> None:
    for event in events:
        for field in GOOD:
            send(agent, host, event, {name: value for name, value in GOOD.items() if name != field})
        assert {kind for _, kind, _ in fire(agent, host, event, {})} <= {"hook_error"}


def test_wrong_types_hurt_nobody(agent: Agent, host: str, events: list[str]) -> None:
    """Each field of each event with every fourth value, and each value in every field of some event."""
    for at, event in enumerate(events):
        for field in GOOD:
            for value in WRONG[at % 4 :: 4]:
                send(agent, host, event, {**GOOD, field: value})
    for each in agent.events():
        assert isinstance(each["session_id"], str)
        assert isinstance(each["payload"], dict)


def test_payloads_of_all_other_hosts_on_its_command_line(agent: Agent, host: str, events: list[str]) -> None:
    for other in OTHERS:
        for event in hosts.description(other)["events"]:
            added = fire(agent, host, event, GOOD)
            assert {by for by, _, _ in added} <= {host}
            if event not in events:
                assert [kind for _, kind, _ in added] == ["hook_error"]


def test_two_hosts_in_one_project_at_once_are_two_sessions(agent: Agent, host: str) -> None:
    """Even under one id: the other is Claude Code."""
    described = hosts.description(host)["events"]
    prompt = next(event for event, ours in described.items() if ours == "UserPromptSubmit")
    typed = {"session_id": "s1", "sessionId": "s1", "cwd": str(agent.project)}
    for number in range(3):
        fire(agent, host, prompt, {**typed, "prompt": f"sell {host} {number}"})
        agent.fire("UserPromptSubmit", prompt=f"sell claude {number}")
    ingest(agent.root)
    turns = Store(agent.root).turns()
    assert {(turn.host, turn.prompt) for turn in turns} == {
        (name, f"sell {name} {number}") for name in (host, "claude") for number in range(3)
    }
    killed = [turn.end for turn in sorted(turns, key=lambda turn: turn.started) if turn.host == host]
    assert killed == ["interrupted", "interrupted", "unfinished"], "nobody reported an end"
