"""The bridge to the real service: a few threads and the store they work on."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from learnloop.wire import regular
from learnloop_tui.bridge import lesson_queries, row_cache
from learnloop_tui.bridge.live_events import LiveEvents
from learnloop_tui.view.state import Snapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.protocol import LiveQuery, Presence, Query, Stoppable

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
        self._snapshots = _Snapshots()
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
        self._lock = _hold_lock(self.root)

    async def presence(self) -> Presence:
        return await self._run(self._order, self._presence)

    def _presence(self) -> Presence:
        if not os.path.isdir(self.root):  # noqa: PTH112  # strings all the way down
            return "gone"
        if _is_held(self.root, self._lock):
            return "same"
        _release_lock(self._lock)
        self._lock = _hold_lock(self.root)
        return "other"

    async def load(self) -> Snapshot:
        return await self.work(self._snapshots.load)

    async def ingest(self) -> bool:
        return await self.work(_ingest)

    async def changes(self) -> AsyncIterator[bool]:
        await self._run(self._tail, _load_watcher)
        async for are_documents in _store_changes(self.root):
            yield are_documents

    async def file_changes(self, folders: Sequence[str]) -> AsyncIterator[None]:
        await self._run(self._tail, _load_watcher)
        async for change in _file_changes(folders):
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
        _release_lock(self._lock)
        self._live.close()


def _ingest(ws: Workspace) -> bool:
    from learnloop.service import workspace
    from learnloop.service.facts import asking
    from learnloop.service.transfer import share

    report, taken = workspace.ingest(ws), share.take_in(ws)
    asking.start(ws)
    return bool(report.events or taken.drafts or taken.changed)


class _Snapshots:
    """Reads snapshots and remembers the latest; used by one thread."""

    def __init__(self) -> None:
        self.latest = Snapshot()
        self.read_from = (0, 0)
        """The file of lessons that `latest` was read from."""
        self._documents: object = None

    @property
    def is_read(self) -> bool:
        """Whether `latest` was read from the store."""
        return self._documents is not None

    def load(self, ws: Workspace) -> Snapshot:
        """Everything the lists show; the same object where nothing changed."""
        from learnloop.service.lessons import documents, rows

        stamp = row_cache.stamp(ws.root)
        lessons = documents.lessons(ws.root)
        if lessons is not self._documents:
            drafts = rows.rows(ws, "draft")
            others = [row for row in rows.rows(ws, None) if row.status != "draft"]
            strongest = rows.unfolded_count(ws, drafts)
            look, shown = rows.list_settings(ws), lesson_queries.with_proposals(ws, (*drafts, *others))
            self._documents = lessons
            self.read_from = stamp
            self.latest = Snapshot(shown, strongest, look.theme, *_keymap(look.keys))
        return self.latest


def _keymap(wishes: Mapping[str, Sequence[str]]) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
    if not wishes:
        return {}, ()
    from learnloop.keymap import keymap

    return keymap.resolved(wishes)


_STORE_DEBOUNCE_MS, _STEP_MS = 50, 10
"""How long the watcher gathers changes at most, and how long a pause ends the gathering."""
_FILES_DEBOUNCE_MS = 100
_WATCHED = (".jsonl", "lessons.json", "decisions.json", "health.json")


def _hold_lock(root: str) -> int:
    """Say that a console is open, so that hooks leave the ingest to it; several may be."""
    fd = regular.opened(f"{_folder(root)}/console.lock", os.O_RDWR | os.O_CREAT)
    with contextlib.suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return fd


def _is_held(root: str, fd: int) -> bool:
    """Whether the lock that is held is the one that hooks look at."""
    try:
        return os.path.samestat(os.fstat(fd), os.stat(f"{root}/console.lock"))  # noqa: PTH116
    except OSError:
        return False


def _release_lock(fd: int) -> None:
    """The console is closed."""
    if fd >= 0:
        os.close(fd)


def _folder(root: str) -> str:
    for folder in (root, f"{root}/spool", f"{root}/store"):
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103  # strings all the way down
    return root


def _load_watcher() -> None:
    """Import the watcher: slow, so in a thread."""
    import watchfiles  # noqa: F401


async def _store_changes(root: str) -> AsyncIterator[bool]:
    """Whenever files of the store change: True where documents are among them, False where only events came.

    Where the system's notifications are not to be had, the folders are polled.
    """
    from watchfiles import awatch
    from watchfiles._rust_notify import WatchfilesRustInternalError

    folders = (_folder(root), f"{root}/spool", f"{root}/store")
    for polling in (None, True):
        try:
            async for changed in awatch(
                *folders, watch_filter=lambda _, path: path.endswith(_WATCHED), debounce=_STORE_DEBOUNCE_MS,
                step=_STEP_MS, recursive=False, force_polling=polling,
            ):  # fmt: skip
                yield any(path.endswith(".json") for _, path in changed)
            return
        except (OSError, WatchfilesRustInternalError):
            if polling:
                raise


async def _file_changes(folders: Sequence[str]) -> AsyncIterator[None]:
    """Whenever a file of those folders changes, whoever changed it.

    Raises OSError where the folders cannot be watched.
    """
    if not folders:
        return
    from watchfiles import awatch

    stop = asyncio.Event()
    try:
        async for _ in awatch(
            *folders, recursive=False, debounce=_FILES_DEBOUNCE_MS, step=20, stop_event=stop,
            rust_timeout=1000,
        ):  # fmt: skip
            yield
    finally:
        stop.set()
