"""Facts in a project's own file, from the command line: preview, the choice of who reads it, doctor."""

import sys
from pathlib import Path
from shlex import quote

import pytest

from learnloop.cli.main import main
from learnloop.service.health import doctor
from learnloop.service.patches import patches
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.cli.terminal import Keyboard
from tests.fact_scene import project_with_a_fact


@pytest.fixture
def project(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """It is the working folder."""
    folder = project_with_a_fact(ws, tmp_path)
    monkeypatch.chdir(folder)
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["patches", *words])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_a_script_says_the_place_and_nothing_is_written_without(
    ws: Workspace, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (patch,) = patches.listing(ws)
    code, _, err = run(capsys, "apply", patch.id)
    assert (code, f"--import {quote(f'{project}/AGENTS.md')} or" in err) == (1, True)
    assert not (project / "LEARNED.md").exists()
    code, out, _ = run(capsys, "apply", patch.id, "--import", "AGENTS.md")
    assert (code, out.count("applied")) == (0, 2)
    assert (project / "AGENTS.md").read_text() == "# Shop\n\n@LEARNED.md\n"
    assert main(["undo"]) == 0
    assert [path.name for path in project.glob("*.md")] == ["AGENTS.md"]
    assert (project / "AGENTS.md").read_text() == "# Shop\n"


@pytest.mark.parametrize(
    ("answer", "written"), [("2", "@AGENTS.md\n@LEARNED.md\n"), ("n", None), ("7", None)]
)
def test_a_person_is_asked_once(
    ws: Workspace, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    answer: str, written: str | None,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "stdin", Keyboard(f"{answer}\n"))
    (patch,) = patches.listing(ws)
    code, _, err = run(capsys, "apply", patch.id)
    assert code == (1 if answer == "7" else 0)
    assert (project / "LEARNED.md").exists() == (answer != "7")
    file = project / "CLAUDE.md"
    assert (file.read_text() if file.exists() else None) == written
    assert f"No agent reads {project}/LEARNED.md yet" in err
    verdicts.add(ws, "Answers without a summary", scope="project", project=str(project), source="synthesis")
    (second,) = patches.listing(ws, "proposed") if answer != "7" else [patch]
    assert answer == "7" or "No agent reads" not in run(capsys, "apply", second.id)[2]


def test_the_doctor_says_when_a_file_of_facts_goes_unread(
    ws: Workspace, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said() -> tuple[str, str]:
        check = next(check for check in doctor.examine(ws) if check.name == "prompt files")
        return check.level, check.message

    (patch,) = patches.listing(ws)
    run(capsys, "apply", patch.id, "--import", "AGENTS.md")
    assert said()[0] == "ok"
    (project / "CLAUDE.md").write_text("# The client reads this one instead\n")
    assert said() == ("warn", f"no agent reads {project}/LEARNED.md")
