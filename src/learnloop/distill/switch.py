"""What starts, pauses and resumes the reading; its own empty folder."""

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

from learnloop.store import files
from learnloop.wire import clock, paths

RUNNER = [sys.executable, "-I", "-m", "learnloop.distill.runner"]
_EVERY_MS = 60_000


def start(root: str) -> bool:
    """Start a detached run where a person lets a model read along, at most once a minute; return whether."""
    from learnloop import settings
    from learnloop.distill import consented

    present = settings.load()
    if present.facts.mode == "off" or why_paused(root) or not _is_time(root):
        return False
    if consented.reach(root, present) is None:
        return False
    with contextlib.suppress(OSError):
        subprocess.Popen(
            [*RUNNER, root], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, cwd="/",
        )  # fmt: skip
        return True
    return False


def _is_time(root: str) -> bool:
    """Whether none was started in the last minute; if so, this is the start of one."""
    stamp = _folder(root) / "started"
    started = clock.parse_ms((files.read(stamp) or b"").decode("ascii", "replace"))
    now = clock.now_ms()
    if started <= now < started + _EVERY_MS:
        return False
    files.replace(stamp, [clock.iso(now).encode()])
    return True


def pause(root: str) -> None:
    """Let nothing be asked until it is resumed."""
    files.replace(_folder(root) / "paused", [clock.iso(clock.now_ms()).encode()])


def resume(root: str) -> None:
    """Go on, whatever failed before."""
    (_folder(root) / "paused").unlink(missing_ok=True)
    files.replace(_folder(root) / "resumed", [clock.iso(clock.now_ms()).encode()])


def why_paused(root: str) -> str:
    """That a person paused it, in words; empty where none did."""
    return "it is paused: learn facts resume" if (_folder(root) / "paused").exists() else ""


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
