"""Opening what somebody else may have put there: a regular file, without waiting, and through no link."""

import _signal  # type: ignore[import-not-found]  # `signal` itself would load enum
import errno
import posix

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable

_SAFE = posix.O_NONBLOCK | posix.O_NOCTTY | posix.O_CLOEXEC
_TYPE, _REGULAR, _PRIVATE = 0o170000, 0o100000, 0o600
LARGEST = 1 << 30
"""Bytes of the largest file that is read whole."""
FOREIGN_S = 0.25
"""How long a hook waits for a file of somebody else."""
_NO_FILE = (errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.EISDIR)


def opened(
    path: str, flags: int = posix.O_RDONLY, folder: int | None = None, *, follows: bool = False
) -> int:
    """The descriptor of a regular file; OSError for a link, a folder, a FIFO or a device.

    A relative path is looked up in `folder`, a descriptor, where that is given. With `follows` a link is
    followed: for a path that the person named. With `O_CREAT` its mode is 0600 then, whatever the umask.
    """
    try:
        fd = posix.open(path, flags | _SAFE | (0 if follows else posix.O_NOFOLLOW), _PRIVATE, dir_fd=folder)
    except OSError as error:
        raise _refusal(path) if error.errno in _NO_FILE else error from None
    mode = posix.stat(fd).st_mode
    if mode & _TYPE == _REGULAR:
        if flags & posix.O_CREAT and mode != _REGULAR | _PRIVATE:
            posix.fchmod(fd, _PRIVATE)
        return fd
    posix.close(fd)
    raise _refusal(path)


def read(path: str, most: int, *, follows: bool = False) -> bytes:
    """At most the first `most` bytes of a regular file; raises OSError as `opened` does."""
    fd = opened(path, follows=follows)
    try:
        return posix.read(fd, most)
    finally:
        posix.close(fd)


def of_process(pid: int | str, name: str, most: int = 1 << 16) -> str:
    """What a file of `/proc` says of a process, or of all of them; raises OSError where there is none."""
    return read(f"/proc/{pid}/{name}", most).decode("utf-8", "replace")


def foreign(path: str, read_it: "Callable[[str], bytes]") -> bytes:
    """What `read_it` reads of somebody else's file; OSError where a hook gets nothing in `FOREIGN_S`.

    The hook goes on without the file, so its record is kept. A process without an alarm is no hook.
    """
    left = _signal.getitimer(_signal.ITIMER_REAL)[0]
    if not left:
        return read_it(path)
    leave = _signal.signal(_signal.SIGALRM, _give_up)
    _signal.setitimer(_signal.ITIMER_REAL, min(FOREIGN_S, left))
    try:
        return read_it(path)
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, left)
        _signal.signal(_signal.SIGALRM, leave)


def _give_up(*_: object) -> None:
    raise TimeoutError(errno.ETIMEDOUT, "not read in time")


def content(path: str) -> bytes:
    """All of one of Learnloop's own files; raises OSError as `opened` does, and where it is far too large."""
    fd = opened(path)
    try:
        size = posix.fstat(fd).st_size
        if size > LARGEST:
            raise OSError(errno.EFBIG, "far too large for what it should be", path)
        return b"".join(iter(lambda: posix.read(fd, size + 1), b""))
    finally:
        posix.close(fd)


def _refusal(path: str) -> OSError:
    return OSError(errno.EINVAL, "not a regular file", path)
