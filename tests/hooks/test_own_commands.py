"""The person's own command has to pass before an agent is done: it runs at the end of a turn that wrote."""

import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from learnloop.wire import own_command
from tests.hooks.agent import Agent
from tests.hooks.conftest import Publish


def lesson(agent: Agent, line: str, lesson_id: str = "lintpass", **run: Any) -> dict[str, Any]:
    """A lesson with a command that runs a script of the project."""
    script = agent.project / shlex.split(line)[0]
    seen = {str(script): own_command.checksum(str(script))} if script.is_file() else {}
    argv = [str(script) if seen else shlex.split(line)[0], *shlex.split(line)[1:]]
    held = {"line": line, "argv": argv, "project": str(agent.project), "files": seen, **run}
    return {
        "id": lesson_id, "status": "active", "statement": "The checks pass before you are done.",
        "scope": "global", "run": held,
    }  # fmt: skip


@pytest.fixture
def script(agent: Agent) -> Path:
    """A script that passes where `fine` is there, and notes each run with its arguments."""
    path = agent.project / "check.sh"
    path.write_text('#!/bin/sh\necho "ran $*" >> "$(dirname "$0")/ran"\ntest -e "$(dirname "$0")/fine"\n')
    path.chmod(0o755)
    return path


def ran(agent: Agent) -> list[str]:
    path = agent.project / "ran"
    return path.read_text().splitlines() if path.exists() else []


def write(agent: Agent, file: str = "src/a.py", session: str = "s1") -> None:
    given = {"file_path": str(agent.project / file), "content": "x"}
    agent.fire("PreToolUse", session, tool_name="Write", tool_use_id="t", tool_input=given)


def end(agent: Agent, *, again: bool = False, env: dict[str, str] | None = None) -> dict[str, Any]:
    out = agent.fire("Stop", stop_hook_active=again, last_assistant_message="Done.", env=env)
    return dict(json.loads(out)) if out else {}


def decided(agent: Agent) -> list[Any]:
    return [payload["ran"] for kind, payload in agent.payloads() if kind == "recall" and "ran" in payload]


def test_what_fails_sends_the_turn_back_once(agent: Agent, publish: Publish, script: Path) -> None:
    publish(lesson(agent, "check.sh --all"))
    assert end(agent) == {}, "nothing was written"
    assert ran(agent) == []
    write(agent)
    answer = end(agent)
    assert answer["decision"] == "block"
    assert answer["reason"].startswith("The checks pass before you are done.")
    assert "Found: `check.sh --all` ends with 1" in answer["reason"]
    write(agent)
    assert end(agent, again=True) == {}, "it never loops"
    assert ran(agent) == ["ran --all", "ran --all"]
    assert decided(agent) == [{"lintpass": None}, {"lintpass": False}]
    assert end(agent) == {}, "nothing was written since"


def test_what_passes_lets_the_turn_end_and_is_counted(agent: Agent, publish: Publish, script: Path) -> None:
    publish(lesson(agent, "check.sh"))
    write(agent)
    assert end(agent)
    (agent.project / "fine").touch()
    assert end(agent, again=True) == {}
    assert decided(agent) == [{"lintpass": None}, {"lintpass": True}]


def test_a_client_that_does_not_say_so_is_sent_back_once_a_turn(
    agent: Agent, publish: Publish, script: Path
) -> None:
    due = {
        "form": "due",
        "act": [{"on": "write", "files": ["**"]}],
        "then": [{"on": "command", "runs": ["x"]}],
    }
    other = {**lesson(agent, "check.sh", "otherone"), "check": [due], "reminds": True, "run": None}
    publish(lesson(agent, "check.sh"), other)
    write(agent)
    assert "(othe" in end(agent)["reason"], "one answer for all that is open"
    write(agent)
    assert end(agent) == {}
    agent.fire("UserPromptSubmit", prompt="go on with the parser")
    write(agent)
    assert end(agent)["decision"] == "block", "a new turn"


def test_a_script_that_changed_does_not_run_and_the_person_is_told(
    agent: Agent, publish: Publish, script: Path
) -> None:
    publish(lesson(agent, "check.sh"))
    script.write_text(f"#!/bin/sh\ntouch {agent.project}/stolen\n")
    write(agent)
    answer = end(agent)
    assert answer == {
        "systemMessage": f"`check.sh` did not run: {script} is another than when you allowed it"
    }
    assert not (agent.project / "stolen").exists()
    assert decided(agent) == []


def test_it_runs_for_its_project_alone_and_not_below_another_agent(
    agent: Agent, publish: Publish, script: Path, tmp_path: Path
) -> None:
    publish(lesson(agent, "check.sh", project=str(tmp_path)))
    write(agent)
    assert end(agent) == {}
    publish(lesson(agent, "check.sh"))
    write(agent)
    assert end(agent, env={"CLAUDE_CODE_EXECPATH": "/usr/bin/claude"}) == {}
    assert ran(agent) == []


def test_no_shell_reads_the_command(agent: Agent, publish: Publish, script: Path) -> None:
    publish(lesson(agent, "check.sh '$(touch stolen)' ';' '*'"))
    write(agent, "a;touch stolen")
    assert end(agent)["decision"] == "block"
    assert ran(agent) == ["ran $(touch stolen) ; *"]
    assert not (agent.project / "stolen").exists()


def test_one_that_takes_too_long_is_ended_and_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a hook goes to the project, and this process comes back
    run = {"line": "sleep 60", "argv": ["/bin/sleep", "60"], "project": str(tmp_path), "files": {}}
    assert own_command.verdict(run, time.monotonic() + 0.1) == (None, "`sleep 60` did not end in time")
    gone = {**run, "argv": ["/nonexistent/program"]}
    assert own_command.verdict(gone, time.monotonic() + 5)[0] is None


def test_nothing_of_it_is_loaded_where_no_lesson_has_a_command(agent: Agent, publish: Publish) -> None:
    publish({**lesson(agent, "true"), "run": None})
    write(agent)
    assert end(agent) == {}
    assert not Path(agent.root, "recall", "sessions", "s1.acts").exists()
