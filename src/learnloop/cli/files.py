"""Files that a person names: what a verb reads, where `-` is standard input, and what it writes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from learnloop.errors import Refused, Unreadable
from learnloop.wire import regular

MOST_BYTES = 256 << 20


def content(name: str, advice: str) -> bytes:
    """The content of a file or of standard input.

    Raises Unreadable, with the advice, where there is none, it is no regular file, or it is far too large.
    """
    try:
        data = _read(name)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise Unreadable(f"{'stdin' if name == '-' else name}: {reason}", advice) from None
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{name} is larger than {MOST_BYTES >> 20} MiB", advice)
    return data


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    return regular.read(name, MOST_BYTES + 1, follows=True)


def write(name: str, text: str) -> None:
    """Write a file beside its place, then rename it; raises Refused for a link."""
    path = Path(name).expanduser()
    if path.is_symlink():
        raise Refused(f"{name} is a link, and what it leads to would be lost", "name the file itself")
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.touch(0o600, exist_ok=False)
        beside.write_text(text, "utf-8", "surrogatepass")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
