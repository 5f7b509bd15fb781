"""What stops and resumes the reading, and the empty folder that it works in."""

import shutil
from pathlib import Path

from learnloop.store import files
from learnloop.wire import clock, paths

LOCK, UNDER_WAY = "facts.lock", "facts/under-way"
"""Below the root: who reads holds the first; the second notes a call until what came of it is recorded."""


def resume(root: str) -> None:
    """Go on, whatever failed before."""
    (_folder(root) / "paused").unlink(missing_ok=True)
    files.replace(_folder(root) / "resumed", [clock.iso(clock.now_ms()).encode()])


def why_paused(root: str) -> str:
    """That a person paused it with an earlier version, in words; empty where none did."""
    return "it is paused: learn facts run goes on" if (_folder(root) / "paused").exists() else ""


def resumed_at(root: str) -> str:
    """When a person last said that it shall go on; empty where none did."""
    return (files.read(_folder(root) / "resumed") or b"").decode("ascii", "replace")


def empty_folder(root: str) -> str:
    """The folder in which commands run: nothing is in it, and only the person may look."""
    folder = _folder(root) / "call"
    shutil.rmtree(folder, ignore_errors=True)
    paths.ensure_dir(str(folder))
    return str(folder)


def _folder(root: str) -> Path:
    return Path(root, "facts")
