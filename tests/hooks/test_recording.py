"""What hooks record of each event, through the deployed command."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.agent import Agent

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file "
    "edit, the new_string was NOT written to the file)."
)
STOPPED = REFUSED + " STOP what you are doing and wait for the user to tell you how to proceed."
TOLD = REFUSED + " To tell you how to proceed, the user said:\nNo, use pytest instead"

WRITE: dict[str, Any] = {
    "tool_name": "Write",
    "tool_input": {"file_path": "/p/a.txt", "content": "Hello"},
    "tool_use_id": "t1",
}
BASH: dict[str, Any] = {
    "tool_name": "Bash",
    "tool_input": {"command": "make test", "description": "Run"},
    "tool_use_id": "t2",
}
NOTICE = {"notification_type": "permission_prompt", "message": "May I?"}
TASK = {"id": "b1", "type": "shell", "status": "running", "description": "serve", "command": "serve --all"}


def batch(**call: Any) -> dict[str, Any]:
    return {"tool_calls": [{"tool_response": "done", **WRITE, **call}]}


CASES: list[tuple[str, dict[str, Any], list[tuple[str, dict[str, Any]]]]] = [
    (
        "SessionStart",
        {"source": "startup", "model": "opus"},
        [("session_start", {"source": "startup", "model": "opus"})],
    ),
    ("SessionStart", {"source": "clear"}, [("session_start", {"source": "clear"})]),
    (
        "UserPromptSubmit",
        {"prompt": "Use tabs\x1b[31m", "permission_mode": "plan"},
        [("prompt", {"prompt": "Use tabs�[31m", "mode": "plan"})],
    ),
    (
        "UserPromptSubmit",
        {"prompt": "<task-notification>\n<task-id>b</task-id>\n</task-notification>\n"},
        [
            (
                "prompt",
                {
                    "prompt": "<task-notification>\n<task-id>b</task-id>\n</task-notification>\n",
                    "machine": "task-notification",
                },
            )
        ],
    ),
    ("PreToolUse", WRITE, [("tool_start", {"tool": "Write", "file": "/p/a.txt", "text": "Hello"})]),
    ("PreToolUse", BASH, [("tool_start", {"tool": "Bash", "command": "make test", "text": "Run"})]),
    ("PreToolUse", {**WRITE, "tool_name": "Read"}, []),
    ("PostToolBatch", batch(), [("tool_end", {"tool": "Write", "file": "/p/a.txt"})]),
    (
        "PostToolBatch",
        {
            "tool_calls": [
                {**WRITE, "tool_response": "ok"},
                {**BASH, "tool_response": "ok"},
                {"tool_name": 7},
                7,
            ]
        },
        [
            ("tool_end", {"tool": "Write", "file": "/p/a.txt"}),
            ("tool_end", {"tool": "Bash", "command": "make test"}),
        ],
    ),
    (
        "PostToolBatch",
        batch(tool_response=TOLD),
        [("refusal", {"tool": "Write", "file": "/p/a.txt", "words": "No, use pytest instead"})],
    ),
    (
        "PostToolBatch",
        batch(tool_response=STOPPED),
        [("refusal", {"tool": "Write", "file": "/p/a.txt", "words": ""})],
    ),
    (
        "PostToolBatch",
        batch(tool_response=[{"type": "text", "text": TOLD}]),
        [("refusal", {"tool": "Write", "file": "/p/a.txt", "words": "No, use pytest instead"})],
    ),
    (
        "PostToolBatch",
        batch(tool_response="<tool_use_error>No such tool</tool_use_error>"),
        [("tool_failed", {"tool": "Write", "file": "/p/a.txt", "error": "No such tool"})],
    ),
    *[
        (
            "PostToolBatch",
            batch(tool_name="Bash", tool_input={"command": command}, tool_response="v20.11.1\nSECRET"),
            [("tool_end", {"tool": "Bash", "command": command, **version})],
        )
        for command, version in (("node --version", {"version": "v20.11.1"}), ("node app.js", {}))
    ],
    (
        "PostToolBatch",
        batch(tool_name="Agent", tool_input={"subagent_type": "tester", "run_in_background": True}),
        [("tool_end", {"tool": "Agent", "agent_type": "tester", "background": True})],
    ),
    (
        "PostToolBatch",
        batch(
            tool_name="TodoWrite", tool_input={"todos": [{"status": "completed"}, {"status": "pending"}, 1]}
        ),
        [("tool_end", {"tool": "TodoWrite", "todos": {"total": 2, "completed": 1, "pending": 1}})],
    ),
    (
        "PostToolBatch",
        batch(tool_name="TaskUpdate", tool_input={"taskId": "3", "status": "completed"}),
        [("tool_end", {"tool": "TaskUpdate", "task": {"id": "3", "status": "completed"}})],
    ),
    (
        "PostToolBatch",
        batch(tool_name="AskUserQuestion", tool_input={"answers": {"Which?": "Blue"}}),
        [("tool_end", {"tool": "AskUserQuestion", "answers": {"Which?": "Blue"}})],
    ),
    (
        "PostToolBatch",
        batch(
            tool_name="AskUserQuestion",
            tool_input={"questions": []},
            tool_response='Your questions have been answered: "Which?"="Blue", "How?"="Fast". You can go on.',
        ),
        [("tool_end", {"tool": "AskUserQuestion", "answers": {"Which?": "Blue", "How?": "Fast"}})],
    ),
    (
        "PostToolUseFailure",
        {**BASH, "error": "Exit code 2\nno rule", "is_interrupt": False},
        [("tool_failed", {"tool": "Bash", "command": "make test", "error": "Exit code 2\nno rule"})],
    ),
    (
        "PostToolUseFailure",
        {**BASH, "error": "stop", "is_interrupt": True},
        [("tool_failed", {"tool": "Bash", "command": "make test", "error": "stop", "interrupt": True})],
    ),
    ("SubagentStart", {"agent_id": "a1", "agent_type": "tester"}, [("subagent_start", {})]),
    (
        "SubagentStop",
        {"agent_id": "a1", "agent_type": "tester", "last_assistant_message": "Fine."},
        [("subagent_end", {"message": "Fine."})],
    ),
    ("SubagentStop", {"agent_id": "a1", "agent_type": "", "last_assistant_message": "Summary"}, []),
    (
        "Stop",
        {"last_assistant_message": "Done.", "background_tasks": [TASK, {**TASK, "status": "completed"}]},
        [
            (
                "turn_end",
                {"message": "Done.", "background": [{"id": "b1", "type": "shell", "description": "serve"}]},
            )
        ],
    ),
    (
        "StopFailure",
        {"error": "rate_limit", "last_assistant_message": "API Error"},
        [("turn_failed", {"error": "rate_limit", "message": "API Error"})],
    ),
    ("Notification", NOTICE, [("notice", {"type": "permission_prompt", "message": "May I?"})]),
    ("Notification", {**NOTICE, "notification_type": "auth_success"}, []),
    ("PreCompact", {"trigger": "auto", "custom_instructions": None}, [("compact", {"trigger": "auto"})]),
    ("SessionEnd", {"reason": "clear"}, [("session_end", {"reason": "clear"})]),
]


@pytest.mark.parametrize(("event", "fields", "expected"), CASES)
def test_event(
    agent: Agent, event: str, fields: dict[str, Any], expected: list[tuple[str, dict[str, Any]]]
) -> None:
    agent.fire(event, **fields)
    assert agent.payloads() == expected


def test_fields_of_an_event(agent: Agent) -> None:
    agent.fire(
        "PreToolUse",
        prompt_id="p1",
        agent_id="a1",
        agent_type="tester",
        **WRITE,
        env={"LEARNLOOP_RECALL": "0"},
    )
    (event,) = agent.events()
    assert event.pop("hook_ms") > 0
    assert len(event.pop("id")) == 32
    assert event.pop("ts").endswith("Z")
    del event["payload"]
    assert event == {
        "v": 1, "host": "claude", "kind": "tool_start", "session_id": "s1", "prompt_id": "p1",
        "agent_id": "a1", "agent_type": "tester", "tool_use_id": "t1", "transcript_path": "/nowhere.jsonl",
        "cwd": str(agent.project), "project": str(agent.project),
    }  # fmt: skip


def test_long_prompt_is_cut(agent: Agent) -> None:
    agent.fire("UserPromptSubmit", prompt="word " * 10_000)
    ((_, kept),) = agent.payloads()
    assert len(kept["prompt"]) == 16_000
    assert kept["prompt"].endswith("…")
    assert kept["chars"] == 50_000


def test_secret_is_redacted_before_the_disk(agent: Agent) -> None:
    secret = "ghp_" + "a1B2" * 9
    agent.fire("UserPromptSubmit", prompt=f"use {secret}")
    agent.fire(
        "PreToolUse", tool_name="Bash", tool_input={"command": f"curl -H 'Authorization: token {secret}'"}
    )
    agent.fire("UserPromptSubmit", prompt="x" * 15_990 + secret + "y" * 9_000)
    stored = b"".join(path.read_bytes() for path in Path(agent.root).rglob("*") if path.is_file())
    assert secret.encode() not in stored
    assert b"ghp_" not in Path(agent.root, "journal.jsonl").read_bytes()


def test_worktree_belongs_to_its_main_checkout(agent: Agent, tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    (main / ".git/worktrees/tree").mkdir(parents=True)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n")
    (main / ".git/worktrees/tree/gitdir").write_text(f"{tree}/.git\n")
    agent.fire("UserPromptSubmit", prompt="x", env={"CLAUDE_PROJECT_DIR": str(tree)})
    assert agent.events()[0]["project"] == str(main)


def test_project_of_the_cwd_where_the_agent_does_not_tell(agent: Agent) -> None:
    inner = agent.project / "src" / "deep"
    inner.mkdir(parents=True)
    del agent.env["CLAUDE_PROJECT_DIR"]
    agent.fire("UserPromptSubmit", prompt="x", cwd=str(inner))
    (event,) = agent.events()
    assert (event["project"], event["cwd"]) == (str(agent.project), str(inner))


def test_project_of_the_process_where_no_field_names_one(agent: Agent) -> None:
    del agent.env["CLAUDE_PROJECT_DIR"]
    agent.write(b'{"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "x"}')
    assert agent.events()[0]["project"] == str(agent.project)


def test_the_root_of_the_agents_environment_comes_first(agent: Agent, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else where"
    agent.fire("UserPromptSubmit", prompt="there", env={"LEARNLOOP_HOME": str(elsewhere)})
    agent.fire("UserPromptSubmit", prompt="here", env={"LEARNLOOP_HOME": "relative"})
    assert b"there" in (elsewhere / "journal.jsonl").read_bytes()
    assert [payload["prompt"] for _, payload in agent.payloads()] == ["here"]


def test_project_through_a_link(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(agent.project)
    agent.fire("UserPromptSubmit", prompt="x", env={"CLAUDE_PROJECT_DIR": str(tmp_path / "link")})
    assert agent.events()[0]["project"] == str(agent.project)


@pytest.mark.parametrize("name", ["LEARNLOOP_DISABLE", "LEARNLOOP_NESTED"])
def test_silenced_by_the_environment(agent: Agent, name: str) -> None:
    assert agent.fire("UserPromptSubmit", prompt="x", env={name: "1"}) == b""
    assert agent.events() == []


def test_forty_prompts_at_once(agent: Agent) -> None:
    processes = [agent.start() for _ in range(40)]
    for number, process in enumerate(processes):
        assert process.stdin
        payload = {"hook_event_name": "UserPromptSubmit", "session_id": f"s{number}", "prompt": f"p{number}"}
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        process.stdin = None
    for process in processes:
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
    found = {(event["session_id"], event["payload"]["prompt"]) for event in agent.events()}
    assert found == {(f"s{number}", f"p{number}") for number in range(40)}
    assert len({event["id"] for event in agent.events()}) == 40
