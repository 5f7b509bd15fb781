"""The only door for captured text: all that is drawn or said has passed through here.

Captured text is hostile: it may hold escape sequences, bidi overrides, markup or characters of any width.
Past this door it is plain text that steers nothing, and it is measured in terminal cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from learnloop.wire import text as captured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.style import Style

Piece = tuple[str, str]
"""A text and the name of its style, one of `STYLES`."""
Line = tuple[Piece, ...]
Linked = tuple[Line, dict[str, str]]
"""A line, and which command a click on which of its pieces runs."""

READABLE = 100
"""Lines of words are no longer than so many cells: the eye loses its way back in longer ones."""

STYLES = (
    "text", "muted", "strong", "accent", "label", "quote", "good", "warn", "bad", "key", "fresh", "brand",
    "tab", "bar", "wait",
)  # fmt: skip
"""What a piece can look like; the style sheet gives each its colour as the component class `t--<name>`."""
COMPONENTS = frozenset(f"t--{name}" for name in STYLES) | {"t--cursor", "t--cursor-blurred"}

_DROPPED = "\u200d\ufe0e\ufe0f"
"""Joiners and variation selectors: terminals disagree on their width, which would break columns."""
_ELLIPSIS = "…"


def clean(text: str) -> str:
    """The text with every character replaced that could steer a terminal or hide; newlines stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    if not text.isascii():
        text = captured.visible(text)
    if text.replace("\n", "").isprintable() and not any(character in text for character in _DROPPED):
        return text
    return "".join(map(_safe, text))


def _safe(character: str) -> str:
    if character in _DROPPED:
        return ""
    if character == "\n" or character.isprintable():
        return character
    return " " if character.isspace() and character > "\x85" else "\N{REPLACEMENT CHARACTER}"


def line(text: str) -> str:
    """The text on one line, runs of white space as one space."""
    return " ".join(clean(text).split())


def width(text: str) -> int:
    """How many terminal cells a clean text takes."""
    return cell_len(text)


def cut(text: str, cells: int) -> str:
    """One line of at most `cells` cells, ending in an ellipsis where something was cut off."""
    text = line(text)
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + _ELLIPSIS if cells > 0 else ""


def fit(text: str, cells: int, *, right: bool = False) -> str:
    """One line of exactly `cells` cells, cut or padded."""
    text = cut(text, cells)
    space = " " * max(0, cells - cell_len(text))
    return space + text if right else text + space


def wrap(text: str, cells: int, limit: int = 0) -> list[str]:
    """The text in lines of at most `cells` cells; its own line breaks stay.

    With a limit, only that many lines, the last of them ending in an ellipsis where more follows.
    """
    cells = max(1, cells)
    lines = [part for row in clean(text).split("\n") for part in _wrap_row(row.rstrip(), cells)]
    while lines and not lines[-1]:
        lines.pop()
    if limit and len(lines) > limit:
        lines = [*lines[: limit - 1], cut(lines[limit - 1] + " " + lines[limit] + _ELLIPSIS, cells)]
    return lines or [""]


def _wrap_row(row: str, cells: int) -> Iterator[str]:
    """Its words in lines; what it is indented by stays before the first."""
    words = row.lstrip(" ")
    indent = current = " " * min(len(row) - len(words), cells // 2)
    for word in words.split(" "):
        joined = f"{current} {word}" if current != indent else f"{current}{word}"
        if cell_len(joined) <= cells:
            current = joined
            continue
        if current:
            yield current
        *full, current = chop_cells(word, cells) or [""]
        yield from full
    yield current


def strip(pieces: Iterable[Piece], style_of: Callable[[str], Style], cells: int) -> Strip:
    """A drawn line of exactly `cells` cells; each piece is cleaned, whoever made it."""
    segments: list[Segment] = []
    left = cells
    for text, name in pieces:
        drawn = clean(text).replace("\n", " ")
        taken = cell_len(drawn)
        if taken > left:
            drawn, taken = set_cell_size(drawn, left), left
        segments.append(Segment(drawn, style_of(name)))
        left -= taken
        if left <= 0:
            break
    if left > 0:
        segments.append(Segment(" " * left, style_of("text")))
    return Strip(segments, cells)


def content(text: str, style: str = "") -> Content:
    """Text for a widget that takes content: cleaned, never parsed as markup."""
    return Content.styled(clean(text), style) if style else Content(clean(text))


def join(*parts: Content) -> Content:
    """Contents one after the other."""
    return Content("").join(parts)
