"""The bridge to the real service: a few threads and the store they work on."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from learnloop_tui.bridge import row_cache, store_folder
from learnloop_tui.bridge.live_events import LiveEvents
from learnloop_tui.bridge.snapshots import Snapshots

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.protocol import LiveQuery, Presence, Query, Stoppable
    from learnloop_tui.view.state import Snapshot

P = ParamSpec("P")
T = TypeVar("T")
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_LARGE = 1 << 20
_THREADS = ("order", "tail", "long")


def _share_memory() -> None:
    """Have threads allocate from one heap, where the C library can, and what is large from none.

    A heap keeps its holes to itself; what has a place of its own is given back when it is freed.
    """
    with contextlib.suppress(OSError, AttributeError):  # only glibc has it
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)


def _thread(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, name, initializer=_share_memory)


class ServiceBridge:
    """One thread for loading, verdicts and ingest, in order; one for what hooks just wrote, which must not
    wait for the first; one for what takes long; one for each module of queries of which only the last counts.
    """

    def __init__(self, root: str, *, demo: bool = False) -> None:
        self.root = root
        self.demo = demo
        self._order, self._tail, self._long = map(_thread, _THREADS)
        self._latest: dict[str, tuple[ThreadPoolExecutor, threading.Event]] = {}
        self._live = LiveEvents(self._workspace)
        self._snapshots = Snapshots()
        self._lock = -1
        self._is_kept = False

    def _workspace(self) -> Workspace:
        from learnloop.service import workspace

        return workspace.open_workspace(self.root, by="console")

    async def _run(self, pool: ThreadPoolExecutor, task: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, task)

    async def work(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._order, lambda: query(self._workspace(), *args, **kwargs))

    async def read(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._tail, lambda: query(self._workspace(), *args, **kwargs))

    async def long(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._long, lambda: query(self._workspace(), *args, **kwargs))

    async def latest(self, query: Stoppable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        module, stop = query.__module__, threading.Event()
        pool, before = self._latest.get(module) or (_thread(module), None)
        if before is not None:
            before.set()
        self._latest[module] = pool, stop
        return await self._run(pool, lambda: query(self._workspace(), stop.is_set, *args, **kwargs))

    async def live(self, query: LiveQuery[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._tail, lambda: query(self._live, *args, **kwargs))

    async def start(self) -> None:
        await self._run(self._order, self._start)

    def _start(self) -> None:
        if self.demo:
            from learnloop.demo import demo_store

            demo_store.seed(self.root)
        self._lock = store_folder.hold(self.root)

    async def presence(self) -> Presence:
        return await self._run(self._order, self._presence)

    def _presence(self) -> Presence:
        if not store_folder.exists(self.root):
            return "gone"
        if store_folder.is_held(self.root, self._lock):
            return "same"
        store_folder.release(self._lock)
        self._lock = store_folder.hold(self.root)
        return "other"

    async def load(self) -> Snapshot:
        return await self.work(self._snapshots.load)

    async def ingest(self) -> bool:
        return await self.work(_ingest)

    async def changes(self) -> AsyncIterator[bool]:
        await self._run(self._tail, store_folder.prepare)
        async for are_documents in store_folder.changes(self.root):
            yield are_documents

    async def file_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
        await self._run(self._tail, store_folder.prepare)
        async for change in store_folder.file_changes(folders):
            yield change

    async def glimpse(self) -> Snapshot | None:
        """The rows as the last console left them; None where there are none, or a demo is made first."""
        if self.demo:
            return None
        rows = await self._run(self._tail, partial(row_cache.read, self.root))
        self._is_kept = rows is not None
        return rows

    async def keep_glimpse(self) -> None:
        """Keep the rows for the next console, if this one found none; the end keeps them as they are then."""
        if not (self._is_kept or self.demo):
            self._is_kept = True
            await self._run(self._long, self._keep_glimpse)

    def _keep_glimpse(self) -> None:
        row_cache.write(self.root, self._snapshots.latest, self._snapshots.read_from)

    def close(self) -> None:
        """Keep the rows as they are at the end; let go of threads and locks."""
        if self._snapshots.is_read and not self.demo:
            self._keep_glimpse()
        for _, stop in self._latest.values():
            stop.set()
        for pool in (self._order, self._tail, self._long, *(pool for pool, _ in self._latest.values())):
            pool.shutdown(wait=True, cancel_futures=True)
        store_folder.release(self._lock)
        self._live.close()


def _ingest(ws: Workspace) -> bool:
    from learnloop.service import workspace
    from learnloop.service.facts import asking

    report = workspace.ingest(ws)
    asking.start(ws)
    return bool(report.events or report.changed)
