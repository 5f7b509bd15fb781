"""What imports left out and why, for Health and doctor. A new import of the same file replaces its entry."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop.models.base import Document
from learnloop.store import files
from learnloop.wire import clock, paths, text

FILE = "left-out.json"
"""In the folder of logs, which is removed whenever something is forgotten."""
MOST, MOST_REASONS = 20, 50
"""The imports that are stored, and the reasons of each."""
_REASON = 300


class SkippedParts(Document):
    """One import that did not take everything."""

    at: str
    origin: str
    """Which reader: reflect, memory, bullets, triads, olympus or notepads."""
    path: str
    count: int
    reasons: tuple[str, ...] = ()
    """Place and reason of each part, the first ones of many."""

    def brief(self, reason: str) -> str:
        """A reason without the path, which the page shows once."""
        return reason.removeprefix(self.path).lstrip(" /:")


def note(root: str, origin: str, path: str, reasons: Sequence[str], now_ms: int | None = None) -> None:
    """Store what an import left out; it replaces the entry of an earlier import of the path."""
    before = listing(root)
    entries = [entry for entry in before if (entry.origin, entry.path) != (origin, path)]
    if reasons:
        first = tuple(text.cut(text.clean(reason), _REASON) for reason in reasons[:MOST_REASONS])
        now = clock.iso(clock.now_ms() if now_ms is None else now_ms)
        entries.insert(0, SkippedParts(at=now, origin=origin, path=path, count=len(reasons), reasons=first))
    if entries != before:
        data = json.dumps([entry.as_json() for entry in entries[:MOST]])
        files.replace(_path(root), [data.encode("ascii")])


def listing(root: str) -> list[SkippedParts]:
    """The imports that left something out, newest first; none where the file cannot be read."""
    data = files.read(_path(root))
    try:
        entries: Any = json.loads(data) if data else []
        return [SkippedParts.model_validate(entry) for entry in entries] if isinstance(entries, list) else []
    except (ValueError, RecursionError, ValidationError):
        return []


def _path(root: str) -> Path:
    return Path(paths.log(root), FILE)
