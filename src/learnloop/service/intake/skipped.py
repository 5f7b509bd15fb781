"""What imports left out and why, for Health and doctor; kept until the same file is imported again."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop.models.base import Document
from learnloop.store import files
from learnloop.wire import clock, paths, text

FILE = "left-out.json"
"""In the folder of logs, which goes whenever something is to be forgotten."""
MOST, MOST_REASONS = 20, 50
"""So many imports are kept, and so many reasons of each."""
_REASON = 300


class LeftOut(Document):
    """One import that did not take everything."""

    at: str
    origin: str
    """Which reader: reflect, memory, bullets, triads, olympus or notepads."""
    path: str
    count: int
    reasons: tuple[str, ...] = ()
    """Place and reason of each part, the first ones of many."""

    def brief(self, reason: str) -> str:
        """A reason without the path that stands above it."""
        return reason.removeprefix(self.path).lstrip(" /:")


def note(root: str, origin: str, path: str, reasons: Sequence[str], now_ms: int | None = None) -> None:
    """Keep what an import left out, in place of what the one before of the same path did."""
    before = listing(root)
    kept = [one for one in before if (one.origin, one.path) != (origin, path)]
    if reasons:
        told = tuple(text.cut(text.clean(reason), _REASON) for reason in reasons[:MOST_REASONS])
        now = clock.iso(clock.now_ms() if now_ms is None else now_ms)
        kept.insert(0, LeftOut(at=now, origin=origin, path=path, count=len(reasons), reasons=told))
    if kept != before:
        data = json.dumps([one.as_json() for one in kept[:MOST]])
        files.replace(_path(root), [data.encode("ascii")])


def listing(root: str) -> list[LeftOut]:
    """The imports that left something out, newest first; none where what was kept cannot be read."""
    data = files.read(_path(root))
    try:
        found: Any = json.loads(data) if data else []
        return [LeftOut.model_validate(one) for one in found] if isinstance(found, list) else []
    except (ValueError, RecursionError, ValidationError):
        return []


def _path(root: str) -> Path:
    return Path(paths.log(root), FILE)
