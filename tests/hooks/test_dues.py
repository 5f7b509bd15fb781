"""What goes with a change is told at the change, and reminded of once where the agent says it is done."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from learnloop.learn.lessons import call_patterns, triggers
from learnloop.wire import session_recalls
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish

HELPER = {"agent_id": "a1", "agent_type": "helper"}
SHELL = [{"id": "b1", "type": "shell", "status": "running", "command": "npm run dev"}]
AGENTS = [{"id": "b2", "type": "subagent", "status": "running", "agent_type": "helper"}]


def lesson(lesson_id: str, statement: str, **changes: Any) -> dict[str, Any]:
    check = [rule.as_json() for rule in call_patterns.derive(statement)]
    return {
        "id": lesson_id, "status": "active", "statement": statement, "scope": "global", "reminds": True,
        "triggers": triggers.derive(statement).as_json(), "check": check, **changes,
    }  # fmt: skip


CHANGELOG = lesson("logentry", "Update CHANGELOG.md with every change in src/")
TESTS = lesson("runtests", "Run the tests after every change")
CLIENT = lesson("doclient", "When you change openapi.yaml, regenerate the client with `make client`")


def call(
    agent: Agent, tool: str, session: str = "s1", own: dict[str, Any] | None = None, **given: Any
) -> str:
    """What the agent is told at a call."""
    return agent.fire(
        "PreToolUse", session, tool_name=tool, tool_use_id="t", tool_input=given, **(own or {})
    ).decode()


def edit(agent: Agent, file: str = "src/a.py", **more: Any) -> str:
    return call(agent, "Edit", file_path=str(agent.project / file), old_string="a", new_string="b", **more)


def bash(agent: Agent, command: str, **more: Any) -> str:
    return call(agent, "Bash", command=command, **more)


def end(agent: Agent, session: str = "s1", event: str = "Stop", **more: Any) -> str:
    """The reason for which the agent goes on; empty where it ends."""
    given: dict[str, Any] = {"stop_hook_active": False, "last_assistant_message": "Done.", **more}
    out = agent.fire(event, session, **given)
    answer = json.loads(out) if out else {}
    assert not answer or (answer.keys(), answer["decision"]) == ({"decision", "reason"}, "block")
    return str(answer.get("reason", ""))


@pytest.mark.parametrize("reminds", [True, False])
@pytest.mark.parametrize(
    ("told", "file"), [(CHANGELOG, "src/a.py"), (TESTS, "lib/b.ts"), (CLIENT, "openapi.yaml")]
)
def test_it_is_told_at_the_first_change_that_makes_it_due(
    agent: Agent, publish: Publish, told: dict[str, Any], file: str, reminds: bool
) -> None:
    publish({**told, "reminds": reminds})
    assert told["statement"] not in edit(agent, "notes/readme.txt")
    assert told["statement"] in edit(agent, file)
    assert edit(agent, file) == "", "once per session"
    assert told["statement"] in edit(agent, file, own=HELPER)
    assert told["statement"] in edit(agent, file, session="s2")


def test_it_is_told_whatever_tools_it_names_besides(agent: Agent, publish: Publish) -> None:
    publish({**CHANGELOG, "triggers": {"tool_names": ["Bash"], "action_keywords": ["release"]}})
    assert CHANGELOG["statement"] in edit(agent)


def test_an_agent_that_ends_with_it_open_goes_on_once(agent: Agent, publish: Publish) -> None:
    publish(CHANGELOG)
    edit(agent)
    reason = end(agent)
    assert reason.startswith("Update CHANGELOG.md with every change in src/ (loge)\n")
    assert "standing instruction" in reason.splitlines()[-1]
    assert end(agent) == ""
    edit(agent, "src/b.py")
    assert end(agent) == "", "once per session"
    receipts = [payload for kind, payload in agent.payloads() if kind == "recall"]
    assert [receipt["moment"] for receipt in receipts] == ["tool", "end"]
    assert receipts[-1]["lessons"] == [{"id": "logentry", "score": 0}]
    assert [kind for kind, _ in agent.payloads()].count("turn_end") == 3


@pytest.mark.parametrize(
    ("told", "file", "settling"),
    [
        (CHANGELOG, "src/a.py", {"tool": "Write", "file_path": "CHANGELOG.md", "content": "x"}),
        (CHANGELOG, "src/a.py", {"tool": "Bash", "command": "cat >> CHANGELOG.md <<'E'\nit's new\nE"}),
        (CHANGELOG, "src/a.py", {"tool": "Bash", "command": "sed -i '1s/^/x/' ./CHANGELOG.md"}),
        (TESTS, "src/a.py", {"tool": "Bash", "command": "cd web && FORCE=1 uv run pytest -q | tail -5"}),
        (TESTS, "src/a.ts", {"tool": "Bash", "command": "npm test"}),
        (TESTS, "src/a.go", {"tool": "Bash", "command": "make -C tools test"}),
        (CLIENT, "openapi.yaml", {"tool": "Bash", "command": "make client"}),
    ],
)
def test_what_is_settled_is_not_reminded_of(
    agent: Agent, publish: Publish, told: dict[str, Any], file: str, settling: dict[str, Any]
) -> None:
    publish(told)
    edit(agent, file)
    call(agent, **settling)
    assert end(agent) == ""


@pytest.mark.parametrize(
    ("told", "command"),
    [
        (TESTS, "echo pytest"),
        (TESTS, "git commit -m 'run pytest'"),
        (TESTS, "cat <<E\npytest\nE"),
        (CHANGELOG, "cat CHANGELOG.md"),
        (CHANGELOG, "git add CHANGELOG.md"),
        (CLIENT, "make clients"),
    ],
)
def test_other_calls_settle_nothing(
    agent: Agent, publish: Publish, told: dict[str, Any], command: str
) -> None:
    publish(told)
    edit(agent, "openapi.yaml" if told is CLIENT else "src/a.py")
    bash(agent, command)
    assert end(agent)


def test_commands_that_write_open_it_too(agent: Agent, publish: Publish) -> None:
    publish(CHANGELOG)
    bash(agent, "echo x > src/a.py")
    assert end(agent)
    bash(agent, "echo x > /tmp/src.py; cat src/a.py > out.txt", session="s2")
    assert end(agent, "s2") == ""


def test_an_entry_may_come_first_in_the_same_task_but_a_test_run_may_not(
    agent: Agent, publish: Publish
) -> None:
    publish(CHANGELOG, TESTS)
    agent.fire("UserPromptSubmit", prompt="fix the loader", prompt_id="p1")
    edit(agent, "CHANGELOG.md")
    bash(agent, "pytest")
    edit(agent)
    assert end(agent).startswith("Run the tests after every change (runt)\n")
    agent.fire("UserPromptSubmit", prompt="and the parser", prompt_id="p2")
    edit(agent, "src/b.py")
    assert end(agent).startswith("Update CHANGELOG.md with every change in src/ (loge)\n")


def test_a_file_that_is_no_source_and_a_scratch_file_make_nothing_due(agent: Agent, publish: Publish) -> None:
    publish(TESTS)
    edit(agent, "README.md")
    call(agent, "Write", file_path="/tmp/scratch.py", content="x")
    assert end(agent) == ""


def test_each_agent_is_reminded_of_its_own_changes_and_any_may_settle_them(
    agent: Agent, publish: Publish
) -> None:
    publish(TESTS)
    edit(agent, own=HELPER)
    assert end(agent) == ""
    assert end(agent, event="SubagentStop", **HELPER)
    assert end(agent, event="SubagentStop", **HELPER) == ""
    edit(agent, "src/b.py")
    bash(agent, "pytest", own=HELPER)
    assert end(agent) == ""
    edit(agent, "src/c.py", session="s2", own={"agent_id": "a1", "agent_type": ""})
    assert end(agent, "s2", "SubagentStop", agent_id="a1", agent_type="") == "", "a helper of the client"


def test_an_agent_that_was_made_to_go_on_or_waits_for_others_is_left_alone(
    agent: Agent, publish: Publish
) -> None:
    publish(CHANGELOG)
    edit(agent)
    assert end(agent, stop_hook_active=True) == ""
    assert end(agent, background_tasks=AGENTS) == ""
    assert end(agent, background_tasks=SHELL), "a server that runs on does nothing of it"


def test_of_copies_at_once_one_reminds(agent: Agent, publish: Publish) -> None:
    publish(CHANGELOG, TESTS)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: edit(agent, f"src/{number}.py"), range(4)))
        reasons = [reason for reason in pool.map(lambda _: end(agent), range(4)) if reason]
    assert sorted(line for reason in reasons for line in reason.splitlines() if line.endswith(")")) == [
        "Run the tests after every change (runt)",
        "Update CHANGELOG.md with every change in src/ (loge)",
    ]


def test_a_call_that_is_stopped_makes_nothing_due(agent: Agent, publish: Publish) -> None:
    stopping = lesson("frozen12", "Never edit src/a.py", stops=True, reminds=False)
    publish(CHANGELOG, stopping)
    assert '"deny"' in edit(agent)
    assert end(agent) == ""


def test_compaction_brings_no_second_reminder(agent: Agent, publish: Publish) -> None:
    publish(CHANGELOG)
    edit(agent)
    assert end(agent)
    agent.fire("SessionStart", source="compact")
    edit(agent)
    assert end(agent) == ""


def test_nobody_is_reminded_where_it_is_switched_off(agent: Agent, publish: Publish) -> None:
    switched_off: tuple[dict[str, Any], ...] = (
        {"reminds": False}, {"check": []}, {"paused": True}, {"scope": "project", "project": "/other"},
    )  # fmt: skip
    for off in switched_off:
        publish({**CHANGELOG, **off})
        edit(agent)
        assert end(agent) == ""
    publish(CHANGELOG)
    edit(agent)
    assert end(agent, env={"LEARNLOOP_RECALL": "0"}) == ""
    publish({**CHANGELOG, "reminds": False})
    assert end(agent) == "", "switched off since"


def test_without_such_a_lesson_nothing_is_remembered(agent: Agent, publish: Publish) -> None:
    publish({**CHANGELOG, "reminds": False})
    edit(agent)
    assert not Path(session_recalls.path(agent.root, "s1") + session_recalls.ACTS).exists()


def test_the_memory_does_not_grow_with_the_changes(agent: Agent, publish: Publish) -> None:
    publish(CHANGELOG)
    for number in range(4):
        edit(agent, f"src/{number}.py")
        edit(agent, "CHANGELOG.md")
    text = Path(session_recalls.path(agent.root, "s1") + session_recalls.ACTS).read_text("utf-8")
    assert (text.count("open "), text.count("ahead ")) == (1, 1)


@pytest.mark.parametrize(
    "command",
    [
        "pytest '" * 100_000,
        "x" * 1_000_000 + "; echo > src/a.py",
        "$(" * 300_000,
        "\0",
        "cat > src/a.py <<E\n\0",
    ],
)
def test_any_command_is_answered(agent: Agent, publish: Publish, command: str) -> None:
    publish(CHANGELOG, TESTS)
    edit(agent)
    bash(agent, command)
    end(agent)
    assert all(kind != "hook_error" for kind, _ in agent.payloads())


@pytest.mark.parametrize(
    "damage", [b"\xff\xfe\0", b"\nopen \nahead \nreminds \nopen main\n", b"open main " * 9]
)
def test_a_damaged_memory_costs_a_reminder_at_most(agent: Agent, publish: Publish, damage: bytes) -> None:
    publish(CHANGELOG)
    edit(agent)
    for ending in ("", session_recalls.ACTS):
        with Path(session_recalls.path(agent.root, "s1") + ending).open("ab") as memory:
            memory.write(damage)
    edit(agent, "src/b.py")
    assert end(agent)


@pytest.mark.parametrize("age_s", [-86_400, 86_400])
def test_a_clock_that_jumps_changes_nothing(agent: Agent, publish: Publish, age_s: int) -> None:
    publish(CHANGELOG)
    edit(agent)
    memory = Path(session_recalls.path(agent.root, "s1"))
    os.utime(memory, (memory.stat().st_mtime + age_s,) * 2)
    assert end(agent)
    assert end(agent) == ""
