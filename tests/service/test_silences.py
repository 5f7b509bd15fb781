"""Status and doctor say what keeps a folder from being recorded, whatever it is."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.service import silences
from learnloop.service.health import doctor, quick_status
from learnloop.service.setup import settings_file
from learnloop.service.workspace import Workspace

Make = Callable[[Workspace, Path], None]


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (home / ".claude").mkdir()
    folder = tmp_path / "shop"
    (folder / ".claude").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def _settings(folder: Path, name: str, **settings: object) -> None:
    (folder / ".claude" / name).write_text(json.dumps(settings))


def off(ws: Workspace, _project: Path) -> None:
    settings_file.switch(ws, on=False)


def own_off(ws: Workspace, project: Path) -> None:
    settings_file.switch(ws, on=False, project=str(project))


def repository_off(_ws: Workspace, project: Path) -> None:
    (project / ".learnloop").mkdir()
    (project / ".learnloop" / "off").touch()


def by_settings(_ws: Workspace, _project: Path) -> None:
    settings_file.set_("record", "false")


def by_user_settings(_ws: Workspace, _project: Path) -> None:
    _settings(Path.home(), "settings.json", disableAllHooks=True)


def by_project_settings(_ws: Workspace, project: Path) -> None:
    _settings(project, "settings.json", disableAllHooks=True)


def by_local_settings(_ws: Workspace, project: Path) -> None:
    _settings(project, "settings.local.json", disableAllHooks=True)


def by_variable(_ws: Workspace, project: Path) -> None:
    _settings(project, "settings.json", env={"LEARNLOOP_DISABLE": "1"})


def by_another_home(_ws: Workspace, project: Path) -> None:
    _settings(project, "settings.json", env={"LEARNLOOP_HOME": "/tmp/theirs"})


EVERY = (
    off, own_off, repository_off, by_settings, by_user_settings, by_project_settings, by_local_settings,
    by_variable, by_another_home,
)  # fmt: skip


@pytest.mark.parametrize("make", EVERY)
def test_status_and_doctor_know_why_nothing_is_recorded(
    ws: Workspace, project: Path, make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    make(ws, project)
    assert main(["status", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert not status["recording"]
    assert status["silenced_by"]
    assert not status["summary"].startswith("No hooks yet")
    levels = [check.level for check in doctor.examine(ws) if check.name == "switches"]
    assert levels == ["warn"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({4: 0}, ["the disk is full"]),
        ({5: 10_000, 7: 0}, ["the disk is out of inodes"]),
        ({5: 0, 7: 0}, []),  # a file system that does not count them
    ],
)
def test_status_and_doctor_know_a_full_disk(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[int, int], told: list[str]
) -> None:
    Path(ws.root).mkdir()
    real = os.statvfs

    def full(path: str) -> os.statvfs_result:
        return os.statvfs_result([changed.get(at, field) for at, field in enumerate(real(path)[:10])])

    monkeypatch.setattr(os, "statvfs", full)
    assert quick_status.quick_status(ws, project=str(project)).recording == (not told)
    assert [silence.why for silence in silences.of(ws.root, str(project)) if "disk" in silence.why] == told
    levels = [check.level for check in doctor.examine(ws) if check.name == "disk"]
    assert levels == (["fail"] if told else ["ok"])


def test_recall_alone_is_told_apart(ws: Workspace, project: Path) -> None:
    settings_file.switch(ws, on=False, project=str(project), recall_only=True)
    status = quick_status.quick_status(ws, project=str(project))
    assert (status.recording, status.recalling) == (True, False)
    _settings(project, "settings.json", env={"LEARNLOOP_RECALL": "0"})
    settings_file.switch(ws, on=True, project=str(project))
    (project / ".learnloop").mkdir()
    (project / ".learnloop" / "record-only").touch()
    assert not quick_status.quick_status(ws, project=str(project)).recalling
    (project / ".learnloop" / "record-only").unlink()
    assert not quick_status.quick_status(ws, project=str(project)).recalling


def test_nothing_is_said_where_nothing_is_wrong(ws: Workspace, project: Path) -> None:
    _settings(project, "settings.json", disableAllHooks=False, env={"LEARNLOOP_HOME": ws.root})
    (project / ".claude" / "settings.local.json").write_text("{broken")
    status = quick_status.quick_status(ws, project=str(project))
    assert (status.recording, status.recalling, status.silences) == (True, True, ())


def test_settings_that_are_a_fifo_keep_nothing_waiting(ws: Workspace, project: Path) -> None:
    os.mkfifo(project / ".claude" / "settings.json")
    assert quick_status.quick_status(ws, project=str(project)).recording


@pytest.mark.parametrize("name", ["DISABLE=1", "ENABLED=no", "RECORD=0"])
def test_a_variable_of_this_shell_is_told(ws: Workspace, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(*f"LEARNLOOP_{name}".split("=", 1))
    assert not quick_status.quick_status(ws).recording
