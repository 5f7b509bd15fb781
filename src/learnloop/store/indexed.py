"""The documents of a file, each read when it is looked at: for a process that lives long.

Of 16 MB with 10,000 lessons Python makes 48 MB, and a console looks at a few of them at a time. So where each
line stands is kept, and the file that it was read from: files of the store are replaced, never written over,
so the open one stays as it was.
"""

import os
import weakref
from array import array
from collections.abc import Iterator, Mapping
from sys import intern
from typing import BinaryIO

from learnloop.store import tiny

_ENDS = b",\n"


class Indexed(Mapping[str, tiny.Doc]):
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
            self._numbers[intern(tiny.id_of(line))] = len(self._stamps)
            self._begins.append(at)
            self._stamps.append(hash(line.rstrip(_ENDS)))
            at += len(line)
        self._begins.append(at)
        if tail + file.read() != b"}}" or not tiny.is_head(head):
            raise ValueError("not a file of lines")

    def __getitem__(self, key: str) -> tiny.Doc:
        return tiny.document(self._line(key)[len(key) + 3 :])

    def _line(self, key: str) -> bytes:
        number = self._numbers[key]
        begin, end = self._begins[number], self._begins[number + 1]
        line = os.pread(self._fd, end - begin, begin).rstrip(_ENDS)
        if hash(line) != self._stamps[number]:
            raise tiny.DamagedError("the file was written over while it was open")
        return line

    def holding(self, text: bytes) -> dict[str, tiny.Doc]:
        """The documents in whose JSON a text stands, by id; raises DamagedError."""
        lines = ((key, self._line(key)) for key in self)
        return {key: tiny.document(line[len(key) + 3 :]) for key, line in lines if text in line}

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


def read(root: str, name: str) -> Indexed | None:
    """The documents of a table; None where there is no file, or one that is not written in lines."""
    try:
        with tiny.path(root, name).open("rb") as file:
            return Indexed(file)
    except (OSError, ValueError):
        return None
