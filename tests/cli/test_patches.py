"""`learn patches` as a person and a script use it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from learnloop.cli.main import main
from tests.service.patches import patch_home


@pytest.fixture
def agents(root: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = patch_home.agents(home, "reviewer", "tester")
    monkeypatch.chdir(home)
    patch_home.rules(root, 2)
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["patches", *words])
    output = capsys.readouterr()
    return code, output.out, output.err


def listing(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_from_proposal_to_revert(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in agents.iterdir()}
    found = listing(capsys)
    assert [one["state"] for one in found] == ["proposed", "proposed"]
    assert listing(capsys, "--status", "active") == []
    code, _, err = run(capsys, "apply", "--all")
    assert code == 1
    assert "was previewed" in err
    code, out, _ = run(capsys, "apply", "--all", "--dry-run")
    assert code == 0
    assert out.startswith("--- ")
    assert {path.name: path.read_bytes() for path in agents.iterdir()} == before
    code, out, _ = run(capsys, "apply", "--all")
    assert (code, out.count("applied")) == (0, 4)
    assert [one["state"] for one in listing(capsys, "--status", "active")] == ["active", "active"]
    shown = listing(capsys, "show", found[0]["id"][:6])
    assert [one["standing"] for one in shown[0]["standing"]] == ["clean", "clean"]
    code, out, _ = run(capsys, "revert", "--all")
    assert code == 0
    assert {path.name: path.read_bytes() for path in agents.iterdir()} == before
    assert [one["did"] for one in listing(capsys, "history")][:2] == ["revert", "revert"]


@pytest.mark.usefixtures("_git")
def test_the_preview_is_a_diff_that_git_applies(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = [one["id"] for one in listing(capsys)]
    _, told, _ = run(capsys, "preview", *ids)
    done = subprocess.run(
        ["git", "apply", "-p1", "--unsafe-paths", "--directory=/", "-"], cwd="/", input=told, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    by_git = {path.name: path.read_bytes() for path in agents.iterdir()}
    for path in agents.iterdir():
        path.write_text(patch_home.AGENT.format(name=path.stem))
    listing(capsys, "preview", *ids)
    assert run(capsys, "apply", *ids)[0] == 0
    assert {path.name: path.read_bytes() for path in agents.iterdir()} == by_git


def test_a_conflict_is_reported_with_its_sides_and_decided(
    agents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "preview", "--all")
    run(capsys, "apply", "--all")
    file = agents / "tester.md"
    file.write_text(file.read_text().replace("Integration tests", "All tests"))
    code, _, err = run(capsys, "revert", "--all")
    assert code == 1
    for words in ("edited by hand", "--keep", "before:", "ours:", "now:", "All tests"):
        assert words in err
    code, _, _ = run(capsys, "revert", "--all", "--remove")
    assert code == 0
    assert "learnloop" not in file.read_text()


@pytest.mark.parametrize("words", [["apply"], ["edit"], ["apply", "abcd", "--all"], ["nonsense"]])
def test_wrong_usage_is_reported(agents: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["patches", *words]) == 2


def test_gc_says_what_it_removes(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "preview", "--all")
    run(capsys, "apply", "--all")
    assert listing(capsys, "gc", "--dry-run") == {"removed": 0, "bytes": 0, "kept": 2, "dry_run": True}
    assert "stay" in run(capsys, "gc")[1]


def test_a_repositorys_file_is_no_target_before_it_is_named(
    root: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    patch_home.agents(project, "reviewer")
    monkeypatch.chdir(project)
    patch_home.rules(root, 1)
    (patch,) = listing(capsys)
    code, out, err = run(capsys, "preview", patch["id"])
    assert (code, out) == (1, "")
    assert "there is no file to put it in – name one with --file" in err
    code, out, _ = run(capsys, "preview", patch["id"], "--file", ".claude/agents/reviewer.md")
    assert (code, out[:4]) == (0, "--- ")


def test_a_project_without_a_prompt_file_is_named(
    root: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "CLAUDE.md").touch()
    assert "approve a lesson first" in run(capsys)[2]
    assert main(["add", "--project", ".", "Use uv, not pip."]) == 0
    capsys.readouterr()
    code, out, err = run(capsys)
    assert (code, "0/0" in out) == (0, True), out + err
    assert "No CLAUDE.md in shop yet: create it" in err
    (project / "CLAUDE.md").touch()
    assert "CLAUDE.md" not in run(capsys)[2]


def test_words_are_changed_and_proposals_dismissed(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (found["id"] for found in listing(capsys))
    assert run(capsys, "edit", one, "--words", "- Tests come first.", "--place", "prepend")[0] == 0
    assert run(capsys, "dismiss", two, "--reason", "recall is enough")[0] == 0
    assert [found["id"] for found in listing(capsys, "--status", "dismissed")] == [two]
    assert run(capsys, "restore", two)[0] == 0
    assert run(capsys, "apply", one)[0] == 0
    text = (agents / "tester.md").read_text()
    assert text.index("Tests come first") < text.index("Work with care")
    code, out, _ = run(capsys, "show", one)
    assert (code, "Tests come first" in out, "tester.md · read by claude" in out) == (0, True, True)


def test_without_any_prompt_file_the_list_says_which_to_make(
    root: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    patch_home.rules(root, 1)
    assert "create ~/.claude/CLAUDE.md" in run(capsys)[2]
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "CLAUDE.md").touch()
    assert [patch["state"] for patch in listing(capsys)] == ["proposed"]
