"""An agent in a project, with hooks deployed."""

from pathlib import Path

import pytest

from tests.hooks.agent import Agent


@pytest.fixture
def agent(root: str, tmp_path: Path) -> Agent:
    project = tmp_path / "my project"
    (project / ".git").mkdir(parents=True)
    return Agent(root, project)
