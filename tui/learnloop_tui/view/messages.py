"""Messages of this console as lines, newest first. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from learnloop_tui.view import text
from learnloop_tui.view.text import Line

_LOOKS = {"information": ("·", "muted"), "warning": ("!", "warn"), "error": ("✗", "bad")}
_INDENT = 13
"""Cells before the words: the time and what kind of message it is."""


class LoggedMessage(NamedTuple):
    """A message as it was shown."""

    ms: int
    severity: str
    words: str


def layout(messages: Sequence[LoggedMessage], width: int) -> list[Line]:
    """Each message whole, the newest first."""
    if not messages:
        return [(), ((" No messages yet.", "muted"),)]
    lines: list[Line] = []
    for message in reversed(messages):
        glyph, look = _LOOKS.get(message.severity, _LOOKS["information"])
        time = datetime.fromtimestamp(message.ms / 1000).astimezone().strftime("%H:%M:%S")
        first, *more = text.wrap(message.words, max(10, width - _INDENT))
        lines.append(((f" {time} ", "label"), (f" {glyph} ", look), (first, "text")))
        lines += [((" " * _INDENT + line, "text"),) for line in more]
    return lines
