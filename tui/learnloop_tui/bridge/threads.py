"""The threads in which all that is slow happens, and the store they work on."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.service.workspace import Workspace

T = TypeVar("T")
Presence = Literal["same", "gone", "other"]
"""Of the folder: the one that was opened, none at all, another one in its place."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_LARGE = 1 << 20


def share_memory() -> None:
    """Have threads allocate from one heap, where the C library can, and what is large from none.

    A heap keeps its holes to itself; what has a place of its own is given back when it is freed.
    """
    import ctypes

    with contextlib.suppress(OSError, AttributeError):  # only glibc has it
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)


_THREADS = ("order", "tail", "long", "trials")


def _thread(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, name, initializer=share_memory)


class Threads:
    """One thread for loading, verdicts and ingest, in order; one for reading what hooks just wrote, which
    must not wait for the first; one for what takes long; one for trials, of which only the last counts.
    """

    def __init__(self, root: str, *, demo: bool = False) -> None:
        self.root = root
        self.demo = demo
        self._order, self._tail_thread, self._long, self._trials = map(_thread, _THREADS)
        self._stopping = threading.Event()
        self._lock = -1

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    def _workspace(self) -> Workspace:
        from learnloop.service import workspace

        return workspace.open_workspace(self.root, by="console")

    async def start(self) -> None:
        """Seed a demo, take the console lock."""
        await self._run(self._order, self._start)

    def _start(self) -> None:
        from learnloop_tui.bridge import live

        if self.demo:
            from learnloop import demo

            demo.seed(self.root)
        self._lock = live.hold(self.root)

    async def work(self, work: Callable[[Workspace], T]) -> T:
        """Run something on the workspace."""
        return await self._run(self._order, lambda: work(self._workspace()))

    async def presence(self) -> Presence:
        """Whether the store is still the one that was opened; of another one it is asked once."""
        return await self._run(self._order, self._look_for_root)

    def _look_for_root(self) -> Presence:
        from learnloop_tui.bridge import live

        if not live.is_there(self.root):
            return "gone"
        if live.holds(self.root, self._lock):
            return "same"
        live.release(self._lock)
        self._lock = live.hold(self.root)
        return "other"

    def close(self) -> None:
        """Let go of threads and locks."""
        from learnloop_tui.bridge import live

        self._stopping.set()
        for pool in (self._order, self._tail_thread, self._long, self._trials):
            pool.shutdown(wait=True, cancel_futures=True)
        live.release(self._lock)
