"""Payloads of other hosts: what their real clients sent, and what nobody should send."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from learnloop.models.event import EVENT_KINDS
from learnloop.wire import hosts, payloads
from learnloop.wire.hosts import translation

OTHERS = [name for name in hosts.NAMES if name != hosts.CLAUDE]
SHARED = Path(os.environ.get("LEARNLOOP_REALCLIENT") or Path(__file__).parents[3] / "shared" / "realclient")


def records(host: str, payload: dict[str, Any], event: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Kind and payload of what a hook would record of a firing."""
    translated = translation.Translation(host, payload, event).payloads
    made = [payloads.records(host, each, payloads.HookContext("/p")) for each in translated]
    return [(record["kind"], record["payload"]) for each in made for record in each]


def samples(host: str) -> list[tuple[str, dict[str, Any]]]:
    """Event and payload of each sample of a host."""
    files = sorted((SHARED / "hosts" / "samples" / host).glob("*.json"))
    return [(file.stem, sample["stdin"]) for file in files for sample in json.loads(file.read_text("utf-8"))]


@pytest.mark.parametrize("host", OTHERS)
def test_every_sample_is_recorded_or_left_out_on_purpose(host: str) -> None:
    every = samples(host)
    if not every:
        pytest.skip(f"no samples in {SHARED}; name its folder with LEARNLOOP_REALCLIENT")
    registered = hosts.description(host)["events"]
    for event, payload in every:
        if event not in registered:
            with pytest.raises(ValueError, match="unknown event"):
                records(host, payload, event)
            continue
        for kind, fields in records(host, payload, event):
            assert kind in EVENT_KINDS
            assert all(value not in ("", None) for name, value in fields.items() if name == "tool")


@pytest.mark.parametrize("host", OTHERS)
def test_broken_payloads_never_raise_anything_but_a_refusal(host: str) -> None:
    for event in hosts.description(host)["events"]:
        for value in (None, 7, [], {}, "x", {"command": 7}, [{"tool_name": 7}]):
            fields = ("prompt", "tool_name", "tool_input", "tool_calls", "cwd", "notification_type")
            payload = {"session_id": "s", "hook_event_name": event, **dict.fromkeys(fields, value)}
            try:
                records(host, payload)
            except ValueError:
                continue


def test_a_patch_of_codex_is_a_call_for_each_file() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: /p/a.txt\n+one\n+two\n*** Update File: b.txt\n@@\n"
        " context\n-old\n+new\n*** Delete File: c.txt\n*** End Patch\n"
    )
    payload = {
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", "tool_name": "apply_patch",
        "tool_use_id": "u", "tool_input": {"command": patch},
    }  # fmt: skip
    calls = translation.Translation("codex", payload).payloads
    assert [(call["tool_name"], call["tool_use_id"], call["tool_input"]) for call in calls] == [
        ("Write", "u", {"file_path": "/p/a.txt", "content": "one\ntwo"}),
        ("Edit", "u#2", {"file_path": "/p/b.txt", "old_string": "old", "new_string": "new"}),
        ("Edit", "u#3", {"file_path": "/p/c.txt", "old_string": "", "new_string": ""}),
    ]


def test_the_task_of_a_subagent_is_nobodys_prompt() -> None:
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "Count the files"}
    assert [kind for kind, _ in records("codex", payload)] == ["prompt"]
    assert records("codex", {**payload, "agent_id": "a1"}) == []


def test_a_question_and_an_interruption_are_notices() -> None:
    asked = {
        "hook_event_name": "PermissionRequest", "session_id": "s", "tool_name": "Bash",
        "tool_input": {"command": "rm -r x"},
    }  # fmt: skip
    assert records("codex", asked) == [
        ("notice", {"type": "permission_prompt", "message": "", "tool": "Bash", "command": "rm -r x"})
    ]
    interrupted = {"hook_event_name": "Interrupt", "session_id": "s"}
    assert records("codex", interrupted) == [("notice", {"type": "interrupted", "message": ""})]


def test_the_event_of_qwen_after_each_round_of_tools_is_no_prompt() -> None:
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": ""}
    assert records("qwen", payload) == []
    assert [kind for kind, _ in records("qwen", {**payload, "prompt": "No, stop"})] == ["prompt"], "mid-turn"


def test_a_batch_of_qwen_counts_only_where_a_call_was_refused() -> None:
    payload = {"hook_event_name": "PostToolBatch", "session_id": "s"}
    assert records("qwen", {**payload, "tool_calls": [{"status": "success"}]}) == []
    cancelled = records("qwen", {**payload, "tool_calls": [{"status": "success"}, {"status": "cancelled"}]})
    assert cancelled == [("notice", {"type": "interrupted", "message": ""})]


def test_a_failing_command_of_gemini_is_told_by_its_output() -> None:
    def outcome(output: str) -> tuple[str, object]:
        call = {
            "hook_event_name": "AfterTool", "session_id": "s", "tool_name": "run_shell_command",
            "tool_input": {"command": "make"}, "tool_response": {"llmContent": output},
        }  # fmt: skip
        ((kind, fields),) = records("gemini", call)
        return kind, fields.get("interrupt")

    wrapped = (
        "<untrusted_context>\nOutput: no rule\nExit Code: {}\nProcess Group PGID: 7\n</untrusted_context>"
    )
    assert outcome(wrapped.format(2)) == ("tool_failed", None)
    assert outcome(wrapped.format(0)) == ("tool_end", None)
    assert outcome("Output: fine") == ("tool_end", None)
    assert outcome("Command was cancelled by user") == ("tool_failed", True)


def test_a_question_of_gemini_names_the_call() -> None:
    details = {"type": "edit", "filePath": "/p/a.txt"}
    payload = {
        "hook_event_name": "Notification", "session_id": "s", "notification_type": "ToolPermission",
        "message": "Confirm", "details": details,
    }  # fmt: skip
    asked = {"type": "permission_prompt", "message": "Confirm", "tool": "Edit", "file": "/p/a.txt"}
    assert records("gemini", payload) == [("notice", asked)]


def test_an_answer_denies_or_tells_in_the_hosts_own_shape() -> None:
    call = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {}}
    codex = translation.Translation("codex", call)
    told = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "A"}}
    denied = {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "B"}}
    assert codex.answered([told, {**told, "systemMessage": "M"}]) == {
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "Background, no task: A"},
        "systemMessage": "M",
    }
    assert codex.answered([told, denied]) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "B",
        }
    }  # fmt: skip
    assert codex.answered([]) is None


def test_an_unknown_host_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown host"):
        hosts.description("clippy")
