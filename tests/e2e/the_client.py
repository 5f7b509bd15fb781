"""Where the real client is and how it is fetched, or the reason why it cannot be had here."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_FETCH = "import run, pathlib, sys; run.install(pathlib.Path(sys.argv[1]), sys.argv[2])"
_VERSION = "import run; print(run.VERSION)"


class Missing(Exception):
    """Something outside of the repository is not here."""


def runner() -> Path:
    """The runner's folder: `$LEARNLOOP_REALCLIENT`, else `../shared/realclient` beside the repository."""
    beside = Path(__file__).parents[3] / "shared" / "realclient"
    folder = Path(os.environ.get("LEARNLOOP_REALCLIENT") or beside)
    if not (folder / "run.py").is_file():
        raise Missing(f"no client runner in {folder}; name its folder with LEARNLOOP_REALCLIENT")
    return folder


def fetched(runner: Path) -> Path:
    """The client's folder in the temporary one, fetched from npm where it is not there yet.

    It is the runner's version, unless LEARNLOOP_CLIENT_VERSION names another one.
    """
    if not shutil.which("npm"):
        raise Missing("npm is not installed, so the real client cannot be fetched")
    version = os.environ.get("LEARNLOOP_CLIENT_VERSION") or _python(runner, _VERSION).stdout.strip()
    folder = Path(tempfile.gettempdir()) / f"realclient-npm-{version}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = _python(runner, _FETCH, str(folder), version)
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise Missing(f"npm cannot install the real client: {last}")
    return folder


def _python(folder: Path, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True, timeout=110
    )
