"""How lessons look as lines: pure functions from rows to pieces of text and style names."""

from learnloop_tui.view import text
from learnloop_tui.view.lesson_state import Fold, Head, Item
from learnloop_tui.view.state import Row
from learnloop_tui.view.text import Line, Piece

STATE_GLYPHS = {
    "active": ("●", "good"),
    "paused": ("‖", "warn"),
    "draft": ("○", "accent"),
    "archived": ("▪", "muted"),
    "rejected": ("✗", "bad"),
}
_COUNT = 5
_PROJECT_FROM, _PROJECT = 68, 12
"""From which width on the project is shown, and how wide."""
_ORIGIN_FROM, _ORIGIN = 84, 10
"""From which width on it is said in words where a lesson comes from, and how wide."""
CHANCE_LOOKS = {"likely": "good", "maybe": "accent", "weak": "muted"}
_PLAIN_ORIGIN = "○"
_ORIGINS = {
    "discovery": "✦",
    "import": "⇣",
    "synthesis": "◈",
    **dict.fromkeys(("block", "message", "output"), "◇"),
}
"""The sign of a draft that no person typed, or that a model read in what they typed."""


def triage_row(item: Item, width: int, marked: bool, fresh: bool) -> Line:
    """A draft: mark, origin, statement, how often seen, project, chance; of a proposal why it is one."""
    if not isinstance(item, Row):
        return _fold_or_head(item, width)
    if item.claimed:
        return _row(item, width, marked, ("⚠", "bad"), item.recalled, _chance(item, width))
    if item.proposal:
        return _row(item, width, marked, ("⚑", "warn"), item.recalled, _chance(item, width))
    origin = _ORIGINS.get(item.origin, _PLAIN_ORIGIN)
    glyph = ("✎", "warn") if item.needs_words else (origin, "fresh" if fresh else "muted")
    return _row(item, width, marked, glyph, item.seen if item.seen > 1 else 0, _chance(item, width))


def lesson_row(item: Item, width: int, marked: bool, fresh: bool) -> Line:
    """A lesson of any state: mark, state, statement, times recalled, project, strength, times heeded."""
    if not isinstance(item, Row):
        return _fold_or_head(item, width)
    glyph, look = STATE_GLYPHS[item.state]
    useful = (f" {item.heeded or '–':>6}", "text" if item.heeded else "muted")
    numbers = ((f"{item.strength:>3}", CHANCE_LOOKS[item.chance]), useful)
    return _row(item, width, marked, (glyph, "fresh" if fresh else look), item.recalled, *numbers)


def _fold_or_head(item: Fold | Head, width: int) -> Line:
    arrow = "▾" if item.open else "▸"
    if isinstance(item, Fold):
        todo = "folds them" if item.open else "shows them"
        words = f"  {arrow} {item.words} — w"
        room = text.width(words) + len(todo) < width
        return ((text.fit(f"{words} {todo}" if room else words, width), "label"),)
    held = f" {item.held:,}"
    name = text.cut(item.name, max(1, width - 4 - len(held)))
    return ((f"  {arrow} ", "muted"), (name, "strong"), (held, "muted"))


def columns(width: int, counted: str) -> list[tuple[str, str, int, int]]:
    """The columns over a list: what each sorts by, its title, where it starts and how wide it is."""
    tail = [
        (counted, counted, _COUNT + 2),
        *((("from", "from", _ORIGIN + 1),) if width >= _ORIGIN_FROM else ()),
        *((("where", "where", _PROJECT + 1),) if width >= _PROJECT_FROM else ()),
    ]
    chance = ("strength", "chance", _chance_width(width) + 1)
    tail += [chance] if counted == "seen" else [("strength", "str", 4), ("use", "heeded", 7)]
    start = width - sum(wide for _, _, wide in tail)
    placed = [("lesson", "lesson", 5, max(0, start - 5))]
    for name, title, wide in tail:
        placed.append((name, title, start, wide))
        start += wide
    return placed


def column_at(x: int, width: int, counted: str) -> str:
    """The column at a cell of a line; empty where there is none."""
    at = (name for name, _, start, wide in columns(width, counted) if start <= x < start + wide)
    return next(at, "")


def header(width: int, counted: str, order: str = "", down: bool = True) -> Line:
    """The heading above the columns, with an arrow at the one that sorts."""
    titles = " " * 5
    for name, title, _, wide in columns(width, counted):
        shown = f"{title}{'▼' if down else '▲'}" if name == order else title
        left = name in ("lesson", "from", "where") or title == "chance"
        titles += text.fit(shown, wide) if left else f"{shown:>{wide - 1}} "[:wide]
    return ((titles[:width], "label"),)


def _row(row: Row, width: int, marked: bool, glyph: Piece, count: int, *judged: Piece) -> Line:
    counted = f"×{count}" if count else ""
    project = text.fit(where(row), _PROJECT) + " " if width + 1 >= _PROJECT_FROM else ""
    origin = text.fit(row.origin, _ORIGIN) + " " if width + 1 >= _ORIGIN_FROM else ""
    tail: list[Piece] = [(f" {counted:>{_COUNT}} {origin}{project}", "muted")]
    tail += [*judged, (" ", "text")]
    left = max(8, width - sum(text.width(part) for part, _ in tail) - 4)
    look = "quote" if row.needs_words else "muted" if row.state in ("archived", "rejected") else "text"
    head = (("◆" if marked else " ", "accent"), glyph, (" ", "text"))
    return (*head, (text.fit(row.label, left) + " ", "strong" if marked else look), *tail)


def _chance(row: Row, width: int) -> Piece:
    """The chance of a draft in a word, where there is room with the number; of a lesson why to look at it."""
    room = _chance_width(width + 1)
    if row.claimed:
        return (text.fit("claimed", room), "bad")
    if row.status != "draft":
        why = row.proposal.partition(":")[0]
        return (text.fit(why if len(why) <= room else why.split()[-1], room), "warn")
    words = f"{row.chance} {row.strength}" if room > len("likely") else row.chance
    return (text.fit(words, room), CHANCE_LOOKS[row.chance])


def _chance_width(width: int) -> int:
    return len("likely 82") if width >= _PROJECT_FROM else len("likely")


def meter(strength: int) -> str:
    """A strength as a bar of ten."""
    full = max(0, min(10, round(strength / 10)))
    return "━" * full + "╌" * (10 - full)


def where(row: Row) -> str:
    """Where a lesson applies."""
    if row.scope == "global":
        return "everywhere"
    return row.folder or "one project"
