"""What the pages are made of: headings, paragraphs, labelled values, and what an empty list shows. Pure."""

from collections.abc import Iterable

from learnloop_tui.view import text
from learnloop_tui.view.text import Line

_LABEL = 10


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
