"""Events as they are written, for the console's activity line; dicts as `wire.event.record` makes them."""

import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from learnloop.wire import codec, journal, paths

if TYPE_CHECKING:
    from pathlib import Path

_CONTEXT_BYTES = 256 * 1024
_CONTEXT_SEGMENTS = 3
_FROM_TRANSCRIPT = "transcript"
_SEGMENT_BYTES = 2 << 20
"""A larger segment comes from an import of old sessions and has nothing live."""
_REMEMBERED = 20_000
_CHUNK = 1 << 20


class Tail:
    """Follows journal and spool from their end; a rotation, a torn line or a full spool loses nothing.

    The journal stays open between calls, so lines written just before a fold renamed it are still read. Lines
    that were written and folded between two calls are read from the segments. An event is returned once.
    """

    def __init__(self, root: str, context: int = 20) -> None:
        self._root = root
        self._context = context
        self._is_started = False
        self._fd = -1
        self._offset = 0
        self._torn = b""
        self._is_mid_line = False
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._spooled: set[str] = set()
        self._segment = ""
        self.skipped = 0
        """The number of lines that were no event."""

    def read(self) -> list[dict[str, Any]]:
        """The events since the last call, oldest first; the first call returns the last few for context."""
        if self._is_started:
            records = [*self._rotated(), *self._segments(), *self._journal(), *self._spool()]
        else:
            self._segment = max(self._segment_names(), default="")
            records = self._recent([*self._journal(), *self._spool()])
            self._is_started = True
        return sorted(self._new(records), key=_time)

    def close(self) -> None:
        """Close the journal."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def _rotated(self) -> Iterator[dict[str, Any]]:
        """The end of a journal that was renamed away."""
        if self._fd >= 0 and not self._is_current():
            yield from self._lines(self._rest() + b"\n")
            self.close()

    def _segments(self) -> Iterator[dict[str, Any]]:
        from learnloop.store import segments

        for name in self._segment_names():
            if name > self._segment:
                self._segment = name
                if _size(segments.path(self._root, name)) <= _SEGMENT_BYTES:
                    yield from segments.read(self._root, name)

    def _segment_names(self) -> list[str]:
        from learnloop.store import segments

        return segments.names(self._root)

    def _journal(self) -> Iterator[dict[str, Any]]:
        if self._fd >= 0 or self._open():
            yield from self._lines(self._rest())

    def _open(self) -> bool:
        try:
            self._fd = os.open(paths.journal(self._root), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        size = os.fstat(self._fd).st_size
        self._offset = 0 if self._is_started else max(size - _CONTEXT_BYTES, 0)
        self._is_mid_line = self._offset > 0
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
        if self._is_mid_line and b"\n" in data:
            data = data.partition(b"\n")[2]
            self._is_mid_line = False
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
                if path not in self._spooled:
                    yield from self._file(path)
        self._spooled = present

    def _file(self, path: str) -> Iterator[dict[str, Any]]:
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                data = file.read()
        except OSError:
            return
        yield from self._decoded(data.split(b"\n"))

    def _recent(self, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The last few events, from the newest segments too where the journal has too few."""
        from learnloop.store import segments

        for name in reversed(self._segment_names()[-_CONTEXT_SEGMENTS:]):
            if len(records) >= self._context:
                break
            records = [*self._decoded(_end_of(segments.path(self._root, name))), *records]
        ordered = list({record["id"]: record for record in sorted(records, key=_time)}.values())
        shown = ordered[len(ordered) - self._context :] if self._context < len(ordered) else ordered
        self._seen.update(dict.fromkeys(record["id"] for record in ordered[: len(ordered) - len(shown)]))
        return shown

    def _new(self, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for record in records:
            if record["id"] not in self._seen:
                self._seen[record["id"]] = None
                if record.get("source") != _FROM_TRANSCRIPT:
                    yield record
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)


def _time(record: dict[str, Any]) -> str:
    return str(record.get("ts", ""))


def _end_of(path: "Path") -> list[bytes]:
    """The last whole lines of a segment; of a large one only its end is read."""
    start = max(_size(path) - _CONTEXT_BYTES, 0)
    try:
        with path.open("rb") as file:
            file.seek(start)
            lines = file.read().split(b"\n")
    except OSError:
        return []
    return lines[1:] if start else lines


def _size(path: "Path") -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
