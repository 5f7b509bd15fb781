"""Events as they are written, for the console's activity line; dicts as `wire.event.record` makes them."""

import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.service.sessions import recent_events
from learnloop.wire import paths, regular

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
                if recent_events.size_of(str(segments.path(self._root, name))) <= _SEGMENT_BYTES:
                    yield from segments.read(self._root, name)

    def _segment_names(self) -> list[str]:
        from learnloop.store import segments

        return segments.names(self._root)

    def _journal(self) -> Iterator[dict[str, Any]]:
        if self._fd >= 0 or self._open():
            yield from self._lines(self._rest())

    def _open(self) -> bool:
        try:
            self._fd = regular.opened(paths.journal(self._root))
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
            return os.path.samestat(os.stat(paths.journal(self._root)), os.fstat(self._fd))  # noqa: PTH116
        except OSError:
            return False

    def _lines(self, data: bytes) -> Iterator[dict[str, Any]]:
        if self._is_mid_line and b"\n" in data:
            data = data.partition(b"\n")[2]
            self._is_mid_line = False
        whole, newline, torn = (self._torn + data).rpartition(b"\n")
        self._torn = torn
        if newline:
            yield from recent_events.decoded(whole)

    def _spool(self) -> Iterator[dict[str, Any]]:
        present = [path for path in recent_events.spool_files(self._root) if path.endswith(".jsonl")]
        for path in present:
            if path not in self._spooled:
                yield from recent_events.decoded(recent_events.read(path))
        self._spooled = set(present)

    def _recent(self, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The last few events, from the newest segments too where the journal has too few."""
        from learnloop.store import segments

        for name in reversed(self._segment_names()[-_CONTEXT_SEGMENTS:]):
            if len(records) >= self._context:
                break
            path = str(segments.path(self._root, name))
            start = max(recent_events.size_of(path) - _CONTEXT_BYTES, 0)
            records = [*recent_events.decoded(recent_events.read(path, start)), *records]
        ordered = list({record["id"]: record for record in sorted(records, key=_time)}.values())
        first_shown = max(len(ordered) - self._context, 0)
        self._seen.update(dict.fromkeys(record["id"] for record in ordered[:first_shown]))
        return ordered[first_shown:]

    def _new(self, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for record in records:
            if record["id"] not in self._seen:
                self._seen[record["id"]] = None
                if record.get("source") != _FROM_TRANSCRIPT:
                    yield record
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)


def _time(record: dict[str, Any]) -> str:
    return str(record["ts"])
