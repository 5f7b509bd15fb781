"""Starts detached processes: the reading of prompts by a model, and the exchange with a team."""

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
EXCHANGE = [sys.executable, "-I", "-m", "learnloop.service.transfer.space"]
_EVERY_MS, _EXCHANGE_EVERY_MS = 60_000, 900_000


def start(root: str) -> bool:
    """Start one at most once a minute; return whether. Settings that cannot be read allow nothing."""
    try:
        mode = settings.load(environment=False).facts.mode  # a hook's variables may be a project's own
    except Unreadable:
        return False
    if mode == "off" or Path(root, "facts", "paused").exists():
        return False
    stamp = Path(root, "facts", "started")
    if not _is_due(stamp, _EVERY_MS):
        return False
    decisions = Store(root).decisions()
    reads = reading_consent.by_project(decisions, mode, [reading_consent.EVERYWHERE])
    if not reads and not any(reading_consent.asked(decisions).values()):
        return False
    return _start(stamp, [*RUNNER, root])


def start_exchange(root: str) -> bool:
    """Start an exchange with the team at most every quarter of an hour; return whether."""
    stamp = Path(root, "team", "started")
    is_due = Path(root, "team", "state.json").exists() and _is_due(stamp, _EXCHANGE_EVERY_MS)
    return is_due and _start(stamp, [*EXCHANGE, root])


def _is_due(stamp: Path, every_ms: int) -> bool:
    started = clock.parse_ms((files.read(stamp) or b"").decode("ascii", "replace"))
    return not started <= clock.now_ms() < started + every_ms


def _start(stamp: Path, command: list[str]) -> bool:
    files.replace(stamp, [clock.iso(clock.now_ms()).encode()])
    with contextlib.suppress(OSError):
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, cwd="/",
        )  # fmt: skip
        return True
    return False
