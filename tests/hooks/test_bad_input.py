"""A hook can never hurt the agent: whatever arrives, exit 0, nothing on stderr, valid output or none."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from learnloop.wire import paths
from tests.hooks.agent import Agent

EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "SubagentStart", "SubagentStop", "Stop", "StopFailure", "Notification", "PreCompact", "SessionEnd",
)  # fmt: skip
WRONG: tuple[Any, ...] = (
    None, 7, -1.5, True, [], {}, [[1, {}]], {"a": {"b": [None]}}, "", "\ud800\0", "x" * 70_000,
)  # fmt: skip
FIELDS = (
    "session_id", "cwd", "prompt_id", "transcript_path", "agent_id", "agent_type", "prompt",
    "permission_mode", "source", "model", "tool_name", "tool_input", "tool_use_id", "tool_calls",
    "tool_response", "error",
    "is_interrupt", "last_assistant_message", "background_tasks", "notification_type", "message", "trigger",
    "reason",
)  # fmt: skip
GOOD: dict[str, Any] = {
    "session_id": "s1", "cwd": "/", "prompt": "Use tabs", "tool_name": "Write", "source": "startup",
    "tool_input": {"file_path": "/a", "content": "b"}, "tool_use_id": "t", "agent_id": "a", "agent_type": "b",
    "tool_calls": [{"tool_name": "Write", "tool_input": {"file_path": "/a"}, "tool_response": "ok"}],
    "background_tasks": [{"id": 1, "type": [], "description": {}}, 3], "notification_type": "idle_prompt",
}  # fmt: skip
MEMORY = 200 * 1024 * 1024


def prompt(**fields: Any) -> bytes:
    return json.dumps({"hook_event_name": "UserPromptSubmit", **GOOD, **fields}).encode()


REFUSED = {
    "empty": b"",
    "blank": b" \n",
    "not JSON": b"hello",
    "cut off": prompt()[:-7],
    "text after": prompt() + b"}",
    "a list": b"[]",
    "null": b"null",
    "a number": b"7",
    "binary": bytes(range(256)),
    "deep nesting": b"[" * 100_000,
    "deep object": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "a huge number": b'{"a":' + b"9" * 10_000 + b"}",
    "unknown event": prompt(hook_event_name="SomethingNew"),
    "event of a wrong type": prompt(hook_event_name=["Stop"]),
    "no event": json.dumps(GOOD).encode(),
    "no session": prompt(session_id=None),
    "prompt of a wrong type": prompt(prompt=["a"]),
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_refused_input_leaves_one_hook_error(agent: Agent, data: bytes) -> None:
    agent.write(data, LEARNLOOP_RECALL="0")
    ((kind, payload),) = agent.payloads()
    assert kind == "hook_error"
    assert payload["error"]
    assert payload["bytes"] == len(data)


def test_fifty_megabytes(agent: Agent) -> None:
    agent.write(prompt(prompt="a" * 50_000_000))
    ((kind, payload),) = agent.payloads()
    assert (kind, payload["event"]) == ("hook_error", "UserPromptSubmit")
    assert payload["bytes"] > 50_000_000


def test_a_large_payload_is_recorded(agent: Agent) -> None:
    agent.write(prompt(prompt="a" * 5_000_000))
    assert agent.events()[0]["payload"]["chars"] == 5_000_000


def test_invalid_utf8_is_recorded_and_recalled(agent: Agent) -> None:
    agent.write(prompt(prompt="caf@").replace(b"@", b"\xe9"), LEARNLOOP_RECALL="0")
    kept = dict(agent.payloads())
    assert kept["prompt"]["prompt"] == "caf\N{REPLACEMENT CHARACTER}"
    assert kept["hook_error"]["event"] == "UserPromptSubmit"


def test_hostile_text_stays_one_line_of_the_journal(agent: Agent) -> None:
    agent.write(prompt(prompt="a\nb\x00c\ud800d\u202ee\u2028f", session_id="../../etc\n"))
    event = agent.events()[0]
    assert event["payload"]["prompt"] == "a\nb�c�d�e f"
    assert "\n\n" not in Path(agent.root, "journal.jsonl").read_text().strip("\n").replace("\n\n", "", 40)


@pytest.mark.parametrize("event", EVENTS)
def test_wrong_types_anywhere(agent: Agent, event: str) -> None:
    """Every field of every event with values of every wrong kind, in one process: `main` without its exit."""
    from learnloop_hooks import record

    for field in FIELDS:
        for value in WRONG:
            data = json.dumps({**GOOD, "hook_event_name": event, field: value}).encode()
            record.handle(agent.root, "claude", data, len(data), time.monotonic_ns())
    for found in agent.events():
        assert isinstance(found["session_id"], str)
        assert isinstance(found["payload"], dict)


@pytest.mark.parametrize("field", FIELDS)
def test_wrong_types_through_the_command(agent: Agent, field: str) -> None:
    agent.write(json.dumps({**GOOD, "hook_event_name": "PostToolBatch", field: {"a": [1]}}).encode())
    agent.write(json.dumps({**GOOD, "hook_event_name": "PreToolUse", field: 7}).encode())


def test_corrupt_index_costs_only_the_recall(agent: Agent) -> None:
    index = Path(paths.index(agent.root))
    index.parent.mkdir(parents=True)
    for data in (b"", b"LLIX", b"\xff" * 9_000, b"LLIX 00000100 00000000\n{}"):
        index.write_bytes(data)
        assert agent.write(prompt()) == b""
    assert [kind for kind, _ in agent.payloads()].count("prompt") == 4


def test_index_that_is_a_folder(agent: Agent) -> None:
    Path(paths.index(agent.root)).mkdir(parents=True)
    agent.write(prompt())
    assert agent.events()[0]["kind"] == "prompt"


def test_hook_folder_deleted(agent: Agent) -> None:
    shutil.rmtree(agent.own_hooks())
    assert agent.write(prompt()) == b""


def test_root_deleted(agent: Agent) -> None:
    shutil.rmtree(agent.root)
    assert agent.write(prompt()) == b""


def test_damaged_hook_code(agent: Agent) -> None:
    for path in agent.own_hooks().rglob("*"):
        if path.is_file():
            path.write_bytes(b"import sys; sys.exit(2)")
    assert agent.write(prompt()) == b""


def test_interpreter_deleted(agent: Agent) -> None:
    """The agent sees a command that is not there: an error that blocks nothing."""
    agent.command = agent.command.replace("python", "python-that-is-gone")
    process = agent.start()
    process.communicate(prompt())
    assert process.returncode == 127


def test_project_deleted(agent: Agent) -> None:
    agent.env["CLAUDE_PROJECT_DIR"] = "/gone/away"
    agent.write(prompt())
    assert agent.events()[0]["project"] == "/gone/away"


def test_no_home(agent: Agent) -> None:
    del agent.env["HOME"]
    agent.write(prompt())
    assert agent.events()[0]["kind"] == "prompt"


def test_closed_streams(agent: Agent) -> None:
    run = subprocess.run(
        ["sh", "-c", f"{agent.command} <&- >&- 2>&-"], env=agent.env, check=False, timeout=60
    )
    assert run.returncode == 0


def test_reader_gone(agent: Agent) -> None:
    """The agent died: writing the answer meets a closed pipe."""
    process = agent.start()
    assert process.stdout
    process.stdout.close()
    process.stdout = None
    process.communicate(prompt(hook_event_name="SessionStart"))
    assert process.returncode == 0


@contextmanager
def unwritable(root: str) -> Iterator[None]:
    folders = [
        Path(root),
        *(path for path in Path(root).rglob("*") if path.is_dir() and not path.is_symlink()),
    ]
    for folder in folders:
        folder.chmod(0o500)
    try:
        yield
    finally:
        for folder in folders:
            folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes where nobody may")
def test_read_only_home(agent: Agent) -> None:
    with unwritable(agent.root):
        assert agent.write(prompt()) == b""


def test_home_that_cannot_be_made(agent: Agent, tmp_path: Path) -> None:
    """A root below a file: what a read-only home looks like to any user."""
    deployed = Path(paths.hooks(agent.root))
    for path in ("journal.jsonl", "spool"):
        Path(agent.root, path).unlink(missing_ok=True)
        Path(agent.root, path).symlink_to("/proc/nothing")
    assert agent.write(prompt()) == b""
    document = json.loads(agent.write(prompt(hook_event_name="SessionStart")))
    assert set(document) == {"systemMessage"}  # shown to the person, not to the model
    assert agent.root in document["systemMessage"]
    assert deployed.exists()


def test_full_disk(agent: Agent) -> None:
    """No byte can be written: a limit on the size of files stands in for a full disk."""
    limited = f"ulimit -f 0; trap '' {signal.SIGXFSZ.value}; exec {agent.command}"
    run = subprocess.run(
        ["sh", "-c", limited], env=agent.env, input=prompt(), capture_output=True, check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert agent.events() == []


def test_held_journal_delays_no_hook(agent: Agent) -> None:
    """A stopped holder of the lock: the hook goes to the spool before its alarm ends it."""
    import fcntl

    agent.write(prompt())
    with Path(agent.root, "journal.jsonl").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        agent.write(prompt(prompt="Second"))
    (spooled,) = Path(paths.spool(agent.root)).glob("*.jsonl")
    assert "Second" in spooled.read_text()


@pytest.mark.parametrize("more", [{"prompt": "a" * 15_000_000}, {"tool_input": [[]] * 3_500_000}])
def test_memory_is_bounded(agent: Agent, more: dict[str, Any]) -> None:
    data = prompt(**more)
    run = subprocess.run(
        ["sh", "-c", agent.command], env=agent.env, input=data, capture_output=True, check=False, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
