"""Files that are never seen half written: temporary file, fsync, rename, fsync of the folder."""

import os
from collections.abc import Iterable
from pathlib import Path

from learnloop.wire import paths, regular

TEMPORARY = ".tmp"
"""One fixed temporary name a target: what a killed writer leaves is written over by the next one."""


def ensure(folder: Path) -> None:
    """Make a folder and its parents, 0700 whatever the umask."""
    paths.ensure_dir(str(folder))


def replace(path: Path, pieces: Iterable[bytes | memoryview], *, sync: bool = True) -> None:
    """Put new content in place of a file; a reader or a crash sees the old or the new one, whole.

    Without `sync` a power loss may bring the old one back until the folder is synced.
    """
    ensure(path.parent)
    temporary = path.with_name(path.name + TEMPORARY)
    write(temporary, pieces)
    temporary.replace(path)
    if sync:
        sync_folder(path.parent)


def write(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Write a file, with mode 0600 whatever the umask, down to the disk."""
    with os.fdopen(regular.opened(str(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make renames and removals in a folder survive a power loss."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def read(path: Path) -> bytes | None:
    """The content of a file, or None where there is none (any more); OSError where it is no regular file."""
    try:
        return regular.content(str(path))
    except FileNotFoundError:
        return None


def listing(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder whose names end so, by name; none where there is no folder."""
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(suffix)]  # noqa: PTH208  # names sort faster than paths
    except FileNotFoundError:
        return []
