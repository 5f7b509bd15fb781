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
UNSAMPLED = ("opencode", "cursor")
"""Those whose real payloads are tested with their plugin, and of which there are none."""
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


@pytest.mark.parametrize("host", [name for name in OTHERS if name not in UNSAMPLED])
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


@pytest.mark.parametrize(
    ("prompt", "typed"),
    [
        ("<hook_context>Be short.\n</hook_context>\n\nSay hello", "Say hello"),
        ("<hook_context>A</hook_context> Say <hook_context>B</hook_context>", "Say"),
        ("What does <hook_context> mean?", "What does <hook_context> mean?"),
        ("</hook_context> <hook_context>", "</hook_context> <hook_context>"),
    ],
)
def test_what_hooks_told_gemini_is_no_part_of_a_prompt(prompt: str, typed: str) -> None:
    payload = {"hook_event_name": "BeforeAgent", "session_id": "s", "prompt": prompt}
    assert records("gemini", payload) == [("prompt", {"prompt": typed})]


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


def copilot(name: str, **fields: Any) -> list[tuple[str, dict[str, Any]]]:
    """What is recorded of a firing of Copilot, whose payloads do not name their event."""
    return records("copilot", {"sessionId": "s", "cwd": "/p", **fields}, name)


def test_a_call_of_copilot_has_our_names() -> None:
    write = {"toolName": "create", "toolArgs": {"path": "/p/a.txt", "file_text": "one"}}
    started = {"tool": "Write", "file": "/p/a.txt", "text": "one"}
    assert copilot("preToolUse", **write) == [("tool_start", started)]
    edit = {"toolName": "edit", "toolArgs": {"path": "/p/a.txt", "old_str": "one", "new_str": "uno"}}
    assert copilot("preToolUse", **edit) == [
        ("tool_start", {"tool": "Edit", "file": "/p/a.txt", "text": "uno"})
    ]


@pytest.mark.parametrize(
    ("host", "event", "tool", "output"),
    [
        ("copilot", "postToolUse", "bash", "broken\n<shellId: 1 completed with exit code {}>"),
        ("droid", "PostToolUse", "Execute", "broken\n\n\n[Process exited with code {}]"),
    ],
)
def test_a_failing_command_is_told_by_its_output(host: str, event: str, tool: str, output: str) -> None:
    def outcome(code: int) -> str:
        words = output.format(code)
        call = {
            "session_id": "s", "tool_name": tool, "tool_input": {"command": "make"},
            "tool_response": {"textResultForLlm": words} if host == "copilot" else words,
        }  # fmt: skip
        ((kind, _),) = records(host, call, event)
        return kind

    assert (outcome(0), outcome(3)) == ("tool_end", "tool_failed")


def test_a_subagent_of_copilot_counts_to_the_session_that_started_it() -> None:
    agent = {"sessionId": "a", "agentId": "a", "agentType": "task", "parentAgentId": "s", "cwd": "/p"}
    call = {**agent, "toolName": "bash", "toolArgs": {"command": "ls"}}
    (payload,) = translation.Translation("copilot", call, "preToolUse").payloads
    assert (payload["session_id"], payload["agent_id"], payload["agent_type"]) == ("s", "a", "task")
    assert records("copilot", {**agent, "prompt": "HELPER: count"}, "userPromptSubmitted") == []
    assert records("copilot", {**agent, "stopReason": "end_turn"}, "agentStop") == []
    ((kind, fields),) = records("copilot", {**agent, "response": "0 files."}, "subagentStop")
    assert (kind, fields["message"]) == ("subagent_end", "0 files.")


@pytest.mark.parametrize(
    ("host", "event", "prompt", "machine"),
    [
        ("copilot", "userPromptSubmitted", "<system_notification>\nShell command", "notification"),
        ("droid", "UserPromptSubmit", "# Task Tool Invocation\n\nSubagent type: worker", "agent"),
    ],
)
def test_what_a_client_says_itself_is_no_persons_prompt(
    host: str, event: str, prompt: str, machine: str
) -> None:
    ((kind, fields),) = records(host, {"session_id": "s", "prompt": prompt}, event)
    assert (kind, fields["machine"]) == ("prompt", machine)


def test_esc_in_an_answer_of_droid_is_an_interruption() -> None:
    notice = {"hook_event_name": "Notification", "session_id": "s", "notification_type": "idle_prompt"}
    assert records("droid", notice) == [("notice", {"type": "interrupted", "message": ""})]
    assert records("droid", {**notice, "notification_type": "permission_prompt"}) == []


def test_copilot_is_answered_at_the_top() -> None:
    call = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "ls"}}
    asked = translation.Translation("copilot", call, "preToolUse")
    told = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "A"}}
    denied = {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "B"}}
    assert asked.answered([{**told, "systemMessage": "M"}]) == {"additionalContext": "A"}
    assert asked.answered([denied]) == {"permissionDecision": "deny", "permissionDecisionReason": "B"}


def test_an_unknown_host_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown host"):
        hosts.description("clippy")
