"""What real hook processes tell of a person's ways and of a project: nothing before it was confirmed."""

import json
from pathlib import Path
from typing import Any

import pytest

from learnloop.cli.main import main
from learnloop.learn.profile import beliefs
from learnloop.models.preferences import Belief
from learnloop.service import workspace
from learnloop.service.history import undo
from learnloop.service.profile import belief_verdicts, preferences, project_findings
from learnloop.service.review import trust, verdicts
from learnloop.service.workspace import Workspace
from tests.hooks.agent import Agent

SHORT = ("Too verbose, be more concise.", "No, this is too long.", "Wrong, too wordy, simplify.")


def context(agent: Agent, session: str, event: str = "SessionStart", **fields: Any) -> str:
    """What the model is told where a session or a subagent starts."""
    out = agent.fire(event, session, source="startup", **fields)
    answer = json.loads(out) if out else {}
    said: str = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return said


def spoken(agent: Agent) -> Workspace:
    """A workspace after three sessions, recorded by hooks, in which the person asked for short answers."""
    for number, words in enumerate(SHORT):
        session = f"s{number}"
        agent.fire("UserPromptSubmit", session, prompt="Describe the parser", prompt_id=f"a{number}")
        agent.fire("Stop", session, last_assistant_message="Done.", prompt_id=f"a{number}")
        agent.fire("UserPromptSubmit", session, prompt=words, prompt_id=f"b{number}")
    ws = workspace.open_workspace(agent.root)
    workspace.ingest(ws, wait_s=10)
    return ws


def test_a_trait_is_recalled_from_its_confirmation_to_its_undo(agent: Agent) -> None:
    ws = spoken(agent)
    trait = preferences.preferences(ws).verbosity
    assert trait.value == "concise"
    assert trait.statement not in context(agent, "t1")

    belief_verdicts.confirm(ws, "verbosity")
    assert trait.statement in context(agent, "t2")
    assert trait.statement in context(agent, "t2", "SubagentStart", agent_id="x1", agent_type="coder")

    undo.undo(ws)
    assert trait.statement not in context(agent, "t3")


def test_critical_lessons_come_first_and_the_budget_holds(agent: Agent) -> None:
    ws = workspace.open_workspace(agent.root)
    belief_verdicts.confirm(ws, "verbosity", "concise")
    verdicts.add(ws, "Secrets stay in the vault.", priority="CRITICAL")
    lines = context(agent, "t1").splitlines()[1:]
    assert [line.split(" (")[0] for line in lines] == [
        "- Secrets stay in the vault.",
        "- This user wants short answers.",
    ]
    Path(agent.root, "config.toml").write_text("[budgets]\nstart_tokens = 30\n")
    workspace.ingest(ws)
    assert "short answers" not in context(agent, "t2")


def test_what_an_earlier_version_had_confirmed_of_a_project_is_told_there_alone(
    agent: Agent, tmp_path: Path
) -> None:
    ws, project = workspace.open_workspace(agent.root), str(agent.project)
    lines = Belief(
        id=beliefs.belief_id("convention", "ruff", project), kind="convention", subject="ruff",
        statement="Lines are at most 99 characters long.", project=project,
    )  # fmt: skip
    verdicts.decide(ws, "confirm", [], {"belief": lines.as_json(), "project": project})
    (convention,) = project_findings.project_patterns(ws, project).findings
    assert (convention.statement, convention.gone) == (lines.statement, True)
    assert lines.statement in context(agent, "t2")
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    agent.env["CLAUDE_PROJECT_DIR"] = str(other)
    assert context(agent, "t3") == ""
    belief_verdicts.dismiss(ws, lines.id)
    assert project_findings.project_patterns(ws, project).findings == ()


def test_disabled_is_neither_recorded_nor_recalled(agent: Agent) -> None:
    ws = workspace.open_workspace(agent.root)
    belief_verdicts.confirm(ws, "verbosity", "concise")
    Path(agent.root, "config.toml").write_text("enabled = false\n")
    workspace.ingest(ws)
    before = len(agent.events())
    assert context(agent, "t1") == ""
    assert len(agent.events()) == before


def test_learn_trust_is_a_verdict_that_can_be_taken_back(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = str(agent.project)
    ws = workspace.open_workspace(agent.root)
    monkeypatch.chdir(project)
    assert main(["config", "--trust"]) == 0
    assert trust.is_trusted(ws.root, project)
    assert main(["config", "--trust"]) == 1
    capsys.readouterr()
    assert main(["config", "--trust", "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"project": project}]
    assert main(["undo"]) == 0
    assert not trust.is_trusted(ws.root, project)
    assert main(["config", "--trust"]) == 0
    assert main(["config", "--trust", "--undo"]) == 0
    assert not trust.is_trusted(ws.root, project)
