"""A file of rows: one vector for each task of a part of the index, in the order of its sections.

    LLVR <CRC-32 of the head, 8 hex digits> <head: JSON, spaces up to a multiple of 64 bytes>\\n
    <rows: float32, a row of zeros where there is no vector>
    <keys: 32 bytes a row, zeros where the task was not read yet>

A key is a hash of the task's id and one of its text, so a row is used again as long as both stay the same.
What a row leads to is verified by its key; damage costs a hit and never shows another task.
"""

import hashlib
import mmap
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from learnloop.models.base import Document
from learnloop.store import files
from learnloop.wire import regular

HASH = 16
KEY = 2 * HASH
_MAGIC, _BEGIN, _ALIGNED, _MOST_HEAD = b"LLVR ", 14, 64, 1 << 20
UNREAD = bytes(KEY)
_AT_ONCE: int = getattr(mmap, "MAP_POPULATE", 0)


class RowsHead(Document):
    """What a file says of its rows."""

    model: str
    """The name of the model's folder."""
    digest: str
    """The hash of the model."""
    dim: int
    rows: int
    projects: dict[str, tuple[int, int]]
    """The first row of each project, and how many it has."""
    unread: int = 0
    """Tasks that have no row yet."""
    odd: int = 0
    """Tasks for which the model gave no numbers."""
    crc: int
    """CRC-32 of rows and keys."""


class KeyedRow(NamedTuple):
    """A vector as bytes; without one where the task was not read yet."""

    key: bytes
    vector: bytes | memoryview | None


class RowFile:
    """An open file, mapped into memory; ValueError for one that is damaged or none of ours."""

    def __init__(self, path: Path, *, is_searched: bool = False) -> None:
        at_once = _AT_ONCE if is_searched else 0  # page by page a search of a large file takes twice as long
        with os.fdopen(regular.opened(str(path)), "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED | at_once, mmap.PROT_READ)
        end = self.data.find(b"\n", 0, _MOST_HEAD)
        text = self.data[_BEGIN:end]
        if self.data[: len(_MAGIC)] != _MAGIC or int(self.data[len(_MAGIC) : _BEGIN], 16) != zlib.crc32(text):
            raise ValueError("a damaged head")
        self.head = RowsHead.model_validate_json(text)
        self.begin = end + 1
        self.width = 4 * self.head.dim
        self._keys = self.begin + self.head.rows * self.width
        if len(self.data) != self._keys + self.head.rows * KEY:
            raise ValueError("cut off")

    def key(self, number: int) -> bytes:
        """The key of a row."""
        at = self._keys + number * KEY
        return self.data[at : at + KEY]

    def place(self, number: int) -> tuple[str, int]:
        """The project of a row, and its number among the project's."""
        return next(
            (name, number - first)
            for name, (first, held) in self.head.projects.items()
            if first <= number < first + held
        )

    def rows(self) -> Iterator[tuple[bytes, memoryview]]:
        """Key and vector of every task that was read."""
        view = memoryview(self.data)
        for number in range(self.head.rows):
            key, at = self.key(number), self.begin + number * self.width
            if key != UNREAD:
                yield key, view[at : at + self.width]

    def is_whole(self) -> bool:
        """Whether rows and keys are as they were written; reads all of them."""
        return zlib.crc32(memoryview(self.data)[self.begin :]) == self.head.crc


def opened(path: Path, *, is_searched: bool = False) -> RowFile | None:
    """The file at a path; None where there is none, or none that can be read."""
    try:
        return RowFile(path, is_searched=is_searched)
    except (OSError, ValueError, ValidationError):
        return None


def key_of(task: str, text: str) -> bytes:
    """The key of a task's row."""
    return id_hash(task) + _hash(text)


def id_hash(task: str) -> bytes:
    """The first half of a key."""
    return _hash(task)


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH).digest()


def write(path: Path, model: tuple[str, str, int], projects: Mapping[str, Sequence[KeyedRow]]) -> None:
    """Put the rows of some projects in place of a file; `model`: name, hash and dimension."""
    name, digest, dim = model
    every = [row for rows in projects.values() for row in rows]
    blank = bytes(4 * dim)
    pieces: list[bytes | memoryview] = [row.vector or blank for row in every]
    pieces = [*pieces, *(UNREAD if row.vector is None else row.key for row in every)]
    crc = 0
    for piece in pieces:
        crc = zlib.crc32(piece, crc)
    head = RowsHead(
        model=name, digest=digest, dim=dim, rows=len(every), projects=_places(projects), crc=crc,
        unread=sum(row.vector is None for row in every), odd=sum(row.vector == blank for row in every),
    )  # fmt: skip
    files.replace(path, [_first_line(head), *pieces], sync=False)


def _places(projects: Mapping[str, Sequence[KeyedRow]]) -> dict[str, tuple[int, int]]:
    places, first = dict[str, tuple[int, int]](), 0
    for project, rows in projects.items():
        places[project] = first, len(rows)
        first += len(rows)
    return places


def _first_line(head: RowsHead) -> bytes:
    text = head.model_dump_json().encode("utf-8", "surrogatepass")
    text += b" " * (-(_BEGIN + len(text) + 1) % _ALIGNED)
    return b"%s%08x " % (_MAGIC, zlib.crc32(text)) + text + b"\n"
