"""The recall index (an inverted index) as a hook opens it: read in pieces by `pread`, trusted in nothing.

    LLIX <length of the header, 8 digits> <checksum, 8 hex digits>\\n
    <header: JSON>
    <body: sections, one for global lessons and one for each project>

Offsets count from the start of the body. A *segment* is JSON with its checksum before it: the table of
projects, the head of a section, a lesson. Everything else is arrays of 32-bit numbers, which only lead to
lessons: what they lead to is verified, so that damage costs a recall and never tells something wrong.
`wire.search` reads sections, `recall.compile` writes them.
"""

import posix

from learnloop.wire import codec, regular

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAGIC = b"LLIX "
VERSION = 3
PREFIX = 23
CHECKSUM = 8
MODULUS = 4_294_967_291
_FIRST = 4096


class Index:
    """An open index: its header, and pieces of its body. Damage shows as ValueError."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        first = posix.pread(fd, _FIRST, 0)
        if not first.startswith(MAGIC):
            raise ValueError("no index")
        end = PREFIX + int(first[5:13])
        if end > len(first):
            first = posix.pread(fd, end, 0)
        data = first[PREFIX:end]
        if checksum(data) != int(first[14:22], 16):
            raise ValueError("a damaged header")
        self.header: dict[str, Any] = codec.decode(data.decode("ascii"))
        self._body = end
        if self.header["version"] != VERSION or posix.fstat(fd).st_size != end + self.header["body"]:
            raise ValueError("another version, or cut off")

    def __del__(self) -> None:
        posix.close(self._fd)

    def read(self, offset: int, length: int) -> bytes:
        """Bytes of the body, all of them or ValueError."""
        if length < 0 or offset < 0 or offset + length > self.header["body"]:
            raise ValueError("beyond the end of the index")
        data = posix.pread(self._fd, length, self._body + offset)
        if len(data) != length:
            raise ValueError("cut off while it was open")
        return data

    def numbers(self, offset: int, count: int) -> "memoryview[int]":
        """An array of 32-bit numbers."""
        return memoryview(self.read(offset, 4 * count)).cast("I")

    def segment(self, offset: int, length: int) -> "Any":
        """A JSON value that is whole."""
        data = self.read(offset, length)
        if checksum(data[CHECKSUM:]) != int(data[:CHECKSUM], 16):
            raise ValueError("a damaged segment")
        return codec.decode(data[CHECKSUM:].decode("ascii"))


class RecordSection:
    """Records by number, and the numbers that stand under keys."""

    def __init__(
        self, index: Index, count: int, buckets: "Sequence[int]", records: int, bits: bytes = b"\xff"
    ) -> None:
        """`bits` is the filter over the keys; without one every key is looked up."""
        self.count = count
        self._index = index
        self._buckets = buckets
        self._records = records
        self.filter = bits
        self.mask = 8 * len(bits) - 1

    def record(self, number: int) -> "dict[str, Any]":
        """A record as it was compiled."""
        begin, end = self._index.numbers(self._records + 4 * number, 2)
        record: dict[str, Any] = self._index.segment(begin, end - begin)
        return record

    def postings(self, key: int) -> "Sequence[int]":
        """The numbers under a key; nothing where no record stands under it."""
        bit = key & self.mask
        if not self.filter[bit >> 3] >> (bit & 7) & 1:
            return ()
        first, count = self._buckets
        begin, end = self._index.numbers(first + 4 * (key * count >> 32), 2)
        block = self._index.numbers(begin, (end - begin) // 4)
        at = 0
        while at < len(block):
            stop = at + 2 + block[at + 1]
            if block[at] == key:
                return block[at + 2 : stop]
            at = stop
        return ()


def read(path: str) -> "Index | None":
    """The index at a path; None where there is none, or none that this version can read."""
    try:
        fd = regular.opened(path)
    except OSError:
        return None
    try:
        return Index(fd)
    except (ValueError, KeyError, TypeError, OSError, RecursionError):
        return None


def checksum(data: bytes) -> int:
    """A number that a damaged copy of the bytes hardly shares."""
    return int.from_bytes(data, "big") % MODULUS
