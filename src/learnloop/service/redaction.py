"""Make texts that people type or files contain as harmless as those that hooks capture."""

from collections.abc import Sequence
from typing import Any

from learnloop.wire import redact, text

DEEPEST = 50
"""Levels of lists and objects; the documents of Learnloop have a handful."""


def redacted(value: Any, extras: Sequence[str] = (), _level: int = 0) -> Any:
    """A JSON value with every text in it cleaned and without secrets; what is nested too deep is None."""
    if isinstance(value, str):
        return redact.redact(text.clean(value), extras)
    if _level >= DEEPEST and isinstance(value, dict | list | tuple):
        return None
    if isinstance(value, dict):
        return {name: redacted(inner, extras, _level + 1) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(inner, extras, _level + 1) for inner in value]
    return value
