"""The rows as the last console left them: shown while the real ones are read, for no longer than that takes.

Of 10,000 lessons the store's file has 16 MB, and what reads it has to be imported first. What was drawn last
time is a sixth of that, in the interpreter's own format (three times as fast as JSON). A file that is not
whole, or of other fields or another interpreter, is none. `learn forget` removes it with all that is derived.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import sys
import zlib

from learnloop.wire import regular
from learnloop_tui.view.state import Row, Snapshot

FOLDER = "console"
FEWEST = 300
"""Below so many rows the real ones are there as soon."""
_FORMAT = f"{sys.implementation.cache_tag} {marshal.version} {' '.join(Row._fields)}"


def path(root: str) -> str:
    """Where it stands."""
    return f"{root}/{FOLDER}/rows"


def stamp(root: str) -> tuple[int, int]:
    """Which file of lessons there is; another one after anything was written or forgotten."""
    try:
        status = os.stat(f"{root}/store/lessons.json")  # noqa: PTH116  # strings all the way down
    except OSError:
        return (0, 0)
    return (status.st_ino, status.st_mtime_ns)


def write(root: str, snapshot: Snapshot, read_from: tuple[int, int]) -> None:
    """Keep the rows for next time, in one rename; where that cannot be, there is no next time's glimpse.

    Rows that were read from another file are not kept: what they show may be forgotten by now.
    """
    if len(snapshot.rows) < FEWEST or read_from == (0, 0) or read_from != stamp(root):
        return
    body = marshal.dumps([tuple(row._replace(words="")) for row in snapshot.rows])  # soon there again
    shown = {"strongest": snapshot.strongest, "theme": snapshot.theme}
    head = json.dumps({"format": _FORMAT, "crc": zlib.crc32(body), **shown}).encode()
    temporary = f"{path(root)}.new"  # of two at once one is not whole, which its sum tells
    with contextlib.suppress(OSError):
        os.makedirs(f"{root}/{FOLDER}", mode=0o700, exist_ok=True)  # noqa: PTH103  # strings all the way down
        with os.fdopen(regular.opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
            file.write(head + b"\n" + body)
        os.replace(temporary, path(root))  # noqa: PTH105  # strings all the way down
        if read_from != stamp(root):  # forgotten while this was written
            os.unlink(path(root))  # noqa: PTH108  # strings all the way down


def read(root: str) -> Snapshot | None:
    """The rows of last time; None where there are none that can be trusted."""
    try:
        first, _, body = regular.content(path(root)).partition(b"\n")
        head = json.loads(first)
        if head["format"] != _FORMAT or head["crc"] != zlib.crc32(body):
            return None
        rows = tuple(map(Row._make, marshal.loads(body)))
        return Snapshot(rows, int(head["strongest"]), str(head["theme"]))
    except (OSError, ValueError, EOFError, TypeError, KeyError, AttributeError):
        return None
