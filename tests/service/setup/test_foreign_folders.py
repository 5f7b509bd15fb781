"""Switches and hooks in a folder that somebody else made: nothing in it runs, no link in it is followed."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Refused
from learnloop.service.setup import install, settings_file
from learnloop.service.workspace import Workspace
from learnloop.wire import switches


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    return folder


@pytest.fixture
def bashrc(home: Path) -> Path:
    path = home / ".bashrc"
    path.write_text("alias ll='ls -l'\n")
    return path


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def _as_bare_repository(folder: Path, trap: Path) -> None:
    """A folder that git takes for a bare repository, whose configuration runs a program."""
    (folder / "objects").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(f'[core]\n\tworktree = ..\n\tfsmonitor = "touch {trap};false"\n')


@pytest.mark.parametrize("dry_run", [True, False])
def test_installing_runs_no_code_of_the_folder(
    ws: Workspace, project: Path, tmp_path: Path, dry_run: bool
) -> None:
    trap = tmp_path / "ran"
    _as_bare_repository(project / ".claude", trap)
    (project / ".claude" / "settings.local.json").write_text("{}")
    install.install(ws, scope="local", project=str(project), dry_run=dry_run)
    assert not trap.exists()


@pytest.mark.usefixtures("_git")
def test_installing_runs_no_code_of_an_unpacked_repository(
    ws: Workspace, project: Path, tmp_path: Path
) -> None:
    trap = tmp_path / "ran"
    _git(project, "init", "-q")
    _git(project, "config", "core.fsmonitor", f"touch {trap};false")
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.local.json").write_text("{}")
    install.install(ws, scope="local", project=str(project), dry_run=True)
    assert not trap.exists()


@pytest.mark.usefixtures("_git")
def test_a_committed_file_is_refused_whatever_the_folder_says(ws: Workspace, project: Path) -> None:
    _git(project, "init", "-q")
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.local.json").write_text("{}")
    _git(project, "add", ".")
    _as_bare_repository(project / ".claude", project / "ran")
    with pytest.raises(Refused, match="committed"):
        install.install(ws, scope="local", project=str(project))


@pytest.mark.parametrize("linked", [".claude/settings.local.json", ".claude"])
def test_installing_follows_no_link_of_the_folder(
    ws: Workspace, home: Path, project: Path, linked: str
) -> None:
    target = home / "elsewhere"
    (target if linked == ".claude" else home).mkdir(exist_ok=True)
    own = target / "settings.local.json" if linked == ".claude" else target
    own.write_text("{}")
    (project / linked).parent.mkdir(exist_ok=True)
    (project / linked).symlink_to(target)
    with pytest.raises(Refused, match="link"):
        install.install(ws, scope="local", project=str(project))
    assert own.read_text() == "{}"


def test_a_settings_file_of_the_persons_own_may_be_a_link(ws: Workspace, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / "dotfiles.json").write_text("{}")
    (home / ".claude" / "settings.json").symlink_to(home / "dotfiles.json")
    install.install(ws)
    assert "hooks" in (home / "dotfiles.json").read_text()


@pytest.mark.parametrize("for_s", [None, 3600.0])
@pytest.mark.parametrize(("recall_only", "name"), [(False, "off"), (True, "record-only")])
def test_a_switch_that_is_a_link_empties_no_other_file(
    ws: Workspace, project: Path, bashrc: Path, recall_only: bool, name: str, for_s: float | None
) -> None:
    before = bashrc.read_text()
    (project / ".learnloop").mkdir()
    (project / ".learnloop" / name).symlink_to(os.path.relpath(bashrc, project / ".learnloop"))
    settings_file.switch(ws, on=False, project=str(project), recall_only=recall_only, for_s=for_s)
    assert bashrc.read_text() == before
    assert not (project / ".learnloop" / name).is_symlink()
    assert switches.is_set(str(project / ".learnloop" / name))


@pytest.mark.parametrize("on", [False, True])
def test_a_switch_folder_that_is_a_link_is_refused(
    ws: Workspace, home: Path, project: Path, on: bool
) -> None:
    (home / "private").mkdir()
    (home / "private" / "off").write_text("mine")
    (project / ".learnloop").symlink_to(home / "private")
    with pytest.raises(Refused, match="link"):
        settings_file.switch(ws, on=on, project=str(project))
    assert (home / "private" / "off").read_text() == "mine"


def test_a_switch_is_off_for_a_while_from_its_first_moment(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that is killed on the way leaves no switch that is off for good."""
    path = project / ".learnloop" / "off"
    seen: list[int] = []
    real = os.utime

    def utime(*args: Any, **options: Any) -> None:
        seen.append(path.exists())
        real(*args, **options)

    monkeypatch.setattr(os, "utime", utime)
    settings_file.switch(ws, on=False, project=str(project), for_s=3600)
    assert seen[0] is False
    assert path.stat().st_mtime > path.parent.stat().st_mtime
