"""Hosts whose hooks stand in other files or other shapes than those of Claude Code."""

import json
from pathlib import Path

import pytest

from learnloop.hosts.table import COPILOT, DROID
from learnloop.service.health import doctor
from learnloop.service.setup import install
from learnloop.service.workspace import Workspace, open_workspace

OWN = '{\n  "Stop": [\n    {"hooks": [{"type": "command", "command": "say done"}]}\n  ],\n  "Other": []\n}\n'


@pytest.fixture
def ws(root: str) -> Workspace:
    return open_workspace(root)


@pytest.fixture
def folder() -> Path:
    """The person's folder of droid."""
    DROID.home.mkdir(parents=True)
    return DROID.home


def test_copilot_gets_a_command_for_each_event_that_never_fails(ws: Workspace) -> None:
    install.install(ws, "copilot")
    settings = json.loads(COPILOT.path_of("user", None).read_text("utf-8"))
    assert settings["version"] == 1
    for event, (handler,) in settings["hooks"].items():
        assert handler["bash"].endswith(f" copilot {event} || :")


def test_a_file_of_copilot_that_the_person_reformatted_is_removed_whole(ws: Workspace) -> None:
    install.install(ws, "copilot")
    path = COPILOT.path_of("user", None)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8"))), "utf-8")
    install.uninstall(ws, "copilot")
    assert not COPILOT.home.exists()


def test_events_of_droid_stand_at_the_top_of_its_hooks_file(ws: Workspace, folder: Path) -> None:
    path = folder / "hooks.json"
    path.write_text(OWN)
    install.install(ws, "droid")
    settings = json.loads(path.read_text("utf-8"))
    assert settings.keys() == {"Stop", "Other", *DROID.events}
    assert len(settings["Stop"]) == 2
    assert [(each.path, each.current) for each in install.installed(ws)] == [(str(path), True)]
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    install.uninstall(ws, "droid")
    assert path.read_text("utf-8") == OWN + "\n"


def test_doctor_names_hooks_that_droid_reads_no_more_and_moves_them(ws: Workspace, folder: Path) -> None:
    (folder / "settings.json").write_text('{"model": "x"}')
    install.install(ws, "droid")
    (folder / "hooks.json").write_text(OWN)
    (shadowed,) = doctor.registration(ws, False)
    assert "settings.json is not read beside" in shadowed.message
    (moved,) = doctor.registration(ws, True)
    assert moved.message == f"registered in {folder / 'hooks.json'}"
    assert (folder / "settings.json").read_text("utf-8") == '{"model": "x"}'


def test_hooks_that_droid_reads_no_more_are_taken_out(ws: Workspace, folder: Path) -> None:
    install.install(ws, "droid")
    (folder / "hooks.json").write_text(OWN)
    assert install.uninstall(ws, "droid").changed
    assert [path.name for path in folder.iterdir()] == ["hooks.json"]


@pytest.mark.parametrize("empty", ["{}", "{ }\n"])
def test_a_hooks_file_without_events_shadows_nothing(ws: Workspace, folder: Path, empty: str) -> None:
    install.install(ws, "droid")
    (folder / "hooks.json").write_text(empty)
    (registered,) = doctor.registration(ws, False)
    assert registered.message == f"registered in {folder / 'settings.json'}"


def test_a_hooks_file_that_is_no_json_is_named(ws: Workspace, folder: Path) -> None:
    install.install(ws, "droid")
    (folder / "hooks.json").write_text('{"Stop": [')
    checks = [check.message for check in doctor.registration(ws, False)]
    assert any("hooks.json" in message for message in checks)
