"""An agent in a project, with hooks deployed."""

from pathlib import Path

import pytest

from learnloop.hosts import deploy
from learnloop.wire import paths
from tests.hooks.agent import Agent


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
