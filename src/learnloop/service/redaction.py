"""Texts that people type or files bring, as harmless as those that hooks capture."""

from collections.abc import Sequence
from typing import Any

from learnloop.wire import redact, text


def kept(value: Any, extras: Sequence[str] = ()) -> Any:
    """A JSON value with every text in it cleaned and without secrets."""
    if isinstance(value, str):
        return redact.redact(text.clean(value), extras)
    if isinstance(value, dict):
        return {name: kept(inner, extras) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [kept(inner, extras) for inner in value]
    return value
