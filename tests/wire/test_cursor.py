"""Payloads of Cursor, written after https://cursor.com/docs/hooks: none is of the real program."""

from typing import Any

import pytest

from learnloop.wire import payloads
from learnloop.wire.hosts import translation

BASE = {
    "conversation_id": "c1", "generation_id": "g1", "model": "claude-opus-4-7-thinking-max",
    "model_id": "claude-opus-4-7", "model_params": [{"id": "effort", "value": "max"}],
    "cursor_version": "1.7.2", "workspace_roots": ["/project"], "user_email": "someone@example.com",
    "transcript_path": "/project/transcript.txt",
}  # fmt: skip
SHELL = {"tool_name": "Shell", "tool_use_id": "abc123", "cwd": "/project"}
INSTALL = {**SHELL, "tool_input": {"command": "npm install", "working_directory": "/project"}}
TEST = {**SHELL, "tool_input": {"command": "npm test"}}


def firing(event: str, **fields: Any) -> dict[str, Any]:
    return {**BASE, "hook_event_name": event, **fields}


def records(event: str, **fields: Any) -> list[dict[str, Any]]:
    """What a hook would record of a firing."""
    translated = translation.Translation("cursor", firing(event, **fields)).payloads
    made = [payloads.records("cursor", each, payloads.HookContext("/project")) for each in translated]
    return [dict(record) for each in made for record in each]


def said(event: str, **fields: Any) -> list[tuple[str, dict[str, Any]]]:
    """Kind and payload of what a hook would record."""
    return [(record["kind"], record["payload"]) for record in records(event, **fields)]


def test_a_prompt_belongs_to_its_conversation_and_generation() -> None:
    attached = [{"type": "rule", "file_path": "/project/.cursor/rules/a.mdc"}]
    (prompt,) = records("beforeSubmitPrompt", prompt="No, use uv.", attachments=attached)
    assert (prompt["kind"], prompt["payload"]) == ("prompt", {"prompt": "No, use uv."})
    assert (prompt["session_id"], prompt["prompt_id"], prompt["host"]) == ("c1", "g1", "cursor")


def test_a_call_has_our_names() -> None:
    assert said("preToolUse", **INSTALL, agent_message="Installing dependencies...") == [
        ("tool_start", {"tool": "Bash", "command": "npm install"})
    ]
    output = '{"exitCode":0,"stdout":"All tests passed"}'
    assert said("postToolUse", **TEST, tool_output=output, duration=5432) == [
        ("tool_end", {"tool": "Bash", "command": "npm test"})
    ]


def test_a_failing_command_is_told_by_its_output_or_by_its_event() -> None:
    ((kind, fields),) = said("postToolUse", **TEST, tool_output='{"exitCode": 3,"stdout":"1 failed"}')
    assert (kind, fields["command"]) == ("tool_failed", "npm test")
    assert said("postToolUseFailure", **TEST, error_message="Timed out", failure_type="timeout") == [
        ("tool_failed", {"tool": "Bash", "command": "npm test", "error": "Timed out"})
    ]
    ((_, fields),) = said("postToolUseFailure", **TEST, error_message="", is_interrupt=True)
    assert fields["interrupt"] is True


def test_a_call_that_somebody_denied_is_nobodys_failure() -> None:
    assert records("postToolUseFailure", **TEST, failure_type="permission_denied") == []


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("completed", ("turn_end", {"message": "", "background": []})),
        ("aborted", ("notice", {"type": "interrupted", "message": ""})),
        ("error", ("turn_failed", {"error": "", "message": ""})),
        ({"a": 1}, ("turn_end", {"message": "", "background": []})),
    ],
)
def test_the_status_of_a_stop_says_how_the_turn_ended(status: object, expected: Any) -> None:
    assert said("stop", status=status, loop_count=0) == [expected]


def test_an_answer_comes_before_the_end() -> None:
    assert said("afterAgentResponse", text="Done: it is uv now.") == [
        ("answer", {"message": "Done: it is uv now."})
    ]


def test_a_subagent_reports_what_it_found() -> None:
    ((kind, fields),) = said(
        "subagentStop", subagent_type="explore", status="completed", task="Look", summary="2 files.",
    )  # fmt: skip
    assert (kind, fields) == ("subagent_end", {"message": "2 files."})


def test_a_session_begins_and_ends() -> None:
    assert said("sessionStart", session_id="c1", composer_mode="agent") == [
        ("session_start", {"source": "", "model": BASE["model"]})
    ]
    assert said("sessionEnd", session_id="c1", reason="window_close") == [
        ("session_end", {"reason": "window_close"})
    ]
    assert said("preCompact", trigger="auto", message_count=45) == [("compact", {"trigger": "auto"})]


def test_the_account_of_the_person_is_in_no_record() -> None:
    for event in ("sessionStart", "beforeSubmitPrompt", "preToolUse", "stop", "sessionEnd"):
        assert "someone@example.com" not in str(records(event, prompt="hello", **INSTALL))


def test_an_answer_has_the_documented_fields_alone() -> None:
    told = {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "A"}}
    after = translation.Translation("cursor", firing("postToolUse", **TEST))
    assert after.answered([{**told, "systemMessage": "M"}]) == {"additional_context": "A"}
    denied = {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "B"}}
    before = translation.Translation("cursor", firing("preToolUse", **INSTALL))
    assert before.answered([denied]) == {"permission": "deny", "user_message": "B", "agent_message": "B"}


def test_our_words_at_an_end_are_never_taken_for_the_persons() -> None:
    end = translation.Translation("cursor", firing("stop", status="completed"))
    answer = end.answered([{"decision": "block", "reason": "Write the changelog."}])
    assert answer is not None
    ((_, fields),) = said("beforeSubmitPrompt", prompt=answer["followup_message"])
    assert fields["machine"] == "hook"


@pytest.mark.parametrize("event", ["beforeShellExecution", "workspaceOpen", "fromTheFuture"])
def test_an_event_that_is_not_registered_is_refused(event: str) -> None:
    with pytest.raises(ValueError, match="unknown event"):
        records(event)
