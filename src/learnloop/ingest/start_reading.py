"""Starts the reading of prompts by a model: a detached process, where a person lets one read along."""

import contextlib
import subprocess
import sys
from pathlib import Path

from learnloop import settings
from learnloop.errors import Unreadable
from learnloop.learn.facts import reading_consent
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock

RUNNER = [sys.executable, "-I", "-m", "learnloop.service.facts.reader"]
_EVERY_MS = 60_000


def start(root: str) -> bool:
    """Start one at most once a minute; return whether. Settings that cannot be read allow nothing."""
    try:
        mode = settings.load(environment=False).facts.mode  # a hook's variables may be a project's own
    except Unreadable:
        return False
    if mode == "off" or Path(root, "facts", "paused").exists():
        return False
    stamp, now = Path(root, "facts", "started"), clock.now_ms()
    started = clock.parse_ms((files.read(stamp) or b"").decode("ascii", "replace"))
    if started <= now < started + _EVERY_MS:
        return False
    decisions = Store(root).decisions()
    reads = reading_consent.by_project(decisions, mode, [reading_consent.EVERYWHERE])
    if not reads and not any(reading_consent.asked(decisions).values()):
        return False
    files.replace(stamp, [clock.iso(now).encode()])
    with contextlib.suppress(OSError):
        subprocess.Popen(
            [*RUNNER, root], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, cwd="/",
        )  # fmt: skip
        return True
    return False
