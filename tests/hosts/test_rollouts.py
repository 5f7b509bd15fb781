"""Transcripts of Codex as events: what its versions have written, and lines that are none."""

import json
from pathlib import Path
from typing import Any

from learnloop.hosts import rollouts
from learnloop.hosts.table import CODEX

META = {
    "session_id": "s1",
    "id": "s1",
    "cwd": "/code/shop",
    "originator": "codex-tui",
    "git": {"branch": "main"},
}
COMMAND = {"type": "CommandExecution", "id": "c1", "command": ["/bin/bash", "-lc", "make"], "exit_code": 2,
           "aggregated_output": "no rule\n"}  # fmt: skip
CHANGE = {"type": "FileChange", "id": "c2", "changes": {"/code/shop/a.py": {"type": "add", "content": "x"}}}


def line(kind: str, payload: dict[str, Any], second: int) -> str:
    timestamp = f"2026-01-31T09:00:{second:02}.000Z"
    return json.dumps({"timestamp": timestamp, "ordinal": second, "type": kind, "payload": payload})


def item(what: dict[str, Any], second: int, turn: str = "t1") -> str:
    return line("event_msg", {"type": "item_completed", "turn_id": turn, "item": what}, second)


def said(words: str) -> dict[str, Any]:
    return {"type": "UserMessage", "content": [{"type": "text", "text": words}]}


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / "sessions" / "2026" / "01" / "31" / f"rollout-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), "utf-8")
    return path


def session(folder: Path, **meta: Any) -> Path:
    return write(
        folder, "1", line("session_meta", {**META, **meta}, 0), "{torn", "7", item(said("add a parser"), 1),
        item(COMMAND, 2), item(CHANGE, 3),
        line("event_msg", {"type": "task_complete", "turn_id": "t1", "last_agent_message": "Added it."}, 4),
        line("event_msg", {"type": "user_message", "turn_id": "t2", "message": "No, use pytest"}, 5),
        line("event_msg", {"type": "turn_aborted", "turn_id": "t2", "reason": "interrupted"}, 6),
        line("event_msg", {"type": "from_the_future", "item": 7}, 7),
    )  # fmt: skip


def test_a_session_has_the_events_that_hooks_would_record(tmp_path: Path) -> None:
    events = rollouts.events(session(tmp_path))
    assert [(event["kind"], event["payload"]) for event in events] == [
        ("session_start", {"source": "startup", "branch": "main"}),
        ("prompt", {"prompt": "add a parser"}),
        ("tool_failed", {"tool": "Bash", "command": "make", "error": "Exit code 2\nno rule\n"}),
        ("tool_end", {"tool": "Write", "file": "/code/shop/a.py"}),
        ("turn_end", {"message": "Added it.", "background": []}),
        ("prompt", {"prompt": "No, use pytest"}),
        ("notice", {"type": "interrupted", "message": ""}),
    ]
    assert {event["host"] for event in events} == {"codex"}
    assert [event.get("prompt_id") for event in events][1:] == ["t1"] * 4 + ["t2"] * 2
    assert rollouts.events(session(tmp_path)) == events, "the same ids at every reading"


def test_what_a_program_started_is_marked(tmp_path: Path) -> None:
    prompts = [
        e for e in rollouts.events(session(tmp_path, originator="codex_exec")) if e["kind"] == "prompt"
    ]
    assert {prompt["payload"]["headless"] for prompt in prompts} == {"print"}


def test_a_subagent_is_read_with_its_session_and_its_task_is_no_prompt(tmp_path: Path) -> None:
    path = session(tmp_path)
    source: dict[str, dict[str, object]] = {"subagent": {}}
    meta = {**META, "id": "a1", "parent_thread_id": "s1", "source": source}
    write(tmp_path, "2", line("session_meta", meta, 2), item(said("count"), 3), item(COMMAND, 4))
    assert rollouts.files(tmp_path) == [path]
    theirs = [event for event in rollouts.events(path) if event.get("agent_id") == "a1"]
    assert [(event["kind"], event["session_id"]) for event in theirs] == [("tool_failed", "s1")]


def test_failures_of_a_turn(tmp_path: Path) -> None:
    path = session(tmp_path)
    assert [event["tool_use_id"] for event in rollouts.failures(path, "t1")] == ["c1"]
    assert rollouts.failures(path, "t2") == []


def test_other_files_are_no_transcripts(tmp_path: Path) -> None:
    other = tmp_path / "x.jsonl"
    other.write_text('{"type": "user", "sessionId": "s"}\n[]\n', "utf-8")
    assert not CODEX.transcripts.is_transcript(other)
    assert CODEX.transcripts.events(other) == []
    assert CODEX.transcripts.folder(session(tmp_path)) == "/code/shop"
