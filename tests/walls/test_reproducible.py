"""The same sources give the same bytes, wherever, whenever and by whomever they are built."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
_NOT_SOURCES = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "build", "dist"
)


def _built(source: Path, folder: Path, umask: int) -> dict[str, bytes]:
    """Wheel and source archive of a checkout."""
    before = os.umask(umask)
    try:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    copies = []
    for number in range(2):
        copies.append(tmp_path / f"checkout-{number}")
        shutil.copytree(REPOSITORY, copies[-1], ignore=_NOT_SOURCES)
        for path in copies[-1].rglob("*"):
            os.utime(path, (1_000_000_000 + number * 50_000_000,) * 2)
    first, second = (
        _built(copy, tmp_path / f"dist-{number}", umask)
        for number, (copy, umask) in enumerate(zip(copies, (0o022, 0o077), strict=True))
    )
    assert sorted(path.rpartition(".")[2] for path in first) == ["gz", "whl"]
    assert {name: second[name] == data for name, data in first.items()} == dict.fromkeys(first, True)
