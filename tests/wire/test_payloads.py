"""Payloads: what is recorded of them, what recall asks of them, and which prompts no person typed."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.models.event import EVENT_KINDS
from learnloop.wire import payload_fields, payloads
from learnloop.wire.payloads import HookContext

CASES = (Path(__file__).parents[1] / "data" / "claude_payloads.jsonl").read_text("utf-8").splitlines()
"""An event of Claude Code, its fields, and the kinds and payloads that are recorded of it."""


@pytest.mark.parametrize("line", CASES)
def test_event(line: str) -> None:
    case = json.loads(line)
    payload = {"hook_event_name": case["event"], "session_id": "s1", **case["given"]}
    records = payloads.records("claude", payload, HookContext("/p"))
    assert [[record["kind"], record["payload"]] for record in records] == case["recorded"]


@pytest.mark.parametrize(
    ("prompt", "machine"),
    [
        ("<task-notification>\n<task-id>b</task-id></task-notification>", "task-notification"),
        (
            " <task-notification>x</task-notification>\n<task-notification>y</task-notification> ",
            "task-notification",
        ),
        (
            "<task-notification>x</task-notification>\nRead the output file to see the result: /t/b",
            "task-notification",
        ),
        ("<task-notification> that was cut off", "task-notification"),
        ("<task-notification>x</task-notification>\nNo, use pytest instead", ""),
        ("<command-name>/look</command-name>", "command"),
        ("<local-command-stdout>ok</local-command-stdout>", "command"),
        ("<bash-input>ls</bash-input>", "command"),
        ("This session is being continued from a previous conversation that ran out", "summary"),
        ("[Request interrupted by user for tool use]", "interruption"),
        ("What does <task-notification> mean?", ""),
        ("/look here", ""),
        ("No, use pytest instead", ""),
        ("", ""),
    ],
)
def test_machine(prompt: str, machine: str) -> None:
    assert payload_fields.machine(prompt) == machine


def test_accessors() -> None:
    call = {"tool_name": "Edit", "tool_input": {"file_path": "/a.py", "old_string": "x", "new_string": "y"}}
    assert payload_fields.tool_name(call) == "Edit"
    assert payload_fields.tool_file(call) == "/a.py"
    assert payload_fields.tool_command(call) == ""
    assert payload_fields.tool_words(call) == "/a.py\nx\ny"
    assert payload_fields.tool_file({"tool_input": {"notebook_path": "/n.ipynb"}}) == "/n.ipynb"
    assert payload_fields.tool_command({"tool_input": {"command": "make"}}) == "make"


@pytest.mark.parametrize("value", [None, 7, [], "x", {"file_path": 7, "command": [], "a": None}])
def test_accessors_of_wrong_types(value: Any) -> None:
    call = {"tool_name": value, "tool_input": value}
    assert payload_fields.tool_file(call) == ""
    assert payload_fields.tool_command(call) == ""
    assert isinstance(payload_fields.tool_words(call), str)
    assert isinstance(payload_fields.tool_name(call), str)


def test_words_are_bounded() -> None:
    deep: Any = "deepest"
    for _ in range(50):
        deep = [deep]
    words = payload_fields.tool_words(
        {"tool_input": {"a": "x" * 10_000, "b": ["y" * 10_000, "z"], "c": deep}}
    )
    assert len(words) == payload_fields.KEYWORD_TEXT
    assert "deepest" not in words


def test_kept_cuts_behind_redaction() -> None:
    context = HookContext("/p")
    secret = "AKIAIOSFODNN7EXAMPLE"
    for start in range(90, 101):
        shown = context.cleaned("x" * (start - 1) + " " + secret + " tail " * 1_000, 100)
        assert len(shown) == 100
        assert "AKIA" not in shown


@pytest.mark.parametrize("length", [0, 1, 99, 100, 101, 200, 2_148, 2_149, 10_000])
def test_kept_never_exceeds_its_limit(length: int) -> None:
    shown = HookContext("/p").cleaned("y" * length, 100)
    assert len(shown) == min(length, 100)
    assert shown.endswith("…") == (length > 100)


def test_kept_of_secrets_all_the_way() -> None:
    """Redaction that shortens must not pull half a secret from behind the window."""
    secret = "AKIAIOSFODNN7EXAMPLE "
    for offset in range(len(secret)):
        assert "AKIA" not in HookContext("/p").cleaned("x" * offset + " " + secret * 500, 100)


def test_every_kind_is_known() -> None:
    call = {"tool_name": "Write", "tool_response": "x"}
    common = {"session_id": "s", "prompt": "p", "agent_type": "t", "notification_type": "idle_prompt", **call}
    names = (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
        "SubagentStart", "SubagentStop", "Stop", "StopFailure", "Notification", "PreCompact", "SessionEnd",
    )  # fmt: skip
    for name in names:
        (record,) = payloads.records("claude", {**common, "hook_event_name": name}, HookContext("/p"))
        assert record["kind"] in EVENT_KINDS


def test_answers_are_recorded_that_begin_within_a_bound() -> None:
    answers = {f"q{number}": "password:" * 300 for number in range(50)}
    call = {"tool_name": "AskUserQuestion", "tool_input": {"answers": answers}, "tool_response": ""}
    payload = {"session_id": "s", "hook_event_name": "PostToolBatch", "tool_calls": [call]}
    context = HookContext("/p")
    (record,) = payloads.records("claude", payload, context)
    assert 5 <= len(record["payload"]["answers"]) <= 10
    assert context.characters < 20_000


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"hook_event_name": 7, "session_id": "s"},
        {"hook_event_name": "New", "session_id": "s"},
        {"hook_event_name": "Stop"},
        {"hook_event_name": "Stop", "session_id": ""},
        {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": None},
        {"hook_event_name": "PostToolBatch", "session_id": "s", "tool_calls": {}},
    ],
)
def test_refused(payload: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        payloads.records("claude", payload, HookContext("/p"))
