"""Locks between processes: `flock` on files that are never removed, with a deadline."""

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from learnloop import errors
from learnloop.store import files
from learnloop.wire import journal, paths


def try_lock(fd: int, *, wait_s: float = 0.0) -> bool:
    """Take an exclusive lock, trying again until the deadline; False where somebody else keeps it."""
    return journal.lock(fd, time.monotonic() + wait_s, fcntl.LOCK_EX)


@contextlib.contextmanager
def held(path: Path, *, wait_s: float, what: str) -> Iterator[None]:
    """Hold a lock file for the block; raises Busy, naming the holder, where it is not had in time."""
    files.ensure(path.parent)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, paths.FILE_MODE)
    try:
        if not try_lock(fd, wait_s=wait_s):
            raise errors.Busy(f"{what} is in use by {_holder(fd)}", "wait for it to end, then try again")
        os.fchmod(fd, paths.FILE_MODE)
        _sign(fd)
        yield
    finally:
        os.close(fd)


def _sign(fd: int) -> None:
    """Leave word of who holds the lock; a full disk only costs the word."""
    command = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    with contextlib.suppress(OSError):
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{command} (process {os.getpid()})\n".encode("utf-8", "replace"), 0)


def _holder(fd: int) -> str:
    with contextlib.suppress(OSError):
        holder = os.pread(fd, 200, 0).decode("utf-8", "replace").strip()
        if holder:
            return holder
    return "another process"
