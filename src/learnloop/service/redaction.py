"""Clean and redact texts that people type or files bring, as hooks do with what they record."""

from typing import TYPE_CHECKING, Any

from learnloop.wire import redact

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

DEEPEST = 50
"""Levels of lists and objects; no document of Learnloop has more than a handful."""


def redacted(ws: "Workspace", value: Any, _level: int = 0) -> Any:
    """A JSON value with every text and name cleaned and without secrets, those of the person's own included.

    Deeper levels than `DEEPEST` become None.
    """
    if isinstance(value, str):
        return redact.cleaned(value, ws.settings.redaction.extras)
    if _level >= DEEPEST and isinstance(value, dict | list | tuple):
        return None
    if isinstance(value, dict):
        return {redacted(ws, name): redacted(ws, inner, _level + 1) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(ws, inner, _level + 1) for inner in value]
    return value


def one_line(ws: "Workspace", words: str) -> str:
    """A redacted text with its white space folded to single blanks."""
    return " ".join(str(redacted(ws, words)).split())
