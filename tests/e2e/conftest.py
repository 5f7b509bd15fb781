"""The real client, fetched once a version, or the reason why these tests cannot run here."""

import shutil
from pathlib import Path
from typing import Protocol

import pytest

from tests.e2e import the_client
from tests.e2e.lab import Lab


@pytest.fixture(scope="session")
def realclient() -> Path:
    """The folder of the runner."""
    try:
        return the_client.runner()
    except the_client.Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def client(realclient: Path) -> Path:
    """The folder of the client."""
    try:
        return the_client.fetched(realclient)
    except the_client.Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def terminal() -> None:
    """Scenarios in a terminal need tmux."""
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed, so no terminal session can be played")


class NewLab(Protocol):
    """Makes a laboratory; unless named otherwise its path has a space in it, as people's do."""

    def __call__(self, name: str = "with space") -> Lab: ...


@pytest.fixture(scope="module")
def new_lab(realclient: Path, client: Path, tmp_path_factory: pytest.TempPathFactory) -> NewLab:
    """A maker of laboratories for the tests of one module."""
    return lambda name="with space": Lab(realclient, client, tmp_path_factory.mktemp("lab") / name)
