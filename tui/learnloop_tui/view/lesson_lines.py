"""How lessons look as lines: pure functions from rows to pieces of text and style names."""

from typing import NamedTuple

from learnloop.faces import lesson_page
from learnloop_tui.view import sentence_rows, text
from learnloop_tui.view.lesson_state import Fold, Head, Item
from learnloop_tui.view.page_parts import block
from learnloop_tui.view.state import Row
from learnloop_tui.view.text import Line, Piece

_PLAIN_ORIGIN = "○"
_ORIGINS = {
    "discovery": "✦", "import": "⇣", "synthesis": "◈", **dict.fromkeys(("block", "message", "output"), "◇"),
}  # fmt: skip
"""The sign of a draft that no person typed, or that a model read; in Lessons the latter was taken in."""


class Columns(NamedTuple):
    """What stands at the right of a statement, by the cells that it takes; 0: not shown."""

    where: int
    seen: int = 0
    effect: int = 0

    @property
    def placed(self) -> list[tuple[str, int]]:
        """Those that are shown, from the left."""
        return [(name, wide) for name, wide in self._asdict().items() if wide]

    @property
    def cells(self) -> int:
        """What they take together."""
        return sum(self)


def file_lines(path: str, body: str, width: int) -> list[Line]:
    """A file that would be written, by its place and its bytes."""
    return [*block(path, width, "muted"), (), *block(body, width, "text")]


def columns_for(pane: str, width: int, *, many_projects: bool) -> Columns:
    """The columns of a list of that width; the project's where the lessons are of several."""
    where = 13 if many_projects and width >= 46 else 0
    return Columns(where, seen=5) if pane == "triage" else Columns(where, effect=15)


def triage_row(item: Item, width: int, marked: bool, fresh: bool, columns: Columns, most: int) -> list[Line]:
    """A draft in at most so many lines: mark, origin, statement, project, how often said."""
    if not isinstance(item, Row):
        return [_fold_or_head(item, width)]
    if item.claimed:
        return _row(item, width, marked, ("⚠", "bad"), columns, most)
    if item.proposal:
        return _row(item, width, marked, ("⚑", "warn"), columns, most)
    origin = _ORIGINS.get(item.origin, _PLAIN_ORIGIN)
    glyph = ("✎", "warn") if item.needs_words else (origin, "fresh" if fresh else "muted")
    return _row(item, width, marked, glyph, columns, most)


def lesson_row(item: Item, width: int, marked: bool, fresh: bool, columns: Columns, most: int) -> list[Line]:
    """A lesson of any state in at most so many lines: mark, state, statement, project, effect in words."""
    if not isinstance(item, Row):
        return [_fold_or_head(item, width)]
    glyph, look = lesson_page.STATE_GLYPHS[item.state]
    glyph = _ORIGINS["synthesis"] if item.taken and item.state == "active" else glyph
    return _row(item, width, marked, (glyph, "fresh" if fresh else look), columns, most)


def height(item: Item, width: int, columns: Columns) -> int:
    """How many lines an item takes where it may take two."""
    return sentence_rows.height(item.label, width, columns.cells) if isinstance(item, Row) else 1


def _fold_or_head(item: Fold | Head, width: int) -> Line:
    arrow = "▾" if item.open else "▸"
    if isinstance(item, Fold):
        todo = "folds them" if item.open else "shows them"
        words = f"  {arrow} {item.words} — f"
        room = text.width(words) + len(todo) < width
        return ((text.fit(f"{words} {todo}" if room else words, width), "label"),)
    held = f" {item.held:,}"
    name = text.cut(item.name, max(1, width - 4 - len(held)))
    return ((f"  {arrow} ", "muted"), (name, "strong"), (held, "muted"))


def header(width: int, columns: Columns, order: str = "", down: bool = True) -> Line:
    """The heading above the columns, with an arrow at the one that sorts."""
    titles = ""
    for name, start, wide in _spans(width, columns):
        shown = f"{name}{'▼' if down else '▲'}" if name == order else name
        titles = titles.ljust(start) + text.fit(shown, wide)
    return ((titles[:width], "label"),)


def column_at(x: int, width: int, columns: Columns) -> str:
    """The column at a cell of a line; empty where there is none."""
    return next((name for name, start, wide in _spans(width, columns) if start <= x < start + wide), "")


def _spans(width: int, columns: Columns) -> list[tuple[str, int, int]]:
    """The columns by name, where each starts and how wide it is."""
    start, margin = width - columns.cells, sentence_rows.MARGIN
    spans = [("lesson", margin, max(0, start - margin))]
    for name, wide in columns.placed:
        spans.append((name, start, wide))
        start += wide
    return spans


def _row(row: Row, width: int, marked: bool, glyph: Piece, columns: Columns, most: int) -> list[Line]:
    look = "quote" if row.needs_words else "muted" if row.state in ("archived", "rejected") else "text"
    look = "strong" if marked else look
    tail = _tail(row, columns)
    return sentence_rows.row(row.label, look, width, most, glyph=glyph, tail=tail, marked=marked)


def _tail(row: Row, columns: Columns) -> list[Piece]:
    where, where_look = _why_look(row) or (lesson_page.where(row), "muted")
    words, look = _effect(row) if columns.effect else (f"×{row.seen}" if row.seen > 1 else "", "accent")
    note = (text.fit(words, columns.effect or columns.seen), look)
    return [(text.fit(where, columns.where - 1) + " ", where_look), note] if columns.where else [note]


def _why_look(row: Row) -> Piece | None:
    """Why a lesson is to be looked at; None for others."""
    if row.claimed:
        return ("claimed", "bad")
    why = row.said or row.proposal.partition(":")[0]
    return (why, "warn") if why else None


def _effect(row: Row) -> Piece:
    """What telling a lesson led to, in words; of one that is not in use its state."""
    if row.state != "active":
        return (row.state, "muted")
    if row.heeded:
        worked, _, judged = row.heeded.partition("/")
        return (f"worked {worked} of {judged}", "good" if 2 * int(worked) >= int(judged) else "warn")
    return (f"told {row.recalled}×", "text") if row.recalled else ("not told yet", "muted")
