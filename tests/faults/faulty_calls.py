"""Builds the library that makes calls fail and moves clocks, and says how a process is given it."""

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


class CannotBuild(Exception):
    """There is no compiler here, or no way to preload a library."""


def build(folder: Path) -> Path:
    """Compile the library into a folder."""
    gcc = shutil.which("gcc")
    if gcc is None or not sys.platform.startswith("linux"):
        raise CannotBuild("failing calls and other clocks need gcc and Linux")
    library = folder / "faulty_calls.so"
    command = [gcc, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise CannotBuild(f"gcc could not build the failing calls: {done.stderr.splitlines()[:1]}")
    return library


def failing(library: Path, folder: str, *calls: str) -> dict[str, str]:
    """The environment of a process whose calls on files below a folder end with EIO."""
    return {"LD_PRELOAD": str(library), "FAULTY_FOLDER": folder, "FAULTY_CALLS": ",".join(calls)}


def at(library: Path, offset_s: int) -> dict[str, str]:
    """The environment of a process whose clock is so many seconds ahead, or behind."""
    return {"LD_PRELOAD": str(library), "CLOCK_OFFSET_S": str(offset_s)}
