"""A call that breaks an approved lesson is stopped once, before it runs; no other call is."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest import agent_calls
from learnloop.learn.lessons import call_patterns
from learnloop.wire import check_memory, session_recalls
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish


def lesson(lesson_id: str, statement: str, **changes: Any) -> dict[str, Any]:
    check = [rule.as_json() for rule in call_patterns.derive(statement)]
    return {
        "id": lesson_id, "status": "active", "statement": statement, "scope": "global", "stops": True,
        "check": check, **changes,
    }  # fmt: skip


PNPM = lesson("usespnpm", "Use pnpm, not npm")
LEGACY = lesson("oldfiles", "Never touch the legacy folder")
CONSOLE = lesson("nologing", "Use logger.info instead of console.log")
OUTSIDE = lesson("insideit", "Never write outside src/")


def call(agent: Agent, tool: str, session: str = "s1", agent_id: str = "", **given: str) -> str:
    """The reason for which a call is stopped; empty where it runs."""
    own: dict[str, Any] = {"agent_id": agent_id, "agent_type": "helper"} if agent_id else {}
    out = agent.fire("PreToolUse", session, tool_name=tool, tool_use_id="t", tool_input=given, **own)
    answer = json.loads(out)["hookSpecificOutput"] if out else {}
    return str(answer["permissionDecisionReason"]) if answer.get("permissionDecision") == "deny" else ""


def bash(agent: Agent, command: str, session: str = "s1", **own: str) -> str:
    return call(agent, "Bash", session, **own, command=command)


def batch(agent: Agent, session: str = "s1") -> None:
    agent.fire("PostToolBatch", session, tool_calls=[])


def test_an_unwanted_call_is_stopped_once_with_the_lesson_first(agent: Agent, publish: Publish) -> None:
    publish(PNPM)
    assert bash(agent, "cd web && sudo npm install left-pad").startswith("Use pnpm, not npm (uses)\n")
    batch(agent)
    assert bash(agent, "cd web && sudo npm install left-pad") == ""
    assert bash(agent, "npm ci", session="s2")
    assert bash(agent, "npm ci", agent_id="a1")
    (_, receipt), *_ = [one for one in agent.payloads() if one[0] == "recall"]
    assert receipt["stop"] is True
    assert [told["id"] for told in receipt["lessons"]] == ["usespnpm"]


def test_copies_at_once_are_all_stopped_then_pass(agent: Agent, publish: Publish) -> None:
    publish(PNPM)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: bash(agent, "npm test"), range(4)))
    batch(agent)
    with ThreadPoolExecutor(4) as pool:
        assert not any(pool.map(lambda _: bash(agent, "npm test"), range(4)))


def test_wanted_and_other_calls_run(agent: Agent, publish: Publish) -> None:
    publish(PNPM, LEGACY, CONSOLE)
    for command in ("pnpm add npm", "git commit -m 'npm install; npm i'", "cat <<E\nnpm i\nE", "ls 'npm"):
        assert bash(agent, command) == ""
    assert call(agent, "Edit", file_path="src/a.ts", old_string="a", new_string="b") == ""
    assert call(agent, "Read", file_path="legacy/a.ts") == ""


def test_files_and_code_that_are_not_wanted_are_stopped(agent: Agent, publish: Publish) -> None:
    publish(LEGACY, CONSOLE)
    assert call(agent, "Write", file_path=str(agent.project / "legacy/a.py"), content="")
    batch(agent)
    assert bash(agent, "cat > legacy/b.py <<'E'\nx\nE", session="s2")
    assert bash(agent, "cd . && sed -i s/a/b/ ./legacy/b.py", session="s3")
    assert bash(agent, "grep x legacy/b.py > out.txt 2>&1", session="s4") == ""
    edit = {"file_path": "src/a.ts", "old_string": "console.log(1)", "new_string": "console.log(2)"}
    assert call(agent, "Edit", **edit) == "", "it was there before"
    assert call(agent, "Write", file_path="notes.md", content="no console.log") == "", "prose"
    assert call(agent, "Write", file_path="src/a.ts", content="myconsole.logger()") == ""
    assert call(agent, "Write", file_path="src/a.ts", content="console.log(2)")


def test_a_folder_that_writes_stay_in(agent: Agent, publish: Publish) -> None:
    publish(OUTSIDE)
    assert call(agent, "Write", file_path=str(agent.project / "src/deep/a.py"), content="") == ""
    assert call(agent, "Write", file_path=str(agent.project / "lib/a.py"), content="")


@pytest.mark.parametrize(
    ("command", "is_stopped"),
    [
        ("echo x > lib/a.py", True),
        ("cat <<'E' >> docs/notes.md\nsrc/a.py\nE", True),
        ("python gen.py 2>&1 | tee lib/out.txt", True),
        ("echo x > src/a.py; rm ../other/b.py", True),
        ("sed -i s/a/b/ README.md", True),
        ("echo x > src/deep/a.py", False),
        ("./src/build.sh > src/log.txt 2> /dev/null", False),
        ("pytest > /tmp/out.txt", False),
        ("cd src && echo x > a.py", False),
        ('echo x > "$OUT/a.py"', False),
        ("cat lib/a.py && grep x lib/b.py", False),
        ("git commit -m 'x > lib/a.py'", False),
    ],
)
def test_output_that_commands_send_outside_of_the_folder_is_stopped(
    agent: Agent, publish: Publish, command: str, is_stopped: bool
) -> None:
    publish(OUTSIDE)
    assert bool(bash(agent, command)) is is_stopped


def test_nothing_is_stopped_where_it_is_only_mentioned_or_switched_off(
    agent: Agent, publish: Publish
) -> None:
    publish({**PNPM, "stops": False})
    assert bash(agent, "npm i") == ""
    publish({**PNPM, "project": "/elsewhere", "scope": "project"})
    assert bash(agent, "npm i") == ""
    publish(PNPM, switches={"stop": False})
    assert bash(agent, "npm i") == ""


@pytest.mark.parametrize("command", ["npm i '" * 100_000, "x" * 1_000_000 + "; npm i", "$(" * 300_000, "\0"])
def test_a_command_of_any_kind_is_answered(agent: Agent, publish: Publish, command: str) -> None:
    publish(PNPM)
    assert bool(bash(agent, command)) is ("npm" in command)


@pytest.mark.parametrize("leap_ms", [-3_600_000, 3_600_000])
def test_a_clock_that_jumps_stops_a_call_no_more_than_once_in_a_batch(
    agent: Agent, publish: Publish, leap_ms: int
) -> None:
    publish(PNPM)
    assert bash(agent, "npm ci")
    memory = Path(session_recalls.path(agent.root, "s1"))
    ms = next(line.split()[1] for line in memory.read_text("utf-8").splitlines() if line.startswith("gate "))
    memory.write_text(memory.read_text("utf-8").replace(ms, str(int(ms) + leap_ms)), "utf-8")
    batch(agent)
    assert bash(agent, "npm ci") == ""


def test_two_agents_are_stopped_once_each(agent: Agent, publish: Publish) -> None:
    publish(PNPM)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda name: bash(agent, "npm test", agent_id=name), ("a1", "a2", "a3")))
    agent.fire("PostToolBatch", tool_calls=[], agent_id="a1", agent_type="helper")
    assert bash(agent, "npm test", agent_id="a1") == ""
    assert bash(agent, "npm test", agent_id="a2"), "its own batch is not over"


def test_a_client_that_ignores_the_stop_is_asked_no_second_time(agent: Agent, publish: Publish) -> None:
    publish(PNPM)
    assert bash(agent, "npm i")
    call = {
        "tool_name": "Bash",
        "tool_input": {"command": "npm i"},
        "tool_use_id": "t",
        "tool_response": "ok",
    }
    agent.fire("PostToolBatch", tool_calls=[call])
    assert bash(agent, "npm i") == ""
    assert ("tool_end", "npm i") in [(kind, payload.get("command")) for kind, payload in agent.payloads()]


@pytest.mark.parametrize("is_denied", [True, False])
def test_a_call_that_was_stopped_claims_no_decision(is_denied: bool) -> None:
    place = {"attended": False, "since_ms": 0}
    payload = {"action": "pause", "lesson_ids": ["usespnpm"], "args": {}, "by": "person", "place": place}
    decided = {"id": "d1", "kind": "decision", "ts": "2026-01-01T00:01:00.000Z", "payload": payload}
    begun: dict[str, Any] = {
        "kind": "tool_start", "ts": "2026-01-01T00:00:00.000Z", "session_id": "s1", "tool_use_id": "t",
        "payload": {"tool": "Bash", "command": "npm run dev"},
    }  # fmt: skip
    stopped = {**begun, "kind": "recall", "payload": {"tool": "Bash", "stop": True}}
    state: dict[str, Any] = {}
    for event in (begun, stopped) if is_denied else (begun,):
        assert not list(agent_calls.note(state, event, ""))
    assert bool(agent_calls.claim(state, decided)) is not is_denied


ORDERS = [
    ("run npm install left-pad", "npm install left-pad", True),
    ("please add it. Then run `npm install left-pad`, I know what I said", "npm install left-pad", True),
    ("add left-pad", "npm install left-pad", False),
    ("don't run npm install left-pad", "npm install left-pad", False),
    ("why did you run npm install left-pad?", "npm install left-pad", False),
    ("should we run npm install left-pad? I think pnpm", "npm install left-pad", False),
    ("commit this", "git commit --no-verify", False),
    ("commit this: git commit --no-verify", "git commit --no-verify", True),
    ("edit old.py in the legacy folder", "legacy/old.py", True),
    ("tidy up", "legacy/old.py", False),
    ("leave a console.log there", "console.log in src/a.ts", True),
    ("", "npm i", False),
    ("npm", "", False),
]


@pytest.mark.parametrize(("prompt", "hit", "is_ordered"), ORDERS)
def test_a_prompt_that_names_the_very_act_orders_it(prompt: str, hit: str, is_ordered: bool) -> None:
    assert check_memory.is_ordered(hit, prompt) is is_ordered


def test_an_act_that_the_person_ordered_runs_until_another_prompt_comes(
    agent: Agent, publish: Publish
) -> None:
    publish(PNPM)
    agent.fire("UserPromptSubmit", "s1", prompt="Just run npm install left-pad")
    assert bash(agent, "npm install left-pad") == ""
    assert bash(agent, "npm install right-pad")
    agent.fire("UserPromptSubmit", "s2", prompt="Now add right-pad")
    assert bash(agent, "npm install left-pad", session="s2")


def test_what_has_to_come_first_comes_first_whatever_the_prompt_orders(
    agent: Agent, publish: Publish
) -> None:
    publish(lesson("testsfir", "Run make test before you commit"))
    agent.fire("UserPromptSubmit", "s1", prompt="now run git commit")
    assert bash(agent, "git commit")
