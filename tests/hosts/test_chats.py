"""Chats of Gemini CLI and Qwen Code as events, and lines that are none."""

import json
from pathlib import Path
from typing import Any

from learnloop.hosts.table import GEMINI, QWEN

SHARED = [
    ("session_start", {"source": "startup"}),
    ("prompt", {"prompt": "add a parser"}),
    ("tool_end", {"tool": "Write", "file": "/code/shop/a.py"}),
    ("tool_failed", {"tool": "Bash", "command": "make", "error": "\nExit Code: 2"}),
    ("turn_end", {"message": "Added it.", "background": []}),
    ("prompt", {"prompt": "No, use pytest"}),
    ("refusal", {"tool": "Write", "file": "/code/shop/b.py", "words": "", "marked": True}),
]
WRITE = ("write_file", {"file_path": "/code/shop/a.py", "content": "x"}, "success", {"output": "ok"})
MAKE = ("run_shell_command", {"command": "make"}, "error", {"error": "\nExit Code: 2"})
OTHER = ("write_file", {"file_path": "/code/shop/b.py"}, "cancelled", {"error": "cancelled"})
ADDED = "qwen:user-prompt-submit-context"
Call = tuple[str, dict[str, Any], str, dict[str, str]]


def stamped(second: int, **fields: Any) -> str:
    return json.dumps({"timestamp": f"2026-01-31T09:00:{second:02}.000Z", **fields})


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines), "utf-8")
    return path


def gemini_call(call: Call) -> dict[str, Any]:
    name, args, status, response = call
    result = [{"functionResponse": {"id": name, "response": response}}]
    return {"id": name, "name": name, "args": args, "status": status, "result": result}


def gemini(home: Path) -> Path:
    def message(second: int, kind: str, words: object, *calls: Call) -> str:
        more = {"toolCalls": [gemini_call(call) for call in calls]} if calls else {}
        return stamped(second, id=f"m{second}", type=kind, content=words, **more)

    chats = home / "tmp" / "shop" / "chats"
    path = write(
        chats / "session-1.jsonl",
        json.dumps({"sessionId": "s1", "projectHash": "h"}),
        '{"$set": {"messages": []}}', "{torn", "7",
        message(0, "user", [{"text": "<session_context>\nToday"}]),
        message(1, "user", [{"text": "add a parser"}]),
        message(2, "gemini", "Let me see."),
        message(2, "gemini", "Let me see.", WRITE, MAKE),
        message(3, "gemini", "Added it."),
        message(4, "user", [{"text": "<hook_context>Learnloop says</hook_context>"}]),
        message(4, "user", [{"text": "No, use pytest"}, {"text": "<hook_context>and says</hook_context>"}]),
        message(5, "gemini", "", OTHER),
    )  # fmt: skip
    (chats.parent / ".project_root").write_text("/code/shop")
    return path


def qwen(home: Path) -> Path:
    def line(second: int, provenance: str, *parts: dict[str, Any], **fields: Any) -> str:
        return stamped(
            second, sessionId="s1", cwd="/code/shop", type="x", provenance=provenance,
            message={"parts": list(parts)}, **fields,
        )  # fmt: skip

    def called(second: int, number: int, call: Call) -> tuple[str, str]:
        name, args, status, response = call
        use = {"functionCall": {"id": str(number), "name": name, "args": args}}
        answer = {"functionResponse": {"id": str(number), "response": response}}
        return (
            line(second, "assistant_output", use),
            line(second, "tool_result", answer, toolCallResult={"status": status}),
        )

    return write(
        home / "projects" / "-code-shop" / "chats" / "s1.jsonl", "{torn", "7",
        line(1, "real_user", {"text": "add a parser"}),
        line(1, "system", {"text": "telemetry"}),
        *called(2, 1, WRITE), *called(2, 2, MAKE),
        line(3, "assistant_output", {"text": "hm", "thought": True}, {"text": "Added it."}),
        line(4, "real_user", {"text": f"No, use pytest\n<{ADDED}>\nLearnloop says\n</{ADDED}>"}),
        *called(5, 3, OTHER),
    )  # fmt: skip


def test_a_chat_has_the_events_that_hooks_would_record(tmp_path: Path) -> None:
    for host, path in ((GEMINI, gemini(tmp_path / "gemini")), (QWEN, qwen(tmp_path / "qwen"))):
        events = host.transcripts.events(path)
        assert [(event["kind"], event["payload"]) for event in events] == SHARED, host.name
        assert {event["host"] for event in events} == {host.name}
        assert host.transcripts.events(path) == events, "the same ids at every reading"
        assert len({event["id"] for event in events}) == len(events)


def test_chats_lie_where_the_host_keeps_them(tmp_path: Path) -> None:
    for host, path in ((GEMINI, gemini(tmp_path / "gemini")), (QWEN, qwen(tmp_path / "qwen"))):
        assert host.transcripts.files(tmp_path / host.name) == [path]
        assert host.transcripts.is_transcript(path)
        assert host.transcripts.folder(path) == "/code/shop"


def test_each_knows_its_own(tmp_path: Path) -> None:
    assert not QWEN.transcripts.is_transcript(gemini(tmp_path / "gemini"))
    assert not GEMINI.transcripts.is_transcript(qwen(tmp_path / "qwen"))
    assert GEMINI.transcripts.events(qwen(tmp_path / "again")) == []
