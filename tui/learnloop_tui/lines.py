"""How lessons look as lines: pure functions from rows to pieces of text and style names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui import text
from learnloop_tui.state import Fold, Row

if TYPE_CHECKING:
    from learnloop_tui.state import Item
    from learnloop_tui.text import Line, Piece

STATE_GLYPHS = {
    "active": ("●", "good"),
    "paused": ("‖", "warn"),
    "draft": ("○", "accent"),
    "archived": ("▪", "muted"),
    "rejected": ("✗", "bad"),
}
_COUNT = 5
"""How wide the count is."""
_PROJECT_FROM, _PROJECT = 68, 12
"""From which width on the project is shown, and how wide."""


def triage_row(item: Item, width: int, marked: bool, fresh: bool) -> Line:
    """A draft: mark, statement, how often seen, project, strength, usefulness."""
    if isinstance(item, Fold):
        return fold_row(item, width)
    if item.proposal:
        return _row(item, width, marked, ("⚑", "warn"), item.recalled)
    glyph = ("✎", "warn") if item.needs_words else ("○", "fresh" if fresh else "muted")
    return _row(item, width, marked, glyph, item.seen if item.seen > 1 else 0)


def lesson_row(item: Item, width: int, marked: bool, fresh: bool) -> Line:
    """A lesson of any state: mark, state, statement, how often told, project, strength, usefulness."""
    if isinstance(item, Fold):
        return fold_row(item, width)
    glyph, look = STATE_GLYPHS[item.state]
    return _row(item, width, marked, (glyph, "fresh" if fresh else look), item.recalled)


def fold_row(fold: Fold, width: int) -> Line:
    """The line behind which the weaker drafts are folded."""
    arrow, todo = ("▾", "folds them") if fold.open else ("▸", "shows them")
    return ((text.fit(f"  {arrow} {fold.hidden:,} weaker — w {todo}", width), "label"),)


def header(width: int, counted: str) -> Line:
    """The heading above the columns."""
    project = text.fit("where", _PROJECT + 1) if width >= _PROJECT_FROM else ""
    tail = f" {counted:>{_COUNT}} {project}str use "
    return ((" " * 5 + text.fit("lesson", width - 5 - text.width(tail)) + tail, "label"),)


def _row(row: Row, width: int, marked: bool, glyph: Piece, count: int) -> Line:
    counted = f"×{count}" if count else ""
    project = text.fit(where(row), _PROJECT) + " " if width + 1 >= _PROJECT_FROM else ""
    tail: list[Piece] = [(f" {counted:>{_COUNT}} {project}", "muted")]
    tail += [(f"{row.strength:>3}", _level(row.strength))]
    tail.append((f" {use(row.usefulness):>3} ", "text" if row.usefulness is not None else "muted"))
    left = max(8, width - sum(text.width(part) for part, _ in tail) - 4)
    look = "quote" if row.needs_words else "muted" if row.state in ("archived", "rejected") else "text"
    head = (("◆" if marked else " ", "accent"), glyph, (" ", "text"))
    return (*head, (text.fit(row.statement, left) + " ", "strong" if marked else look), *tail)


def meter(strength: int) -> str:
    """A strength as a bar of ten."""
    full = max(0, min(10, round(strength / 10)))
    return "━" * full + "╌" * (10 - full)


def use(usefulness: int | None) -> str:
    """A usefulness as a number, a dash before the first recall."""
    return "–" if usefulness is None else str(usefulness)


def where(row: Row) -> str:
    """Where a lesson applies."""
    if row.scope == "global":
        return "everywhere"
    return row.project or "one project"


def _level(strength: int) -> str:
    return "good" if strength >= 70 else "accent" if strength >= 40 else "muted"
