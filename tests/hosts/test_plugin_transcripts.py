"""Sessions of OpenCode and Cline as events, and what is none."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from learnloop.hosts.table import CLINE, OPENCODE

SHOP = "/code/shop"
SHARED = [
    ("session_start", {"source": "startup"}),
    ("prompt", {"prompt": "add a parser"}),
    ("tool_end", {"tool": "Edit", "file": f"{SHOP}/a.py"}),
    ("tool_failed", {"tool": "Bash", "command": "make", "error": "no rule"}),
    ("turn_end", {"message": "Added it.", "background": []}),
    ("prompt", {"prompt": "No, use pytest"}),
    ("refusal", {"tool": "Edit", "file": f"{SHOP}/b.py", "words": "", "marked": True}),
]


@pytest.fixture
def opencode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "opencode" / "opencode.db"
    path.parent.mkdir()
    user, agent = {"role": "user"}, {"role": "assistant"}
    edit, make = {"filePath": f"{SHOP}/a.py"}, {"command": "make"}
    parts: list[tuple[dict[str, Any], object]] = [
        (user, {"type": "text", "text": '"add a parser"'}),
        (user, {"type": "text", "text": "Learnloop says", "synthetic": True}),
        (agent, part("edit", edit, status="completed")),
        (agent, part("bash", make, output="no rule", metadata={"exit": 2})),
        (agent, {"type": "text", "text": "Added it."}), (agent, {"type": "step-finish"}), (agent, "torn"),
        (user, {"type": "text", "text": "No, use pytest"}),
        (agent, part("edit", {"filePath": f"{SHOP}/b.py"}, error="The user rejected permission to use this")),
        (agent, {"type": "tool", "state": 7}),
    ]  # fmt: skip
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("CREATE TABLE session (id, parent_id, directory, time_created)")
        store.execute("CREATE TABLE message (id, session_id, time_created, data)")
        store.execute("CREATE TABLE part (id, message_id, time_created, data)")
        store.execute("INSERT INTO session VALUES ('s1', NULL, ?, 1000)", [SHOP])
        store.execute("INSERT INTO session VALUES ('s2', 's1', ?, 1000)", [SHOP])
        for at, (about, data) in enumerate(parts, 1001):
            store.execute("INSERT INTO message VALUES (?, 's1', ?, ?)", [f"m{at}", at, json.dumps(about)])
            store.execute("INSERT INTO part VALUES (?, ?, ?, ?)", [f"p{at}", f"m{at}", at, json.dumps(data)])
    return path


def part(tool: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": tool, "callID": str(given), "state": {"input": given, **state}}


@pytest.fixture
def cline(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "sessions" / "s1"
    folder.mkdir(parents=True)
    (folder / "s1.json").write_text(json.dumps({"cwd": SHOP}))
    (folder / "agent_1.messages.json").write_text('{"messages": [], "agent": "subagent"}')

    def message(at: int, role: str, *parts: object) -> dict[str, Any]:
        return {"id": f"m{at}", "role": role, "content": parts, "ts": at}

    def say(words: str) -> dict[str, str]:
        return {"type": "text", "text": words}

    def use(name: str, given: object) -> dict[str, object]:
        return {"type": "tool_use", "id": str(given), "name": name, "input": given}

    def result(given: object, output: object) -> dict[str, object]:
        return {"type": "tool_result", "tool_use_id": str(given), "content": output}

    edit, other, make = {"path": f"{SHOP}/a.py"}, {"path": f"{SHOP}/b.py"}, {"commands": ["make"]}
    refused = {"error": "This tool call was rejected by the user and not executed."}
    messages = [
        message(1001, "user", say('<user_input mode="act">add a parser</user_input>')),
        message(1002, "user", say("<hook_context>Learnloop says</hook_context>")),
        message(1003, "assistant", say("Let me see."), use("editor", edit), use("run_commands", make)),
        message(1004, "user", result(edit, '{"success": true}'), 7),
        message(1005, "user", result(make, [{"success": False, "error": "no rule"}])),
        message(1006, "assistant", say("Added it.")),
        message(1007, "user", say('<user_input mode="act">No, use pytest</user_input>')),
        message(1008, "assistant", use("editor", other)),
        message(1009, "user", result(other, json.dumps(refused))),
        {"role": "user", "content": "no time"},
    ]  # fmt: skip
    path = folder / "s1.messages.json"
    path.write_text(json.dumps({"sessionId": "s1", "messages": [*messages, None]}))
    return path


def test_sessions_of_opencode_are_read(opencode: Path) -> None:
    reader = OPENCODE.transcripts
    session = opencode / "s1"
    assert reader.files(Path("/nowhere")) == reader.files(opencode) == [session]
    assert reader.is_transcript(opencode)
    assert reader.is_transcript(session)
    assert not reader.is_transcript(opencode / "s2"), "a subagent's"
    assert reader.folder(session) == SHOP
    records = reader.events(session)
    assert [(record["kind"], record["payload"]) for record in records] == SHARED
    assert {(record["host"], record["session_id"], record["cwd"]) for record in records} == {
        ("opencode", "s1", SHOP)
    }
    assert reader.events(session) == records


def test_sessions_of_print_mode_say_so(opencode: Path, cline: Path) -> None:
    with closing(sqlite3.connect(opencode)) as store, store:
        store.execute("ALTER TABLE session ADD COLUMN permission")
        store.execute("UPDATE session SET permission = ?", ['[{"permission":"question","action":"deny"}]'])
    cline.with_name("s1.json").write_text(json.dumps({"cwd": SHOP, "interactive": False}))
    for host, path in ((OPENCODE, opencode / "s1"), (CLINE, cline)):
        prompts = [each["payload"] for each in host.transcripts.events(path) if each["kind"] == "prompt"]
        assert [prompt.get("headless") for prompt in prompts] == ["print"] * 2


def test_sessions_of_cline_are_read(cline: Path, tmp_path: Path) -> None:
    reader = CLINE.transcripts
    assert reader.files(tmp_path) == [cline]
    assert reader.is_transcript(cline)
    assert not reader.is_transcript(cline.with_name("agent_1.messages.json"))
    assert reader.folder(cline) == SHOP
    records = reader.events(cline)
    assert [(record["kind"], record["payload"]) for record in records] == SHARED
    assert {(record["host"], record["session_id"], record["cwd"]) for record in records} == {
        ("cline", "s1", SHOP)
    }
    assert reader.events(cline) == records


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"messages": 7}', b"SQLite format 3\0 but torn"])
def test_other_files_are_no_sessions(tmp_path: Path, data: bytes) -> None:
    for host, name in ((OPENCODE, "opencode.db"), (CLINE, "s1.messages.json")):
        path = tmp_path / name
        path.write_bytes(data)
        assert not host.transcripts.is_transcript(path)
        assert host.transcripts.events(path) == []


def test_what_was_cut_off_is_read_as_far_as_it_is_there(opencode: Path, cline: Path) -> None:
    for host, path in ((OPENCODE, opencode), (CLINE, cline)):
        whole = path.read_bytes()
        for size in range(0, len(whole), 256):
            path.write_bytes(whole[:size])
            reader = host.transcripts
            sessions = reader.files(path) if host is OPENCODE else [path]
            events = [(each["kind"], each["payload"]) for file in sessions for each in reader.events(file)]
            assert all(event in SHARED for event in events)


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [7]])
@pytest.mark.parametrize("name", ["id", "role", "content", "ts"])
def test_messages_of_another_version_of_cline_hurt_nobody(cline: Path, name: str, value: object) -> None:
    session = json.loads(cline.read_text())
    messages = [{**message, name: value} for message in session["messages"] if message]
    for whole in ({**session, "messages": messages}, {**session, "messages": value}, {"sessionId": value}):
        cline.write_text(json.dumps(whole))
        assert isinstance(CLINE.transcripts.events(cline), list)
