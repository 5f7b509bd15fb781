"""The documents of a file, each read when it is looked at: for a process that lives long.

Of 16 MB with 10,000 lessons Python makes 48 MB, and a console looks at a few of them at a time. So where each
line stands is kept, and the file that it was read from: files of the store are replaced, never written over,
so the open one stays as it was.
"""

import os
import weakref
from array import array
from collections.abc import ItemsView, Iterator, Mapping
from sys import intern
from typing import BinaryIO, Protocol

from learnloop.store import tinydb_file

_ENDS = b",\n"
_BLOCK = 1 << 18


class Indexed(Mapping[str, tinydb_file.Doc]):
    """The documents of an open file that `tiny.encode` wrote, by id. Looking one up raises DamagedError."""

    def __init__(self, file: BinaryIO) -> None:
        """Find the lines; raises ValueError where the file is written otherwise."""
        self._numbers: dict[str, int] = {}
        self._begins, self._stamps = array("q"), array("q")
        self._scan(file)
        self._fd = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._fd)

    def _scan(self, file: BinaryIO) -> None:
        """Ids are interned: those of the file that this one replaces are the same."""
        head = file.readline()
        at, tail = len(head), b""
        for line in file:
            if not line.startswith(b'"'):
                tail = line
                break
            self._numbers[intern(tinydb_file.id_of(line))] = len(self._stamps)
            self._begins.append(at)
            self._stamps.append(hash(line.rstrip(_ENDS)))
            at += len(line)
        self._begins.append(at)
        is_unique = len(self._numbers) == len(self._stamps)
        if not is_unique or tail + file.read() != b"}}" or not tinydb_file.is_head(head):
            raise ValueError("not a file of lines")

    def __getitem__(self, key: str) -> tinydb_file.Doc:
        number = self._numbers[key]
        begin, end = self._begins[number], self._begins[number + 1]
        return self._document(key, self._checked(number, os.pread(self._fd, end - begin, begin)))

    def read(self) -> Iterator[tuple[str, tinydb_file.Doc]]:
        """All documents with their ids."""
        return ((key, self._document(key, line)) for key, line in self._lines())

    def holding(self, text: bytes) -> dict[str, tinydb_file.Doc]:
        """The documents in whose JSON a text stands, by id; raises DamagedError."""
        return {key: self._document(key, line) for key, line in self._lines() if text in line}

    def _lines(self) -> Iterator[tuple[str, bytes]]:
        """A block of them is read at a time: who waits for the interpreter does not get it from a thread that
        lets go of it for a moment again and again."""
        block, at = b"", 0
        for number, key in enumerate(self):
            begin, end = self._begins[number], self._begins[number + 1]
            if end > at + len(block):
                block, at = os.pread(self._fd, max(_BLOCK, end - begin), begin), begin
            yield key, self._checked(number, block[begin - at : end - at])

    def _checked(self, number: int, line: bytes) -> bytes:
        bare = line.rstrip(_ENDS)
        if hash(bare) != self._stamps[number]:
            raise tinydb_file.DamagedError("the file was written over while it was open")
        return bare

    def _document(self, key: str, line: bytes) -> tinydb_file.Doc:
        return tinydb_file.document(line[len(key) + 3 :])

    def items(self) -> ItemsView[str, tinydb_file.Doc]:
        """All documents with their ids, read one after the other."""
        return InTurn(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, key: object) -> bool:
        return key in self._numbers

    def stamp(self, key: str) -> int | None:
        """What changes, within a process, when a document does; None for one that is not there."""
        number = self._numbers.get(key)
        return None if number is None else self._stamps[number]


class InTurn(ItemsView[str, tinydb_file.Doc]):
    """The items of a mapping whose method `read` has all of them sooner than one after the other."""

    _mapping: "Readable"

    def __iter__(self) -> Iterator[tuple[str, tinydb_file.Doc]]:
        return self._mapping.read()


class Readable(Protocol):
    """What all can be read of."""

    def read(self) -> Iterator[tuple[str, tinydb_file.Doc]]: ...  # noqa: D102


def read(root: str, name: str) -> Indexed | None:
    """The documents of a table; None where there is no file, or one that is not written in lines."""
    try:
        with tinydb_file.path(root, name).open("rb") as file:
            return Indexed(file)
    except (OSError, ValueError):
        return None
