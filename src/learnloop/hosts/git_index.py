"""Whether a file is committed to a repository, read from git's index.

Git itself is never asked: it runs programs that the configuration of a folder names.
"""

from collections.abc import Iterator
from pathlib import Path

from learnloop.wire import regular

_MOST = 256 << 20
_HASHES = (20, 32)
_EXTENDED, _LENGTH = 0x4000, 0x0FFF


def is_tracked(path: Path) -> bool:
    """Whether the index of the repository around a file names it; so too where an index cannot be read."""
    for folder in path.parents:
        if (folder / ".git").exists():
            name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
            try:
                return any(_names(index, name) for index in _indexes(folder / ".git"))
            except (OSError, ValueError):
                return True
    return False


def _indexes(git: Path) -> Iterator[bytes]:
    """The bytes of a repository's index, and of the one that a split index shares."""
    if git.is_file():
        pointer = regular.read(str(git), 4096).decode("utf-8", "surrogateescape").strip()
        git = git.parent / pointer.removeprefix("gitdir: ")
    for path in (git / "index", *sorted(git.glob("sharedindex.*"))):
        if path.exists():
            yield regular.read(str(path), _MOST)


def _names(data: bytes, name: bytes) -> bool:
    """Whether an index has an entry of that name, whichever hash it is written with."""
    readable = False
    for size in _HASHES:
        try:
            if name in set(_entries(data, size)):
                return True
            readable = True
        except (ValueError, IndexError):
            continue
    return not readable


def _entries(data: bytes, hash_size: int) -> Iterator[bytes]:
    """The names in an index of version 2, 3 or 4; ValueError or IndexError for other bytes."""
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("no index of git")
    at, name = 12, b""
    for _ in range(count):
        flags = int.from_bytes(data[at + 40 + hash_size : at + 42 + hash_size], "big")
        start = at + 42 + hash_size + (2 if flags & _EXTENDED else 0)
        kept = b""
        if version == 4:
            stripped, start = _number(data, start)
            kept = name[: len(name) - stripped]
        end = data.index(b"\0", start)
        name = kept + data[start:end]
        if flags & _LENGTH not in (len(name), _LENGTH):
            raise ValueError("the length of a name is not its own")
        yield name
        at = end + 1 if version == 4 else at + (end - at + 8) // 8 * 8


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in git's variable width, and where it ends."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1
