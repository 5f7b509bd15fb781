"""Files that a person names: `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from learnloop.errors import Unreadable


def read_bytes(name: str, advice: str) -> bytes:
    """The content of a file or of standard input; raises Unreadable with the advice where there is none."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise Unreadable(f"{'stdin' if name == '-' else name}: {reason}", advice) from None
