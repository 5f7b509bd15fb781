"""The append side of the journal, a write-ahead log: one write, a lock against rotation only, else a spool.

Measured in the storage study: concurrent appends of one `write` each never mix on a local file system, so the
lock guards nothing but the moment in which a fold renames the journal away. Acknowledged means: survives the
death of this process. Power loss is survived by what is written with `durable`.
"""

import errno
import fcntl
import posix
import time

from learnloop.wire import clock, codec, env, paths, regular

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnloop.wire.event import Record

LOCK_DEADLINE_S = 0.25
UNKEPT, _MOST_LOST = "/unkept", 1_000_000
_RETRY_S = 0.005
_FULL = (errno.ENOSPC, errno.EDQUOT)
_FLAGS = posix.O_WRONLY | posix.O_APPEND
_HERE = 1  # `SEEK_CUR`
_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL


def append(root: str, records: "Iterable[Record]", *, durable: bool = False) -> bool:
    """Append records in one piece; True once they survive the death of this process.

    Goes to the journal; where that cannot be locked within 250 ms or written whole, to a spool file; where
    that fails too, to the run-time folder of the login session. A full disk is given the reserve that a fold
    keeps, and tried once more. False where nothing could keep the records; what was half written is no event.
    """
    data = frame(records)
    for write in (_to_journal, _to_spool, _to_runtime):
        for _ in range(2):
            try:
                if write(root, data, durable):
                    return True
                break
            except OSError as error:
                if error.errno not in _FULL or not _free_ballast(root):
                    break
    return False


def frame(records: "Iterable[Record]") -> bytes:
    """Records as journal bytes: a newline before each line, so a torn earlier line costs only itself."""
    return "".join([f"\n{codec.encode(record)}\n" for record in records]).encode("ascii")


def _to_journal(root: str, data: bytes, durable: bool) -> bool:
    path = paths.journal(root)
    fd = _locked(path, time.monotonic() + LOCK_DEADLINE_S)
    if fd is None:
        return False
    try:
        _write(fd, data, False)
        if durable:
            _make_durable(root, path, fd, len(data))
    finally:
        posix.close(fd)
    return True


def _make_durable(root: str, path: str, fd: int, size: int) -> None:
    """Bring what was just written to the disk; where that fails, take it back."""
    try:
        _sync(fd)
        _sync_folder(root)
    except OSError:
        end = posix.lseek(fd, 0, _HERE)
        same = regular.opened(path, posix.O_WRONLY)  # a descriptor that appends writes nowhere else
        try:
            posix.pwrite(same, b"\n" * size, end - size)
        finally:
            posix.close(same)
        raise


def _locked(path: str, deadline: float) -> int | None:
    """A descriptor of the journal under a shared lock that is still the file of that name."""
    while True:
        fd = _open(path)
        try:
            if lock(fd, deadline) and _is_still(path, fd):
                locked_fd, fd = fd, -1
                return locked_fd
        finally:
            if fd >= 0:
                posix.close(fd)
        if time.monotonic() >= deadline:
            return None


def lock(fd: int, deadline: float, kind: int = fcntl.LOCK_SH) -> bool:
    """Take a lock until the deadline; writers share it, only a fold that rotates keeps them waiting."""
    while True:
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_RETRY_S)
        else:
            return True


def _open(path: str) -> int:
    try:
        return regular.opened(path, _FLAGS)
    except FileNotFoundError:
        paths.ensure_dir(path.rpartition("/")[0])
        return regular.opened(path, _FLAGS | posix.O_CREAT)


def _is_still(path: str, fd: int) -> bool:
    """Whether the opened file is what the path names: a fold may have rotated it away before the lock."""
    try:
        now, then = posix.stat(path), posix.fstat(fd)
    except FileNotFoundError:
        return False
    return now.st_ino == then.st_ino and now.st_dev == then.st_dev


def _write(fd: int, data: bytes, durable: bool) -> None:
    """Write all or raise: a part that was written stays, torn, and the next line's own newline heals it."""
    if posix.write(fd, data) != len(data):
        raise OSError(errno.ENOSPC, "short write")
    if durable:
        _sync(fd)


def _sync(fd: int) -> None:
    posix.fdatasync(fd) if hasattr(posix, "fdatasync") else posix.fsync(fd)


def _to_spool(root: str, data: bytes, durable: bool) -> bool:
    return _write_file(paths.spool(root), data, durable)


def _to_runtime(root: str, data: bytes, durable: bool) -> bool:
    folder = runtime_spool(root)
    return bool(folder) and _write_file(folder, data, durable)


def runtime_spool(root: str) -> str:
    """The last resort: this root's folder in the login session's run-time directory, if it has one."""
    base = env.get("XDG_RUNTIME_DIR")
    return f"{base}/learnloop-spool/{root.replace('/', '%')}" if base else ""


def _write_file(folder: str, data: bytes, durable: bool) -> bool:
    """Write a file of its own under a temporary name, then give it its name: readers see all or nothing."""
    paths.ensure_dir(folder)
    name = f"{folder}/{clock.new_id(clock.now_ms())}"
    fd = regular.opened(name + ".tmp", _NEW)
    try:
        _write(fd, data, durable)
        posix.rename(name + ".tmp", name + ".jsonl")
        if durable:
            _sync_folder(folder)
    except OSError:
        _remove(name + ".tmp")
        _remove(name + ".jsonl")
        raise
    finally:
        posix.close(fd)
    return True


def _remove(path: str) -> None:
    try:
        posix.unlink(path)
    except FileNotFoundError:
        pass


def _sync_folder(path: str) -> None:
    """Make a new name in a folder survive a power loss."""
    fd = posix.open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        posix.fsync(fd)
    finally:
        posix.close(fd)


def note_loss(root: str) -> None:
    """Count a firing that nothing kept, in the times of a file: that takes no room."""
    try:
        posix.utime(root + UNKEPT, (losses(root)[0] + 1, time.time()))
    except OSError:
        return  # nothing can be written there: a start says that


def losses(root: str) -> "tuple[int, float]":
    """How many firings nothing kept since that was last told, and when the last one was."""
    try:
        status = posix.stat(root + UNKEPT)
    except OSError:
        return 0, 0.0
    # The time of access is the count; where it is a time, nothing was lost.
    return (int(status.st_atime) if status.st_atime < _MOST_LOST else 0), status.st_mtime


def _free_ballast(root: str) -> bool:
    """Give back the reserve that a fold keeps; False where there is none (any more)."""
    try:
        posix.unlink(root + "/ballast")
    except OSError:
        return False
    return True
