"""The end of a turn has a model judge it: in the background, or while the agent waits, and never twice."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from learnloop.service import workspace
from learnloop.service.facts import listing, modes
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import index, paths
from tests.distill.model_scene import FakeModel
from tests.hooks.agent import Agent

ERRORS = "Error messages name what the user can do next"
PATIENCE_S = 60
BROKE = {"broken": [{"lesson": "L1", "place": "c1", "why": "it names nothing"}]}


@pytest.fixture
def model(agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """A lesson in use in the agent's project, and a model that may judge turns there."""
    ws, made = Workspace(agent.root), FakeModel(tmp_path / "model", monkeypatch)
    del agent.env["LEARNLOOP_BACKGROUND"]
    agent.env |= {"PATH": os.environ["PATH"], "LEARNLOOP_HOME": agent.root}
    Path(agent.root, "ingest.stamp").touch()  # no background ingest beside it
    verdicts.add(ws, ERRORS, scope="project", project=str(agent.project))
    made.settings_file()
    modes.judge_turns(ws, str(agent.project), is_on=True)
    return made


def _work(agent: Agent, number: int = 1, prompt: str = "handle the errors") -> bytes:
    """A prompt, and a call that writes; what the prompt's hook answers."""
    said = agent.fire("UserPromptSubmit", prompt=prompt, prompt_id=f"p{number}")
    given = {"file_path": str(agent.project / "app/errors.py"), "content": "raise Error('failed')"}
    call: Any = {"tool_name": "Write", "tool_input": given, "tool_use_id": f"u{number}"}
    agent.fire("PreToolUse", **call)
    agent.fire("PostToolBatch", tool_calls=[{**call, "tool_response": "ok"}])
    return said


def _end(agent: Agent, **more: Any) -> dict[str, Any]:
    out = agent.fire("Stop", **{"stop_hook_active": False, "last_assistant_message": "Done.", **more})
    answer = json.loads(out) if out else {}
    assert isinstance(answer, dict)
    return answer


def _judged(agent: Agent, count: int = 1) -> None:
    """Wait until so many turns were judged, and what was found is where hooks look."""
    deadline = time.monotonic() + PATIENCE_S
    memory = Path(paths.recall_sessions(agent.root), "s1")
    while "\nbroke " not in memory.read_text() or len(listing.runs(Workspace(agent.root))) < count:
        assert time.monotonic() < deadline, listing.runs(Workspace(agent.root))
        signal.sigtimedwait([], 0.02)


def _lesson(agent: Agent) -> str:
    return next(iter(documents.lessons(agent.root)))


def test_in_the_background_it_is_told_at_the_next_prompt_once(agent: Agent, model: FakeModel) -> None:
    model.answers(BROKE)
    _work(agent)
    assert _end(agent) == {}
    _judged(agent)
    told = _work(agent, 2, "now the menu").decode()
    assert "You broke this before: app/errors.py" in told
    assert ERRORS in told
    assert b"You broke this" not in _work(agent, 3, "and the header")
    workspace.ingest(Workspace(agent.root))
    usage = documents.lessons(agent.root)[_lesson(agent)]["usage"]
    assert (usage["broken"], usage["recalled"]) == (1, 1)


def test_where_a_lesson_says_so_the_agent_waits_and_goes_on_once(agent: Agent, model: FakeModel) -> None:
    verdicts.bind(Workspace(agent.root), _lesson(agent), "remind")
    model.answers(BROKE, {"broken": []})
    _work(agent)
    answer = _end(agent)
    assert answer["decision"] == "block"
    assert answer["reason"].startswith(ERRORS)
    assert "Found: app/errors.py" in answer["reason"]
    assert _end(agent, stop_hook_active=True) == {}
    assert b"You broke this" not in _work(agent, 2, "now the menu"), "it was told already"
    assert _end(agent, last_assistant_message="The menu is done.") == {}
    assert len(model.asked) == 2


def test_a_turn_that_is_sent_back_already_is_not_sent_back_again(agent: Agent, model: FakeModel) -> None:
    ws = Workspace(agent.root)
    verdicts.bind(ws, _lesson(agent), "remind")
    verdicts.add(ws, "Update CHANGELOG.md with every change in app/", scope="global")
    model.answers(BROKE)
    _work(agent)
    first = _end(agent)
    assert (first["decision"], model.asked) == ("block", [])
    assert _end(agent, stop_hook_active=True) == {}
    _judged(agent)


def test_a_model_that_hangs_or_fails_costs_the_agent_nothing(
    agent: Agent, model: FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts.bind(Workspace(agent.root), _lesson(agent), "remind")
    model.command(monkeypatch, "exit", "3")
    model.settings_file()
    _work(agent)
    assert _end(agent) == {}
    [run] = listing.runs(Workspace(agent.root))
    assert run.outcome == "failed"


@pytest.mark.parametrize("why", ["off", "elsewhere", "helpers at work"])
def test_nothing_is_started_where_nothing_is_to_be_judged(agent: Agent, model: FakeModel, why: str) -> None:
    ws, more = Workspace(agent.root), {}
    if why == "off":
        modes.judge_turns(ws, str(agent.project), is_on=False)
    if why == "elsewhere":
        modes.judge_turns(ws, str(agent.project), is_on=False)
        modes.judge_turns(ws, "/code/other", is_on=True)
    if why == "helpers at work":
        more = {"background_tasks": [{"id": "b", "type": "subagent", "status": "running"}]}
    launch = agent.own_hooks() / "current" / "ingest.json"
    launch.write_text(json.dumps(["/nowhere/at/all"]))
    _work(agent)
    assert _end(agent, **more) == {}
    assert [event["kind"] for event in agent.events()].count("hook_error") == 0
    read = index.read(paths.index(agent.root))
    assert read
    assert ("asks" in read.header) == (why != "off")
