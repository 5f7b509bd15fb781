"""Lesson ids: base32, lower case, derived from where a lesson comes from; short ones for people."""

import base64
import hashlib
from collections.abc import Iterable

LENGTH = 26
SHORTEST = 4
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def is_id(value: str) -> bool:
    """Whether a text has the form of an id or of a short one."""
    return SHORTEST <= len(value) <= LENGTH and set(value) <= _LETTERS


def draft_id(event_id: str, rule: str) -> str:
    """The id of the draft that a rule makes of an event: the same at every ingest."""
    digest = hashlib.sha256(f"{event_id}\0{rule}".encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:LENGTH]


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """For every id its shortest prefix, of 4 characters or more, that no other id begins with."""
    ordered = sorted(set(ids))
    short: dict[str, str] = {}
    for position, lesson_id in enumerate(ordered):
        neighbours = ordered[max(position - 1, 0) : position] + ordered[position + 1 : position + 2]
        shared = max((_shared(lesson_id, other) for other in neighbours), default=0)
        short[lesson_id] = lesson_id[: max(SHORTEST, shared + 1)]
    return short


def _shared(lesson_id: str, other_id: str) -> int:
    """The number of characters that two ids share at the start."""
    for position, (left, right) in enumerate(zip(lesson_id, other_id, strict=False)):
        if left != right:
            return position
    return min(len(lesson_id), len(other_id))
