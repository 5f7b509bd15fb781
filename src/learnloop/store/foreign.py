"""Files in a folder that somebody else may have made: on the way to them no link is followed.

A file is made anew under a temporary name and renamed, so that nothing that is there is written to.
"""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from learnloop.errors import Refused
from learnloop.wire import paths, regular

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_FOLDER_MODE = 0o755
_NO_FILE = (errno.ENOTDIR, errno.ELOOP, errno.EINVAL, errno.ENXIO)


def read(base: Path, name: str, most: int) -> bytes | None:
    """The content of the file `name` below a folder, None where there is none.

    Raises Refused where it is larger, is a link or no regular file, or a link is on the way; and OSError.
    """
    try:
        with _folder_of(base, name, makes=False) as folder, _opened(name, folder) as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        raise Refused(f"{base / name} is a link or no file", "look at it, then remove it") from None
    if len(data) > most:
        raise Refused(f"{base / name} is larger than {most:,} bytes", "look at it first")
    return data


def replace(
    base: Path, name: str, data: bytes, *, mode: int = paths.FILE_MODE, until: float | None = None,
    check: Callable[[], None] = lambda: None, prepare: Callable[[int], None] = lambda _fd: None,
) -> None:  # fmt: skip
    """Put a new file in the place of `name` below a folder, unless `check` raises at the last moment.

    Folders between them are made. `until` becomes its time of modification, `prepare` gives it attributes by
    its descriptor. Raises Refused where on the way is a link, and OSError.
    """
    last, beside = Path(name).name, temporary(Path(name)).name
    with _folder_of(base, name, makes=True) as folder:
        _remove(beside, folder)  # what a killed process left
        try:
            _write(beside, folder, data, mode, until, prepare)
            check()
            os.replace(beside, last, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            with contextlib.suppress(OSError):
                _remove(beside, folder)
        with contextlib.suppress(OSError):  # the rename is done; a folder without sync undoes nothing
            os.fsync(folder)


def temporary(path: Path) -> Path:
    """The name under which the content of a file is written before the rename."""
    return path.with_name(f".{path.name}.learnloop-tmp")


def remove(base: Path, name: str) -> bool:
    """Remove the file `name` below a folder, the link itself where it is one; whether there was one."""
    try:
        with _folder_of(base, name, makes=False) as folder:
            return _remove(Path(name).name, folder)
    except FileNotFoundError:
        return False


def _write(
    name: str, folder: int, data: bytes, mode: int, until: float | None, prepare: Callable[[int], None]
) -> None:
    with os.fdopen(regular.opened(name, _NEW, folder), "wb") as file:
        file.write(data)
        file.flush()
        prepare(file.fileno())
        os.fchmod(file.fileno(), mode)
        if until is not None:
            os.utime(file.fileno(), (until, until))
        os.fsync(file.fileno())


def _remove(name: str, folder: int) -> bool:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return False
    return True


@contextlib.contextmanager
def _folder_of(base: Path, name: str, *, makes: bool) -> Iterator[int]:
    """The descriptor of the folder that contains `name` below a base, which itself may be named by a link."""
    folder = os.open(base, _FOLDER & ~os.O_NOFOLLOW)
    try:
        for part in Path(name).parent.parts:
            inner = _inner(folder, part, base, makes)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _opened(name: str, folder: int) -> BinaryIO:
    return os.fdopen(regular.opened(Path(name).name, folder=folder), "rb")


def _inner(folder: int, part: str, base: Path, makes: bool) -> int:
    if makes:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, _FOLDER_MODE, dir_fd=folder)
    try:
        return os.open(part, _FOLDER, dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        raise Refused(f"{part} in {base} is a link or no folder", "look at it, then remove it") from None
