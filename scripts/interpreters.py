"""The Pythons of this machine that Learnloop is tested with: `python -m scripts.interpreters` lists them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def path_of(version: str) -> str:
    """The path of an interpreter of a version; empty where there is none here."""
    return next(filter(_works, _candidates(version)), "")


def _candidates(version: str) -> Iterator[str]:
    """Where an interpreter of a version may be: pyenv's newest, then the search path."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    releases = sorted(pyenv.glob(f"{version}.*/bin/python3"), key=lambda path: _number(path.parts[-3]))
    yield from map(str, reversed(releases))
    yield shutil.which(f"python{version}") or ""


def _number(release: str) -> int:
    patch = release.rpartition(".")[2]
    return int(patch) if patch.isdecimal() else -1


def _works(python: str) -> bool:
    """Whether it starts, and makes environments: a shim of pyenv may stand for nothing."""
    command = [python, "-c", "import ensurepip"]
    return bool(python) and subprocess.run(command, capture_output=True).returncode == 0


def main() -> None:
    """Print version and path of each that is here on stdout, the versions that are not on stderr."""
    here = {version: path for version in VERSIONS if (path := path_of(version))}
    for version, path in here.items():
        print(version, path)
    if not here:
        print("another", sys.executable)
    if missing := [version for version in VERSIONS if version not in here]:
        print(f"Not on this machine, so not run: Python {', '.join(missing)}", file=sys.stderr)


if __name__ == "__main__":
    main()
