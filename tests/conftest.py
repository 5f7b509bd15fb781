"""What every test shares: a root of its own, an empty home, and nothing running in the background."""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from learnloop.service import place
from learnloop.service.workspace import Workspace, open_workspace
from tests.demo_stores import DemoStores
from tests.examples import load_profiles

load_profiles()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: tests of the console and of processes mostly wait."""
    return (os.cpu_count() or 2) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare garbage collection the collected tests, and let it look rarely: a console makes many objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, whatever it forgets to set, comes near the home of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("nobody")))
        yield


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A data root that does not exist yet, in a world where nothing else of Learnloop does."""
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.chdir(Path.cwd())  # a hook goes where its session is
    for name in ("LEARNLOOP_DISABLE", "LEARNLOOP_NESTED", "LEARNLOOP_RECALL", "DISABLE_EXPERIENCE_INJECTION"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("LEARNLOOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LEARNLOOP_BACKGROUND", "0")
    return str(tmp_path / "home")


@pytest.fixture
def home(root: str) -> Path:
    """The empty home of the person in that world."""
    del root
    return Path.home()


@pytest.fixture
def ws(root: str) -> Workspace:
    """An empty store."""
    return open_workspace(root)


@pytest.fixture
def _git() -> None:
    """Skip a test that starts git where there is none."""
    if not shutil.which("git"):
        pytest.skip("git is not here")


@pytest.fixture(scope="session")
def demo_stores(tmp_path_factory: pytest.TempPathFactory) -> DemoStores:
    """Copies of demo stores that are seeded once."""
    return DemoStores(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session", autouse=True)
def _person_at_a_terminal() -> Iterator[None]:
    """Whoever runs the tests, also an agent: what they decide is decided at a terminal."""
    with pytest.MonkeyPatch.context() as patch:
        for name in place.signs(os.environ):
            patch.delenv(name)
        patch.setattr(place, "processes", lambda: place.Processes((("bash",), ("sshd",)), "pts/0", "sshd", 0))
        yield
