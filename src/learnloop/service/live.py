"""The live view: events as they are written, for the console's activity line."""

import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.wire import codec, journal, paths

_CONTEXT_BYTES = 256 * 1024
_REMEMBERED = 20_000
_CHUNK = 1 << 20


class Tail:
    """Follows journal and spool from their end; a rotation, a torn line or a full spool loses nothing.

    The journal stays open between calls, so what was written just before a fold renamed it away is read from
    the file it was written to. An event that is seen twice (spooled, then merged) is returned once.
    """

    def __init__(self, root: str, context: int = 20) -> None:
        self._root = root
        self._fd = -1
        self._offset = 0
        self._torn = b""
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._files: set[str] = set()
        self._context: list[dict[str, Any]] | None = None
        self._wanted = context
        self.skipped = 0
        """Lines that were no event."""

    def read(self) -> list[dict[str, Any]]:
        """The events since the last call, oldest first; the first call gives the last few for context."""
        first = self._context is None
        found = [*self._journal(first), *self._spool()]
        if first:
            self._context = []
            found = self._recent(found)
        return list(self._new(found))

    def close(self) -> None:
        """Let go of the journal."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def _journal(self, first: bool) -> Iterator[dict[str, Any]]:
        while True:
            opened = self._fd >= 0 or self._open(first)
            if not opened:
                return
            yield from self._lines(self._rest())
            if self._is_current():
                return
            yield from self._rotated()

    def _rotated(self) -> Iterator[dict[str, Any]]:
        """The end of a journal that was renamed away: one more read catches what came after the last."""
        yield from self._lines(self._rest() + b"\n")
        self.close()

    def _open(self, first: bool) -> bool:
        try:
            self._fd = os.open(paths.journal(self._root), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        size = os.fstat(self._fd).st_size
        self._offset = max(size - _CONTEXT_BYTES, 0) if first else 0
        self._torn = b""
        return True

    def _rest(self) -> bytes:
        size = os.fstat(self._fd).st_size
        if size < self._offset:  # cut back: what is left is read anew, and known ids are dropped
            self._offset = 0
            self._torn = b""
        parts = []
        while piece := os.pread(self._fd, _CHUNK, self._offset):
            parts.append(piece)
            self._offset += len(piece)
        return b"".join(parts)

    def _is_current(self) -> bool:
        try:
            now, then = os.stat(paths.journal(self._root)), os.fstat(self._fd)  # noqa: PTH116
        except OSError:
            return False
        return (now.st_ino, now.st_dev) == (then.st_ino, then.st_dev)

    def _lines(self, data: bytes) -> Iterator[dict[str, Any]]:
        whole, newline, torn = (self._torn + data).rpartition(b"\n")
        self._torn = torn
        if newline:
            yield from self._decoded(whole.split(b"\n"))

    def _decoded(self, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
        for line in lines:
            if not line.strip():
                continue
            try:
                record = codec.decode(line.decode("utf-8"))
            except (ValueError, RecursionError):
                self.skipped += 1
                continue
            if isinstance(record, dict) and isinstance(record.get("id"), str):
                yield record
            else:
                self.skipped += 1

    def _spool(self) -> Iterator[dict[str, Any]]:
        present: set[str] = set()
        for folder in filter(None, (paths.spool(self._root), journal.runtime_spool(self._root))):
            try:
                names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))  # noqa: PTH208
            except OSError:
                continue
            for path in (f"{folder}/{name}" for name in names):
                present.add(path)
                if path not in self._files:
                    yield from self._file(path)
        self._files = present

    def _file(self, path: str) -> Iterator[dict[str, Any]]:
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                data = file.read()
        except OSError:
            return
        yield from self._decoded(data.split(b"\n"))

    def _recent(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The last few events there are, from the newest segments too where the journal holds too few."""
        known = {record["id"] for record in found}
        if len(known) < self._wanted:
            from learnloop.store import segments

            for name in reversed(segments.names(self._root)[-3:]):
                older = [record for record in segments.read(self._root, name) if record["id"] not in known]
                found = older + found
                if len(found) >= self._wanted:
                    break
        ordered = sorted(found, key=lambda record: str(record.get("ts", "")))
        for record in ordered[: -self._wanted or None]:
            self._seen[record["id"]] = None
        return ordered[-self._wanted :] if self._wanted else []

    def _new(self, found: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for record in found:
            if record["id"] not in self._seen:
                self._seen[record["id"]] = None
                yield record
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
