"""Starts the reading of prompts by a model: a detached process, where a person lets one read along."""

import contextlib
import subprocess
import sys
from pathlib import Path

from learnloop import settings
from learnloop.learn.facts import reading_consent
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock

RUNNER = [sys.executable, "-I", "-m", "learnloop.distill.runner"]
_EVERY_MS = 60_000


def start(root: str) -> bool:
    """Start one at most once a minute; return whether."""
    mode = settings.load(environment=False).facts.mode  # that of a hook may be a project's own
    if mode == "off" or Path(root, "facts", "paused").exists():
        return False
    if not reading_consent.by_project(Store(root).decisions(), mode) or not _is_time(root):
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
    stamp = Path(root, "facts", "started")
    started = clock.parse_ms((files.read(stamp) or b"").decode("ascii", "replace"))
    now = clock.now_ms()
    if started <= now < started + _EVERY_MS:
        return False
    files.replace(stamp, [clock.iso(now).encode()])
    return True
