"""Clean and redact texts that people type or files bring, as hooks do with what they record."""

from collections.abc import Sequence
from typing import Any

from learnloop.wire import redact, text

DEEPEST = 50
"""Levels of lists and objects; no document of Learnloop has more than a handful."""


def redacted(value: Any, extras: Sequence[str] = (), _level: int = 0) -> Any:
    """A JSON value with every text cleaned and without secrets; deeper levels than `DEEPEST` become None.

    `extras` are the person's own patterns of secrets.
    """
    if isinstance(value, str):
        return redact.redact(text.clean(value), extras)
    if _level >= DEEPEST and isinstance(value, dict | list | tuple):
        return None
    if isinstance(value, dict):
        return {name: redacted(inner, extras, _level + 1) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(inner, extras, _level + 1) for inner in value]
    return value


def one_line(words: str, extras: Sequence[str] = ()) -> str:
    """A redacted text with its white space folded to single blanks."""
    return " ".join(str(redacted(words, extras)).split())
