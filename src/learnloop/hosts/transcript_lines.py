"""Transcripts of hosts as lines, and the ids of the events that are made of them."""

import errno
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from learnloop.wire import clock, regular

Line = dict[str, Any]
Record = dict[str, Any]

SOURCE = "transcript"
_LONGEST, _DOCUMENT = 1 << 25, 1 << 27
"""Bytes of the longest line and document: a file with a longer one, or with a hole, is refused."""


def lines(path: Path, tail: int = 0, mark: bytes = b"") -> Iterator[Line]:
    """The lines of a transcript that are objects; half-written and foreign ones are skipped.

    With `tail` those within so many bytes of its end, with `mark` those that hold it. Raises OSError where it
    cannot be read or is far too large.
    """
    with os.fdopen(regular.opened(str(path), follows=True), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - tail) if tail else 0)
        for raw in iter(partial(file.readline, _LONGEST), b""):
            if size > regular.LARGEST or len(raw) == _LONGEST:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
            if mark in raw and (line := decoded(raw)):
                yield line


def decoded(data: object) -> Line:
    """The object that a text holds; {} where it holds none."""
    try:
        value = json.loads(data) if isinstance(data, str | bytes) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def document(path: Path) -> Line:
    """The object that a whole file holds; {} where it holds none. Raises OSError."""
    return decoded(regular.read(str(path), _DOCUMENT, follows=True))


def oldest_first(paths: Iterable[Path]) -> list[Path]:
    """Files by the time of their last change."""
    return sorted(paths, key=written)


def written(path: Path) -> int:
    """When a file was written, in nanoseconds; where a path leads to none, its folder."""
    return (path if path.exists() else path.parent).stat().st_mtime_ns


def millis(line: Line) -> int | None:
    """The time of a line in milliseconds since the epoch."""
    ms = clock.parse_ms(line.get("timestamp"))
    return ms if 0 < ms < 1 << 47 else None


def event_id(ms: int, *parts: object) -> str:
    """An event id that is the same at every reading."""
    digest = hashlib.sha256(
        "\0".join(map(str, (SOURCE, *parts))).encode("utf-8", "surrogatepass")
    ).hexdigest()
    return f"{ms:012x}{digest[:20]}"


def text(content: object) -> str:
    """A text or the texts of its parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in objects(content) if isinstance(part.get("text"), str))


def objects(values: object) -> list[Line]:
    """The objects in a list."""
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def string(values: object, name: str) -> str:
    """The text under a name, or nothing."""
    value = values.get(name) if isinstance(values, dict) else None
    return value if isinstance(value, str) else ""
