"""Rows that are mostly a sentence: it has the room that is left, and a second line where it may take two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from learnloop_tui.view.text import Line, Piece

MARGIN = 4
"""Cells before the sentence: the cursor, the mark, the sign and a space."""


def room(width: int, tail: int) -> int:
    """The cells of a sentence's first line, beside a tail of so many cells."""
    return max(8, width - tail - MARGIN)


def height(sentence: str, width: int, tail: int) -> int:
    """How many lines a sentence takes where it may take two."""
    return 2 if text.width(text.line(sentence)) > room(width, tail) else 1


def row(
    sentence: str, look: str, width: int, most: int, *, glyph: Piece, tail: Iterable[Piece],
    marked: bool = False,
) -> list[Line]:  # fmt: skip
    """The sentence in at most so many lines, the tail at the right of the first."""
    tail = tuple(tail)
    words, cells = text.line(sentence), room(width, sum(text.width(part) for part, _ in tail))
    first = text.wrap(words, cells)[0] if most > 1 else words
    head = (("◆" if marked else " ", "accent"), glyph, (" ", "text"))
    lines: list[Line] = [(*head, (text.fit(first, cells) + " ", look), *tail)]
    if most > 1 and (more := words[len(first) :].strip()):
        lines.append(((" " * (MARGIN - 1), "text"), (text.cut(more, width - MARGIN), look)))
    return lines
