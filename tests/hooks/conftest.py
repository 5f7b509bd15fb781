"""An agent in a project, with hooks deployed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop.hosts import deploy
from learnloop.recall.compile import compile_index
from learnloop.store import files
from learnloop.wire import paths
from tests.hooks.agent import Agent

Publish = Callable[..., None]


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a deployed copy, which is only read: `Agent.own_hooks` is for tests that change it."""
    return deploy.ensure(str(tmp_path_factory.mktemp("deployed") / "home")).parent


@pytest.fixture
def agent(root: str, tmp_path: Path, deployed: Path) -> Agent:
    project = tmp_path / "my project"
    (project / ".git").mkdir(parents=True)
    paths.ensure_dir(root)
    Path(paths.hooks(root)).symlink_to(deployed)
    return Agent(root, project)


@pytest.fixture
def publish(agent: Agent) -> Publish:
    """Publishes lessons as the index that the agent's hooks read."""

    def write(*lessons: dict[str, Any], now: str = "", **header: Any) -> None:
        index = compile_index(lessons, {"generation": 1, **header}, now)
        files.replace(Path(paths.index(agent.root)), [index])

    return write
