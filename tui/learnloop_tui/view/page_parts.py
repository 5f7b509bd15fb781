"""How the parts of a page are drawn: headings, paragraphs, labelled values, tables, charts. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from learnloop.faces.parts import Chart, Field, Heading, Part, Pieces, Signed, Table, Title, Words
from learnloop_tui.view import text
from learnloop_tui.view.text import Line, Piece

_LABEL = 10
_LOOKS = {"axis": "label", "mark": "accent", "range": "muted", "label": "muted"}
_WIDEST = 100
"""Wider pictures are no easier to read."""


def draw(parts: Iterable[Part], width: int) -> list[Line]:
    """The parts of a page as lines of that width, or less where lines of words would be too long to read."""
    width = min(width, text.READABLE)
    return [line for part in parts for line in _drawn(part, width)]


def _drawn(part: Part, width: int) -> Iterable[Line]:
    match part:
        case Title(words, look, limit):
            return block(words, width, look, limit=limit)
        case Words(words, look, indent, limit):
            return block(words, width, look, indent, limit) if words else [()]
        case Heading(title):
            return heading(title, width)
        case Field(label, value, look, limit):
            return field(label, value, width, look, limit) if value else ()
        case Signed(sign, sign_look, words, look, limit):
            return signed(sign, sign_look, words, width - 1, look, limit)
        case Pieces(pieces):
            return [_one_line(pieces, width)]
        case Table(titles, rows):
            return _table(titles, rows)
        case Chart():
            return _chart(part, width)


def _one_line(pieces: Sequence[Piece], width: int) -> Line:
    *first, (words, look) = pieces
    left = width - 2 - sum(text.width(part) for part, _ in first)
    return ((" ", "text"), *first, (text.cut(words, max(4, left)), look))


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    cells = [max(map(text.width, column)) for column in zip(titles, *rows, strict=True)]
    for row, look in ((titles, "label"), *((row, "text") for row in rows)):
        first, *numbers = (
            text.fit(cell, wide, right=at > 0) for at, (cell, wide) in enumerate(zip(row, cells, strict=True))
        )
        yield ((" " + "  ".join((first, *numbers)), look),)


def _chart(chart: Chart, width: int) -> list[Line]:
    if not (drawn := chart.draw(min(width - 2, _WIDEST))):
        return []
    picture = [((" ", "text"), *((part, _LOOKS[role]) for part, role in line)) for line in drawn]
    return [*heading(chart.title, width), *picture, *block(chart.words, width, "muted")]


def heading(title: str, width: int) -> list[Line]:
    """An empty line, and a title with a rule behind it."""
    return [(), ((f" {title} ", "brand"), ("─" * max(0, width - text.width(title) - 3), "label"))]


def block(words: str, width: int, look: str, indent: int = 1, limit: int = 0) -> list[Line]:
    """A paragraph so many cells from the left; the last cell of the width stays free."""
    return [((" " * indent + line, look),) for line in text.wrap(words, width - indent - 1, limit)]


def signed(
    sign: str, sign_look: str, words: str, width: int, look: str = "text", limit: int = 0
) -> list[Line]:
    """A paragraph behind a sign or a label; its further lines begin below the words."""
    indent = text.width(sign)
    first, *rest = text.wrap(words, max(8, width - indent - 1), limit)
    return [((sign, sign_look), (first, look)), *(((" " * indent + line, look),) for line in rest)]


def field(label: str, value: str, width: int, look: str = "text", limit: int = 8) -> list[Line]:
    """A value behind its label."""
    lines = text.wrap(value, max(8, width - _LABEL - 2), limit)
    return [
        ((f" {text.fit('' if at else label, _LABEL)}", "label"), (line, look))
        for at, line in enumerate(lines)
    ]


def message(title: str, hints: Iterable[str], offered: Iterable[tuple[str, str]] = ()) -> list[Line]:
    """What an empty list shows: why it is empty, and the offered keys with what they do."""
    shown: list[Line] = [(), ((f"  {title}", "strong"),), (), *(((f"  {line}", "muted"),) for line in hints)]
    keys: list[Line] = [(("  ", "text"), (text.fit(key, 6), "key"), (does, "muted")) for key, does in offered]
    return [*shown, (), *keys] if keys else shown
