"""Calls of any kind are answered at once, and a check sees in them what a person would."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.models.lesson import Lesson
from learnloop.models.lesson_check import CheckRule
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish
from tests.hooks.test_checks import before, end, lesson, never

NPM = never(on="command", runs=["npm"])
LOG = never(on="write", text=["console.log"])
EXPRESSION = never(on="write", text=["re:console\\.log\\("])
BIG = "x = 1;" * 300_000


def is_denied(agent: Agent, tool: str, given: dict[str, Any]) -> bool:
    return bool(before(agent, tool, **given))


COMMANDS = [
    ("npm i '", True),
    ('git commit -m "npm i', False),
    ("cat <<'E'\nnpm i\nE\nls", False),
    ("eval 'npm i'", True),
    ("bash -c 'cd web && npm i'", True),
    ("echo a | xargs -n 1 npm install", True),
    ("f() { npm i; }; f", True),
    ("cat <<< 'npm i'", False),
    ('pwsh -NoProfile -Command "npm i"', True),
    ("powershell.exe -ExecutionPolicy Bypass -c npm i", True),
    ("pwsh ./build.ps1", False),
    ("true '" + "x; " * 300_000 + "'; npm i", True),
    ("ls; " * 250_000, False),
    ("\x00npm\x00i", False),
    ("nｐm i", False),
]


@pytest.mark.parametrize(("command", "is_stopped"), COMMANDS, ids=lambda value: str(value)[:40])
def test_a_command_is_read_as_a_shell_reads_it(
    agent: Agent, publish: Publish, command: str, is_stopped: bool
) -> None:
    publish(lesson(NPM))
    assert is_denied(agent, "Bash", {"command": command}) is is_stopped


WRITES = [
    ("Write", {"content": f"{BIG}console.log(1)"}, True, False),
    ("Write", {"content": "a\r\nconsole.log(1)\r\n"}, True, True),
    ("Write", {"content": "\x00\x01console.log(1)\udcff"}, True, True),
    ("Edit", {"old_string": "is not there", "new_string": "console.log(1)"}, True, True),
    ("Edit", {"old_string": "console.log(1)", "new_string": "console.log(1)"}, False, False),
    (
        "Edit",
        {"edits": [{"old_string": "a", "new_string": "b"}, {"new_string": "console.log(1)"}]},
        True,
        True,
    ),
    ("Edit", {"edits": [{"old_string": "console.log(1)", "new_string": "b"}]}, False, False),
    ("Edit", {"edits": "console.log(1)"}, False, False),
    ("Write", {"content": ["console.log(1)"]}, False, False),
    ("Edit", {}, False, False),
]


@pytest.mark.parametrize(("tool", "given", "literal", "expression"), WRITES)
def test_a_text_of_any_kind_is_looked_at(
    agent: Agent, publish: Publish, tool: str, given: dict[str, Any], literal: bool, expression: bool
) -> None:
    path = agent.project / "a.js"
    for rule, is_stopped in ((LOG, literal), (EXPRESSION, expression)):
        publish(lesson(rule))
        assert is_denied(agent, tool, {"file_path": str(path), **given}) is is_stopped
        agent.fire("PostToolBatch", tool_calls=[])
        Path(agent.root, "recall", "sessions", "s1").unlink(missing_ok=True)


def test_a_file_of_fifty_megabytes_without_an_encoding_is_no_hindrance(
    agent: Agent, publish: Publish
) -> None:
    publish(lesson(LOG))
    path = agent.project / "bundle.js"
    with path.open("wb") as file:
        file.write(b"\xff\xfe\x00console.log(0)\r\n")
        file.truncate(50_000_000)
    assert not is_denied(agent, "Write", {"file_path": str(path), "content": "console.log(0)"}), (
        "it stood there"
    )
    assert is_denied(agent, "Write", {"file_path": str(path), "content": "console.log(0)\nconsole.log(1)"})


def test_a_firing_that_is_too_large_is_counted_and_lets_the_call_run(agent: Agent, publish: Publish) -> None:
    publish(lesson(LOG))
    assert not is_denied(agent, "Write", {"file_path": "a.js", "content": "console.log(1);" * 1_200_000})
    assert [kind for kind, _ in agent.payloads()] == ["hook_error"]


def test_a_file_of_no_encoding_is_read_all_the_same(agent: Agent, publish: Publish) -> None:
    publish(lesson(LOG))
    given = {"file_path": "a.js", "content": "SIGN console.log(1)"}
    payload = {
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(agent.project), "tool_name": "Write",
        "tool_input": given, "tool_use_id": "t",
    }  # fmt: skip
    out = agent.write(json.dumps(payload).encode().replace(b"SIGN", b"\xff\xfe"))
    assert b'"deny"' in out


def newer(**rule: Any) -> dict[str, Any]:
    """A rule that a newer version may write."""
    return {**NPM, **rule}


@pytest.mark.parametrize(
    "rule",
    [
        newer(form="whenever"),
        newer(act=[{"on": "network", "runs": ["npm"]}]),
        newer(act=[{"on": "command", "runs": ["npm"], "at_night": True}]),
        newer(hours=[9, 17]),
    ],
)
def test_a_rule_of_a_newer_version_binds_nobody_and_its_lesson_is_told(
    agent: Agent, publish: Publish, rule: dict[str, Any]
) -> None:
    taught = {**lesson(never(on="command", runs=["yarn"])), "reminds": True}
    publish({**taught, "check": [*taught["check"], rule]})
    assert "As I said." in agent.fire("SessionStart", source="startup").decode()
    assert not is_denied(agent, "Bash", {"command": "npm i"})
    assert is_denied(agent, "Bash", {"command": "yarn add x"})
    assert end(agent) == ""
    document = {"id": "abcdef", "created": "", "updated": "", "statement": "As I said.", "check": [rule]}
    assert Lesson.model_validate(document).check == ()


def test_a_person_who_writes_such_a_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="at_night"):
        CheckRule.model_validate(newer(act=[{"on": "command", "runs": ["npm"], "at_night": True}]))
