"""What hooks record of each event, through the deployed command."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.agent import Agent

WRITE: dict[str, Any] = {
    "tool_name": "Write",
    "tool_input": {"file_path": "/p/a.txt", "content": "Hello"},
    "tool_use_id": "t1",
}


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
