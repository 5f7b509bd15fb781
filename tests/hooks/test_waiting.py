"""Nothing that lies in a folder keeps a hook waiting: FIFOs, devices, links, and whatever comes to be."""

import os
from pathlib import Path

import pytest

from learnloop.hosts import deploy
from learnloop.wire import paths, session_recalls
from tests.hooks.agent import Agent


def fifo(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def fires(agent: Agent, event: str = "UserPromptSubmit") -> None:
    """Fire; a hook that waits is not ended, which fails the test."""
    agent.has_alarm = False
    agent.fire(event, source="startup", prompt="deploy")


def test_a_repository_that_is_a_fifo(agent: Agent) -> None:
    (agent.project / ".git").rmdir()
    fifo(agent.project / ".git")
    fires(agent)
    assert agent.events()[0]["project"] == str(agent.project)


def test_a_repository_that_is_a_link_to_a_fifo(agent: Agent, tmp_path: Path) -> None:
    (agent.project / ".git").rmdir()
    fifo(tmp_path / "pipe")
    (agent.project / ".git").symlink_to(tmp_path / "pipe")
    fires(agent)
    assert len(agent.events()) == 1


def test_a_repository_that_points_to_a_fifo(agent: Agent, tmp_path: Path) -> None:
    (agent.project / ".git").rmdir()
    (agent.project / ".git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/x\n")
    fifo(tmp_path / "main/.git/worktrees/x/gitdir")
    fires(agent)
    assert agent.events()[0]["project"] == str(agent.project)


@pytest.mark.parametrize("place", [paths.journal, paths.news, paths.index])
def test_a_fifo_below_the_root(agent: Agent, place: object) -> None:
    assert callable(place)
    fifo(Path(place(agent.root)))
    fires(agent, "SessionStart")


def test_a_fifo_in_place_of_what_a_session_saw(agent: Agent) -> None:
    fifo(Path(session_recalls.path(agent.root, "s1")))
    fires(agent, "PostToolBatch")


def test_a_fifo_in_place_of_the_consoles_lock(agent: Agent) -> None:
    fifo(Path(agent.root, "console.lock"))
    agent.env["LEARNLOOP_BACKGROUND"] = "1"
    fires(agent, "Stop")


def test_no_hook_outlives_its_alarm(agent: Agent) -> None:
    with agent.start() as process:
        assert process.wait(timeout=60) == 0  # nobody ever writes to its standard input


@pytest.mark.parametrize("name", [
    "learnloop/wire/env.py", "learnloop/wire/__pycache__/redact.*.pyc",
    "learnloop_hooks/__pycache__/record.*.pyc",
])  # fmt: skip
def test_a_fifo_in_place_of_hook_code(agent: Agent, name: str) -> None:
    (code,) = (agent.own_hooks() / "current").resolve().glob(name)
    code.unlink()
    fifo(code)
    fires(agent)
    assert len(agent.events()) == 1


def test_hook_code_that_is_a_fifo_is_renewed(agent: Agent) -> None:
    (code,) = (agent.own_hooks() / "current").resolve().glob("learnloop_hooks/__pycache__/__init__.*.pyc")
    code.unlink()
    fifo(code)
    deploy.ensure(agent.root)
    fires(agent)
    assert len(agent.events()) == 1
