"""Sessions of Copilot CLI and droid as events, and lines that are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.hosts.host import Host
from learnloop.hosts.table import COPILOT, DROID

Line = dict[str, Any]
SHARED = [
    ("session_start", {"source": "startup"}),
    ("prompt", {"prompt": "add a parser"}),
    ("tool_end", {"tool": "Write", "file": "/code/shop/a.py"}),
    ("tool_failed", {"tool": "Bash", "command": "make"}),
    ("turn_end", {"message": "Added it.", "background": []}),
    ("prompt", {"prompt": "No, use pytest"}),
    ("refusal", {"tool": "Write", "file": "/code/shop/b.py", "words": "", "marked": True}),
    ("notice", {"type": "interrupted", "message": ""}),
]
CALLS = (
    ("create", {"path": "/code/shop/a.py", "file_text": "x"}),
    ("bash", {"command": "make"}),
    ("create", {"path": "/code/shop/b.py", "file_text": "x"}),
)


def stamp(second: int) -> str:
    return f"2026-01-31T09:00:{second:02}.000Z"


def write(path: Path, *lines: Line) -> Path:
    path.parent.mkdir(parents=True)
    first, *rest = map(json.dumps, lines)
    path.write_text(
        "\n".join([first, "{torn", "7", '{"type": "from the future", "data": 7}', *rest]), "utf-8"
    )
    return path


def copilot(home: Path) -> Path:
    def line(second: int, kind: str, **data: Any) -> Line:
        return {"type": kind, "timestamp": stamp(second), "data": data}

    requests = [
        {"toolCallId": f"c{at}", "name": name, "arguments": given} for at, (name, given) in enumerate(CALLS)
    ]
    done = "tool.execution_complete"
    return write(
        home / "session-state" / "s1" / "events.jsonl",
        line(0, "session.start", sessionId="s1", context={"cwd": "/code/shop"}),
        line(1, "user.message", content="add a parser", interactionId="i1"),
        {**line(1, "user.message", content="HELPER: count"), "agentId": "a1"},
        line(2, "assistant.message", content="Let me see.", toolRequests=requests),
        line(2, done, toolCallId="c0", success=True),
        line(3, done, toolCallId="c1", success=True, shellExecution={"exitCode": 2}),
        line(4, "assistant.message", content="Added it."),
        line(5, "user.message", content="No, use pytest", interactionId="i2"),
        line(6, "permission.completed", toolCallId="c2", result={"kind": "cancelled"}),
        line(6, done, toolCallId="c2", success=False, error={"code": "denied"}),
        line(7, "abort", reason="user_initiated"),
    )  # fmt: skip


def droid(home: Path) -> Path:
    def line(second: int, role: str, *parts: Line, **more: Any) -> Line:
        message = {"role": role, "content": list(parts), **more}
        return {"type": "message", "timestamp": stamp(second), "message": message}

    def words(text: str) -> Line:
        return {"type": "text", "text": text}

    names = {"create": "Create", "bash": "Execute"}
    inputs = [{"file_path": given["path"]} if "path" in given else given for _, given in CALLS]
    uses = [
        {"type": "tool_use", "id": f"c{at}", "name": names[name], "input": inputs[at]}
        for at, (name, _) in enumerate(CALLS)
    ]

    def result(at: int, output: str = "", *, is_error: bool = True) -> Line:
        return {"type": "tool_result", "tool_use_id": f"c{at}", "is_error": is_error, "content": output}

    return write(
        home / "sessions" / "-code-shop" / "s1.jsonl",
        {"type": "session_start", "id": "s1", "cwd": "/code/shop", "hostId": "h"},
        line(1, "user", words("<system-reminder>\ntools")), line(1, "user", words("add a parser")),
        line(2, "assistant", words("Let me see."), *uses), line(2, "user", result(0, is_error=False)),
        line(3, "user", result(1, "Error: Command failed (exit code: 2)")),
        line(4, "assistant", words("Added it.")), line(5, "user", words("No, use pytest")),
        line(6, "user", result(2, "Tool execution cancelled by user")),
        line(7, "user", visibility="user_only", hookEventName="Stop", hookResults=7),
        {"type": "agent_turn_outcome", "reason": "completed"},
    )  # fmt: skip


@pytest.fixture(params=[(COPILOT, copilot), (DROID, droid)], ids=["copilot", "droid"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Host, Path]:
    """A host and one of its transcripts."""
    host, writes = request.param
    return host, writes(tmp_path)


def test_a_session_has_the_events_that_hooks_would_record(session: tuple[Host, Path]) -> None:
    host, path = session
    events = host.transcripts.events(path)
    fields = [
        (event["kind"], {name: value for name, value in event["payload"].items() if name != "error"})
        for event in events
    ]
    assert fields == SHARED
    assert {(event["host"], event["session_id"]) for event in events} == {(host.name, "s1")}
    assert host.transcripts.events(path) == events, "the same ids at every reading"
    assert len({event["id"] for event in events}) == len(events)


def test_sessions_lie_where_the_host_keeps_them(session: tuple[Host, Path], tmp_path: Path) -> None:
    host, path = session
    assert host.transcripts.files(tmp_path) == [path]
    assert host.transcripts.is_transcript(path)
    assert host.transcripts.folder(path) == "/code/shop"


def test_a_call_that_a_hook_of_droid_stopped_is_none(tmp_path: Path) -> None:
    path = droid(tmp_path)
    denial = {"exitCode": 0, "stdout": '{"hookSpecificOutput": {"permissionDecision": "deny"}}'}
    hook = {"visibility": "user_only", "hookToolCallId": "c1", "hookResults": [7, denial]}
    stopped = json.dumps({"type": "message", "timestamp": stamp(2), "message": hook})
    lines = path.read_text("utf-8").split("\n")
    path.write_text("\n".join([*lines[:7], stopped, *lines[7:]]), "utf-8")
    assert "tool_failed" not in [event["kind"] for event in DROID.transcripts.events(path)]


def test_a_subagent_of_droid_is_read_with_the_session_that_called_it(tmp_path: Path) -> None:
    path = droid(tmp_path)
    before = DROID.transcripts.events(path)
    lines = path.read_text("utf-8").replace('"id": "s1"', '"id": "a1", "callingSessionId": "s1"').split("\n")
    task = lines[5].replace("add a parser", r"# Task Tool Invocation\n\nSubagent type: worker\n")
    path.with_name("a1.jsonl").write_text("\n".join([lines[0], task, *lines[6:10]]), "utf-8")
    assert DROID.transcripts.files(tmp_path) == [path]
    events = DROID.transcripts.events(path)
    theirs = [event for event in events if event.get("agent_id") == "a1"]
    assert [event["kind"] for event in theirs] == [
        "subagent_start",
        "tool_end",
        "tool_failed",
        "subagent_end",
    ]
    assert {(event["session_id"], event["agent_type"]) for event in theirs} == {("s1", "worker")}
    assert [event for event in events if event not in theirs] == before


def test_a_session_of_droid_exec_says_so(tmp_path: Path) -> None:
    path = droid(tmp_path)
    path.with_suffix(".settings.json").write_text('{"tags": [7, {"name": "exec"}]}')
    prompts = [event["payload"] for event in DROID.transcripts.events(path) if event["kind"] == "prompt"]
    assert [prompt.get("headless") for prompt in prompts] == ["print"] * len(prompts)


def test_each_knows_its_own(session: tuple[Host, Path]) -> None:
    host, path = session
    other = DROID if host is COPILOT else COPILOT
    assert not other.transcripts.is_transcript(path)
    assert other.transcripts.events(path) == []
