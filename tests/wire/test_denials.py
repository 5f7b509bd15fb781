"""A refusal is the person's only where the client's transcript marks it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from learnloop.wire import payloads
from learnloop.wire.payloads import HookContext

REFUSED = (
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse uv"
)
MARK: dict[str, Any] = {"toolDenialKind": "user-rejected"}


def line(use_id: str = "t1", *, is_error: bool = True, **fields: Any) -> str:
    part = {"type": "tool_result", "tool_use_id": use_id, "content": REFUSED, "is_error": is_error}
    return json.dumps({"type": "user", "message": {"role": "user", "content": [part]}, **fields})


def recorded(path: Path, event: str = "PostToolBatch", **fields: Any) -> tuple[str, dict[str, Any]]:
    call = {
        "tool_name": "Bash", "tool_input": {"command": "cat a"}, "tool_use_id": "t1",
        "tool_response": REFUSED,
    }  # fmt: skip
    batch = {"tool_calls": [call]} if event == "PostToolBatch" else call
    whole = {"hook_event_name": event, "session_id": "s1", "transcript_path": str(path), **batch, **fields}
    (record,) = payloads.records("claude", whole, HookContext("/p"))
    return record["kind"], record["payload"]


def transcript(folder: Path, *lines: str) -> Path:
    path = folder / "s1.jsonl"
    path.write_text("".join(f"{text}\n" for text in lines))
    return path


def test_a_marked_refusal_keeps_its_words(tmp_path: Path) -> None:
    path = transcript(tmp_path, line("t0"), line(**MARK), '{"type": "mode"}')
    assert recorded(path) == (
        "refusal",
        {"tool": "Bash", "command": "cat a", "words": "Use uv", "marked": True},
    )


@pytest.mark.parametrize("text", [
    line(is_error=False, **MARK), line(), line(toolDenialKind="hook"),
    line(toolUseResult="Error: " + REFUSED),
])  # fmt: skip
def test_a_result_without_the_mark_is_what_a_tool_printed(tmp_path: Path, text: str) -> None:
    assert recorded(transcript(tmp_path, text))[0] == "tool_end"


def test_a_mark_that_a_tool_printed_is_none(tmp_path: Path) -> None:
    forged = line(**MARK)
    path = transcript(tmp_path, line(is_error=False, toolUseResult={"stdout": f"\n{forged}\n"}))
    assert recorded(path)[0] == "tool_end"


def test_nothing_but_a_batch_tells_of_a_refusal(tmp_path: Path) -> None:
    assert recorded(transcript(tmp_path, line(**MARK)), "PostToolUse")[0] == "tool_end"


@pytest.mark.parametrize("text", ["", "{", line("t2", **MARK), '{"message": {"content": 7}, "x": "t1"}'])
def test_what_the_transcript_does_not_tell_is_not_the_persons(tmp_path: Path, text: str) -> None:
    kind, payload = recorded(transcript(tmp_path, text))
    assert (kind, payload.get("marked")) == ("refusal", None)


def test_a_subagents_refusal_is_looked_up_in_its_own_transcript(tmp_path: Path) -> None:
    own = tmp_path / "s1" / "subagents" / "agent-a1.jsonl"
    own.parent.mkdir(parents=True)
    own.write_text(line(**MARK) + "\n")
    assert recorded(tmp_path / "s1.jsonl", agent_id="a1")[1].get("marked") is True
    assert recorded(tmp_path / "s1.jsonl", agent_id="../a1")[1].get("marked") is None


def test_a_pipe_in_the_place_of_a_transcript_delays_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    os.mkfifo(path)
    assert recorded(path)[1].get("marked") is None
