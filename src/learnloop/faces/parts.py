"""What a page about one thing consists of, before a face draws it: words, with what each of them is.

A look is the name of a style (`good`, `muted`, `quote`), which a face without colours leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from learnloop.service.charts.plot import Line

When = Callable[[str], str]
"""How a face says a time that is given in ISO: `3 h ago`, or by the clock."""
Piece = tuple[str, str]
"""A text and its look."""


class Title(NamedTuple):
    """What the page is about, at most so many lines of it."""

    words: str
    look: str = "strong"
    limit: int = 0


class Words(NamedTuple):
    """A paragraph, at most so many lines of it; without words an empty line."""

    words: str = ""
    look: str = "text"
    indent: int = 1
    limit: int = 0


class Heading(NamedTuple):
    """What the parts below it are about."""

    title: str


class Field(NamedTuple):
    """A value behind its label; without a value nothing is shown."""

    label: str
    value: str
    look: str = "text"
    limit: int = 8


class Signed(NamedTuple):
    """A paragraph behind a sign, its further lines below the words."""

    sign: str
    sign_look: str
    words: str
    look: str = "text"
    limit: int = 0


class Pieces(NamedTuple):
    """One line of several looks; its last piece is cut where there is no room."""

    pieces: Sequence[Piece]


class Table(NamedTuple):
    """Rows below their titles; the first column is words, the others are numbers."""

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]


class Chart(NamedTuple):
    """A picture below a title, and a sentence that says the same."""

    title: str
    draw: Callable[[int], list[Line]]
    """Draws it for a width; no lines where there is too little of either."""
    words: str


Part = Title | Words | Heading | Field | Signed | Pieces | Table | Chart
