"""The real client, fetched once a version, or the reason why these tests cannot run here."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Protocol

import pytest

from tests.e2e.lab import Lab

_FETCH = "import run, pathlib, sys; run.install(pathlib.Path(sys.argv[1]), sys.argv[2])"
_VERSION = "import run; print(run.VERSION)"


@pytest.fixture(scope="session")
def realclient() -> Path:
    """The runner: `$LEARNLOOP_REALCLIENT`, else `../shared/realclient` beside the repository."""
    beside = Path(__file__).parents[3] / "shared" / "realclient"
    folder = Path(os.environ.get("LEARNLOOP_REALCLIENT") or beside)
    if not (folder / "run.py").is_file():
        pytest.skip(f"no client runner in {folder}; name its folder with LEARNLOOP_REALCLIENT")
    return folder


@pytest.fixture(scope="session")
def client(realclient: Path) -> Path:
    """Where the client is kept in the temporary folder, fetched from npm where it is not there yet.

    It is the runner's version, unless LEARNLOOP_CLIENT_VERSION names another one.
    """
    if not shutil.which("npm"):
        pytest.skip("npm is not installed, so the real client cannot be fetched")
    version = os.environ.get("LEARNLOOP_CLIENT_VERSION") or _python(realclient, _VERSION).stdout.strip()
    folder = Path(tempfile.gettempdir()) / f"realclient-npm-{version}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fetched = _python(realclient, _FETCH, str(folder), version)
    if fetched.returncode:
        last = (fetched.stderr.strip() or "no message").splitlines()[-1]
        pytest.skip(f"npm cannot install the real client: {last}")
    return folder


def _python(folder: Path, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True, timeout=110
    )


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
