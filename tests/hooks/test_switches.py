"""Switching recording and recall off: by file, for a project or everywhere, for good or for a while."""

import os
import time
from pathlib import Path

import pytest

from learnloop.service.setup import settings_file
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths, switches
from tests.hooks.agent import Agent


def said(agent: Agent) -> list[str]:
    agent.fire("UserPromptSubmit", prompt="x")
    return [kind for kind, _ in agent.payloads()]


def test_off_everywhere_and_on(agent: Agent) -> None:
    ws = open_workspace(agent.root)
    assert settings_file.switch(ws, on=False) == [paths.off_switch(agent.root)]
    assert said(agent) == []
    assert settings_file.switch(ws, on=True) == [paths.off_switch(agent.root)]
    assert "prompt" in said(agent)
    assert settings_file.switch(ws, on=True) == []


def test_off_in_a_project(agent: Agent, tmp_path: Path) -> None:
    ws = open_workspace(agent.root)
    settings_file.switch(ws, on=False, project=str(agent.project))
    assert said(agent) == []
    agent.env["CLAUDE_PROJECT_DIR"] = str(tmp_path)
    assert "prompt" in said(agent)
    settings_file.switch(ws, on=True, project=str(agent.project))
    assert not (agent.project / ".learnloop").exists()


def test_off_for_a_while(agent: Agent) -> None:
    settings_file.switch(open_workspace(agent.root), on=False, for_s=3600)
    assert said(agent) == []
    past = time.time() - 1
    os.utime(paths.off_switch(agent.root), (past, past))
    assert "prompt" in said(agent)


def test_an_empty_file_is_enough(agent: Agent) -> None:
    folder = agent.project / ".learnloop"
    folder.mkdir()
    (folder / "off").touch()
    assert said(agent) == []


def test_a_persons_own_files_stay(agent: Agent) -> None:
    folder = agent.project / ".learnloop"
    folder.mkdir()
    (folder / "project").touch()
    ws = open_workspace(agent.root)
    settings_file.switch(ws, on=False, project=str(agent.project))
    settings_file.switch(ws, on=True, project=str(agent.project))
    assert [path.name for path in folder.iterdir()] == ["project"]


@pytest.mark.parametrize(
    ("name", "value"), [("LEARNLOOP_RECALL", "0"), ("DISABLE_EXPERIENCE_INJECTION", "1")]
)
def test_recall_off_by_the_environment(
    root: str, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    assert switches.recalling(root, "/p")
    monkeypatch.setenv(name, value)
    assert not switches.recalling(root, "/p")
    assert switches.recording(root, "/p")


def test_recall_off_by_file(root: str, tmp_path: Path) -> None:
    ws = open_workspace(root)
    project = str(tmp_path)
    for where in (None, project):
        settings_file.switch(ws, on=False, project=where, recall_only=True)
        assert not switches.recalling(root, project)
        assert switches.recording(root, project)
        settings_file.switch(ws, on=True, project=where, recall_only=True)
        assert switches.recalling(root, project)
