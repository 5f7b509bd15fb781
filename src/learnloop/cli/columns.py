"""The columns of a listing."""

from __future__ import annotations

from typing import Literal, NamedTuple
from unicodedata import east_asian_width


class Column(NamedTuple):
    """A column of a listing."""

    title: str
    justify: Literal["left", "right"] = "left"
    style: str = ""
    wide: bool = False
    """The column that takes the remaining width of a terminal, and may wrap."""


def width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(c) in "WF") for c in text)
