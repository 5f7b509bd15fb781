"""Opening what somebody else may have put there: a regular file, never through a link, without waiting."""

import posix

_SAFE = posix.O_NONBLOCK | posix.O_NOFOLLOW | posix.O_NOCTTY | posix.O_CLOEXEC
_TYPE, _REGULAR = 0o170000, 0o100000
_INVALID = 22


def opened(path: str, flags: int = posix.O_RDONLY, folder: int | None = None) -> int:
    """The descriptor of a regular file; OSError for a link, a folder, a FIFO or a device.

    A relative path is looked up in `folder`, a descriptor, where that is given.
    """
    fd = posix.open(path, flags | _SAFE, 0o600, dir_fd=folder)
    if posix.stat(fd).st_mode & _TYPE == _REGULAR:
        return fd
    posix.close(fd)
    raise OSError(_INVALID, "not a regular file", path)


def read(path: str, most: int) -> bytes:
    """At most the first `most` bytes of a regular file; raises OSError as `opened` does."""
    fd = opened(path)
    try:
        return posix.read(fd, most)
    finally:
        posix.close(fd)
