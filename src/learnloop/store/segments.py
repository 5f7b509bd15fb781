"""Lines that are events, and segments: immutable files of them, `<ms>-<part>.jsonl`, whose names only grow.

The number before the dash names one fold, the one after it counts the parts that this fold wrote.
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnloop.store import files, quarantine
from learnloop.wire import clock, paths

Record = dict[str, Any]
_NOTHING: Record = {}


def parse(line: bytes) -> Record | None:
    """The event of a line; None for torn, foreign and otherwise broken lines."""
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    get = value.get
    event_id, ts, kind = get("id"), get("ts"), get("kind")
    is_event = (
        event_id and isinstance(event_id, str) and ts and isinstance(ts, str)
        and kind and isinstance(kind, str)
        and isinstance(get("session_id", ""), str) and isinstance(get("payload", _NOTHING), dict)
    )  # fmt: skip
    return value if is_event else None


def complete(data: bytes) -> tuple[list[bytes], bytes]:
    """The terminated lines of a file that may still be written to, blank ones left out, and its tail."""
    head, newline, tail = data.rpartition(b"\n")
    return [line for line in (head + newline).split(b"\n") if line], tail


SUFFIX = ".jsonl"
FOLD_SUFFIX = ".fold"
"""Of a rotated journal, until its segment is complete."""


def names(root: str) -> list[str]:
    """The names of all segments in the order in which they were folded."""
    return [path.name for path in files.listing(Path(paths.events(root)), SUFFIX)]


def path(root: str, name: str) -> Path:
    """The path of a segment."""
    return Path(paths.events(root), name)


def read(root: str, name: str) -> Iterator[Record]:
    """The events of a segment in their order; what has become unreadable in it is set aside, once.

    A segment that is gone (retention, `forget`) has no events.
    """
    bad = []
    for line in (files.read(path(root, name)) or b"").split(b"\n"):
        if not line:
            continue
        record = parse(line)
        if record is None:
            bad.append(line + b"\n")
        else:
            yield record
    if bad:
        quarantine.keep(root, f"events/{name}", b"".join(bad), "unreadable")


def fold_ms(name: str) -> int:
    """The number of the fold that a segment name (or a cursor) belongs to; 0 for none."""
    digits = name.partition("-")[0]
    return int(digits) if digits.isdigit() else 0


def name(ms: int, part: int) -> str:
    """The name of a part of a fold; as a string, larger than those before it."""
    return f"{ms:013d}-{part:06d}{SUFFIX}"


def prune(root: str, *, before_ms: int, cursor: str) -> list[str]:
    """Remove ingested segments folded before a time; the newest one stays, so that names keep growing.

    A name in the future, of a clock that was ahead, says nothing; the file's time counts then. A segment is
    no younger than those after it.
    """
    every = names(root)
    youngest, old = clock.now_ms(), []
    for name_ in reversed(every):
        youngest = min(youngest, _folded_ms(root, name_))
        if name_ != every[-1] and name_ <= cursor and youngest < before_ms:
            old.append(name_)
            path(root, name_).unlink(missing_ok=True)
    return old[::-1]


def _folded_ms(root: str, name_: str) -> int:
    named = fold_ms(name_)
    if named <= clock.now_ms():
        return named
    with contextlib.suppress(OSError):
        return path(root, name_).stat().st_mtime_ns // 1_000_000
    return named
