"""The folder of the store: the console lock and the file watchers. Runs in worker threads."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from learnloop.wire import regular

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

DEBOUNCE_MS, STEP_MS = 50, 10
"""How long the watcher gathers changes at most, and how long a pause ends the gathering."""
FILES_DEBOUNCE_MS = 100
_WATCHED = (".jsonl", "lessons.json", "decisions.json", "health.json")


def hold(root: str) -> int:
    """Say that a console is open, so that hooks leave the ingest to it; several may be."""
    fd = regular.opened(f"{_folder(root)}/console.lock", os.O_RDWR | os.O_CREAT)
    with contextlib.suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return fd


def exists(root: str) -> bool:
    """Whether there is a folder of that name."""
    return os.path.isdir(root)  # noqa: PTH112  # strings all the way down


def is_held(root: str, fd: int) -> bool:
    """Whether the lock that is held is the one that hooks look at."""
    try:
        return os.path.samestat(os.fstat(fd), os.stat(f"{root}/console.lock"))  # noqa: PTH116
    except OSError:
        return False


def release(fd: int) -> None:
    """The console is closed."""
    if fd >= 0:
        os.close(fd)


def _folder(root: str) -> str:
    for folder in (root, f"{root}/spool", f"{root}/store"):
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103  # strings all the way down
    return root


def prepare() -> None:
    """Import the watcher: slow, so in a thread."""
    import watchfiles  # noqa: F401


async def changes(root: str) -> AsyncIterator[bool]:
    """Whenever files of the store change: True where documents are among them, False where only events came.

    Where the system's notifications are not to be had, the folders are polled.
    """
    from watchfiles import awatch
    from watchfiles._rust_notify import WatchfilesRustInternalError

    folders = (_folder(root), f"{root}/spool", f"{root}/store")
    for polling in (None, True):
        try:
            async for changed in awatch(
                *folders, watch_filter=lambda _, path: path.endswith(_WATCHED), debounce=DEBOUNCE_MS,
                step=STEP_MS, recursive=False, force_polling=polling,
            ):  # fmt: skip
                yield any(path.endswith(".json") for _, path in changed)
            return
        except (OSError, WatchfilesRustInternalError):
            if polling:
                raise


async def file_changes(folders: Sequence[str]) -> AsyncIterator[None]:
    """Whenever a file of those folders changes, whoever changed it.

    Raises OSError where the folders cannot be watched.
    """
    if not folders:
        return
    from watchfiles import awatch

    stop = asyncio.Event()
    try:
        async for _ in awatch(
            *folders, recursive=False, debounce=FILES_DEBOUNCE_MS, step=20, stop_event=stop, rust_timeout=1000
        ):
            yield
    finally:
        stop.set()
