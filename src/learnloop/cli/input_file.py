"""Files that a person names: `-` is standard input."""

from __future__ import annotations

import sys

from learnloop.errors import Unreadable
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
