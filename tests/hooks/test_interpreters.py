"""Hooks and the interpreters that run them: another, a newer one in the same place, one in another place."""

import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from scripts import interpreters

from learnloop.hosts import deploy
from learnloop.service import hosts
from learnloop.service.setup import install
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.wire import paths
from tests.cli.terminal import on_terminal
from tests.hooks.agent import Agent

OTHERS = [version for version in interpreters.VERSIONS if version != sys.version[: len(version)]]


@pytest.fixture
def moved(root: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The interpreter of before; hooks of four kinds of agents were installed with it."""
    before = tmp_path / "old python" / "python3"
    before.parent.mkdir()
    before.symlink_to(deploy.interpreter())
    with monkeypatch.context() as patch:
        patch.setattr(deploy, "interpreter", lambda: str(before))
        for host in ("claude", "codex", "copilot", "opencode"):
            install.install(open_workspace(root), host)
    return str(before)


def settings_of(host: str) -> str:
    """Its settings, with the letters that JSON writes as numbers."""
    text = hosts.host(host).path_of("user", None).read_text()
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)


@pytest.mark.parametrize("version", OTHERS)
def test_a_hook_of_another_interpreter_records(agent: Agent, version: str) -> None:
    """The code was made for the one that runs these tests: until `learn` starts again, hooks work on."""
    agent.own_hooks()
    python = interpreters.path_of(version)
    if not python:
        pytest.skip(f"Python {version} is not on this machine")
    agent.command = shlex.join([python, *shlex.split(agent.command)[1:]])
    for _ in range(2):
        agent.fire("UserPromptSubmit", prompt="No, use pytest instead")
    assert [kind for kind, _ in agent.payloads()] == ["prompt", "prompt"]


def test_hooks_of_another_interpreter_run_with_this_one_from_the_next_start_on(
    ws: Workspace, moved: str
) -> None:
    said = install.refresh(ws)
    assert len(said) == 4
    assert all(f"run {deploy.interpreter()} now, not {moved}" in line for line in said)
    assert [line for line in said if "Trust all and continue" in line] == [said[1]]
    for installation in install.installed(ws):
        assert installation.current
        assert moved not in settings_of(installation.host)
    assert install.refresh(ws) == []


def test_hooks_that_somebody_changed_stay(ws: Workspace, moved: str) -> None:
    path = hosts.host("claude").path_of("user", None)
    settings = json.loads(path.read_text())
    del settings["hooks"]["Stop"]
    path.write_text(json.dumps(settings))
    assert not any(str(path) in line for line in install.refresh(ws))
    assert json.loads(path.read_text()) == settings
    assert "Stop" not in settings["hooks"]


def test_an_agent_moves_no_hooks(ws: Workspace, moved: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert install.refresh(ws) == []
    assert moved in settings_of("claude")
    monkeypatch.delenv("CLAUDECODE")
    assert len(install.refresh(ws)) == 4


def test_hooks_in_a_folder_that_is_not_the_agents_now_stay(
    ws: Workspace, moved: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = settings_of("claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "other claude"))
    assert len(install.refresh(ws)) == 3
    assert not (tmp_path / "other claude").exists()
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    assert settings_of("claude") == before


def test_uninstalling_after_a_move_restores_the_file(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    path = hosts.host("claude").path_of("user", None)
    path.parent.mkdir()
    path.write_text('{"model":   "opus"}\n')
    with monkeypatch.context() as patch:
        patch.setattr(deploy, "interpreter", lambda: "/old/python3")
        install.install(ws)
    install.refresh(ws)
    install.uninstall(ws)
    assert path.read_text() == '{"model":   "opus"}\n'


def test_code_is_made_anew_after_an_upgrade_in_place(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    version = sys.version.split()[0]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version", "3.11.0 (main)")
        before = deploy.ensure(ws.root)
    assert install.refresh(ws) == [f"The hook code is made for Python {version} now; it was for 3.11.0."]
    assert Path(paths.hooks(ws.root), "current").resolve() not in (before, Path())
    assert install.refresh(ws) == []


def test_the_next_start_of_learn_says_it_once(root: str, moved: str) -> None:
    env = {"LEARNLOOP_HOME": root, "HOME": os.environ["HOME"]}
    first, second = (on_terminal(["status"], env=env, size=(24, 400)).decode() for _ in range(2))
    assert first.count(f"now, not {moved}") == 4
    assert moved not in second
