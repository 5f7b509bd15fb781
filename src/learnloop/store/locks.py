"""Locks between processes: `flock` on files that are never removed, with a deadline.

Who waits longer than a moment is told for whom. Nobody waits for a process that is stopped.
"""

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path

from learnloop import errors
from learnloop.store import files
from learnloop.wire import journal, regular

ON_WAIT: ContextVar[Callable[[str, str], None]] = ContextVar("on_wait", default=lambda _why, _way_out: None)
"""Called with the reason of a wait, and the way out of it, after `PATIENCE_S`."""
PATIENCE_S = 0.25


def try_lock(fd: int, *, wait_s: float = 0.0, kind: int = fcntl.LOCK_EX) -> bool:
    """Take a lock, by default alone, trying again until the deadline; False where somebody else keeps it."""
    return journal.lock(fd, time.monotonic() + wait_s, kind)


@contextlib.contextmanager
def held(path: Path, *, wait_s: float, what: str, kind: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Hold a lock file for the block, by default alone; raises Busy, naming the holder, after some time."""
    files.ensure(path.parent)
    fd = regular.opened(str(path), os.O_RDWR | os.O_CREAT)
    try:
        is_held = try_lock(fd, wait_s=min(wait_s, PATIENCE_S), kind=kind)
        if not (is_held or _wait_on(fd, wait_s - PATIENCE_S, what, kind)):
            raise errors.Busy(*_reason(fd, what))
        _sign(fd)
        yield
    finally:
        os.close(fd)


def _wait_on(fd: int, wait_s: float, what: str, kind: int) -> bool:
    """Say why it takes so long and wait for the rest of the time, but for no stopped process."""
    if wait_s <= 0:
        return False
    ON_WAIT.get()(*_reason(fd, what))
    return not _is_stopped(_holder(fd)[1]) and try_lock(fd, wait_s=wait_s, kind=kind)


def _reason(fd: int, what: str) -> tuple[str, str]:
    holder, pid = _holder(fd)
    if _is_stopped(pid):
        way_out = f"kill -CONT {pid} lets it go on, kill -KILL {pid} ends it; no record is lost"
        return f"{what} is in use by {holder}, which is stopped", way_out
    return f"{what} is in use by {holder}", "wait for it to end, then try again"


def _sign(fd: int) -> None:
    """Leave word of who holds the lock; a full disk only costs the word."""
    command = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    with contextlib.suppress(OSError):
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{command} (process {os.getpid()})\n".encode("utf-8", "replace"), 0)


def _holder(fd: int) -> tuple[str, str]:
    """The words that the holder left, and its process id; empty where it left none."""
    with contextlib.suppress(OSError):
        holder = os.pread(fd, 200, 0).decode("utf-8", "replace").strip()
        if holder:
            return holder, holder.rpartition("(process ")[2].rstrip(")")
    return "another process", ""


def _is_stopped(pid: str) -> bool:
    """Whether a process waits for SIGCONT; outside Linux that is never certain."""
    try:
        state = regular.of_process(int(pid), "stat").rpartition(") ")[2][:1]
    except (OSError, ValueError):
        return False
    return state in ("T", "t")
