"""Everything `learn` prints: tables, lines, JSON. Captured text passes `safe` and is never read as markup."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from learnloop.cli.columns import width
from learnloop.wire.text import clean, cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.table import Table

    from learnloop.cli.columns import Column

T = TypeVar("T")


def safe(text: object) -> str:
    """A text as one line that cannot steer the terminal."""
    return " ".join(clean(str(text)).split())


def safe_block(text: object) -> str:
    """A text of several lines that cannot steer the terminal."""
    return clean(str(text)).replace("\t", "    ")


def line(text: object = "") -> None:
    """Print one line that cannot steer the terminal."""
    print(safe_block(text))


def note(text: object) -> None:
    """Print a remark on stderr, after the output so far, so that a pipe gets only the output."""
    sys.stdout.flush()
    print(safe_block(text), file=sys.stderr)


def documents(items: Iterable[object]) -> None:
    """Print documents as one JSON list."""
    listed = list(items)
    text = (
        None if is_narrow() else _by_pydantic([item if _is_plain(item) else _json(item) for item in listed])
    )
    if text is None:
        as_json([_json(item) for item in listed])
    else:
        _print_json(text)


def as_json(value: Any) -> None:
    """Print one JSON document; characters that a terminal acts on are escaped."""
    text = None if is_narrow() else _by_pydantic(value)
    _print_json(text or json.dumps(value, ensure_ascii=is_narrow(), indent=2))


def _print_json(text: str) -> None:
    is_harmless = text.isascii() and "\x7f" not in text  # JSON escapes the other control characters itself
    if not is_harmless and not text.replace("\n", "").isprintable():
        text = "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)
    print(text)


def is_narrow() -> bool:
    """Whether stdout has an encoding other than a Unicode one."""
    return not (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def _json(item: Any) -> Any:
    return item.as_json() if hasattr(item, "as_json") else item


def _is_plain(item: object) -> bool:
    """Whether pydantic writes a document just as its `as_json` would make it."""
    base = sys.modules.get("learnloop.models.base")
    return base is not None and getattr(type(item), "as_json", None) is base.Document.as_json


def _by_pydantic(value: Any) -> str | None:
    """Indented JSON in a seventh of the time, where pydantic is loaded anyway; None where it cannot."""
    core = sys.modules.get("pydantic_core")
    try:
        return None if core is None else str(core.to_json(value, indent=2), "utf-8")
    except ValueError:  # a lone surrogate, which JSON can say and UTF-8 cannot
        return None


def json_line(value: Any) -> None:
    """Print one JSON document on one line of ASCII."""
    print(json.dumps(value))


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def on_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()


def styled() -> bool:
    """Whether stdout is a terminal that shows colours."""
    return on_terminal() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown")


def can_ask() -> bool:
    """Whether stdin is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def table(columns: Sequence[Column], rows: Iterable[Sequence[object]], *, empty: str = "") -> None:
    """Print a listing: a table on a terminal, aligned text in a pipe; `empty` on stderr without rows."""
    cells = [[safe(value) for value in row] for row in rows]
    if not cells:
        if empty:
            note(empty)
    elif styled():
        from learnloop.cli import paging

        with paging.paged():
            _show_table(columns, cells)
    else:
        for text in plain(columns, cells):
            print(text)


def listing(
    items: Sequence[T], columns: Sequence[Column], cells: Callable[[T], Sequence[object]], *, json: bool,
    empty: str = "",
) -> None:  # fmt: skip
    """Print documents as JSON, or as a table with the cells of each."""
    if json:
        documents(items)
    else:
        table(columns, map(cells, items), empty=empty)


def plain(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """The listing as aligned lines, the titles first."""
    titles = [column.title for column in columns]
    widths = [max(map(width, parts)) for parts in zip(titles, *cells, strict=True)]
    for row in (titles, *cells):
        yield "  ".join(map(_pad, row, widths, columns)).rstrip()


def _pad(text: str, to: int, column: Column) -> str:
    gap = " " * (to - width(text))
    return gap + text if column.justify == "right" else text + gap


def fields(pairs: Iterable[tuple[str, object]], *, indent: str = "") -> None:
    """Print names and values, one pair a line; empty values are left out."""
    shown = [(name, safe(value)) for name, value in pairs if value not in ("", None, (), [])]
    longest = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        print(f"{indent}{name:<{longest}}  {value}")


def diff(text: str) -> None:
    """Print a unified diff, coloured on a terminal."""
    if not styled():
        line(text.rstrip("\n"))
        return
    from rich.console import Console
    from rich.text import Text

    styles = {"+": "green", "-": "red", "@": "cyan"}
    console = Console(highlight=False, soft_wrap=True)
    for part in safe_block(text).splitlines():
        bold = part.startswith(("+++", "---"))
        console.print(Text(part, style="bold" if bold else styles.get(part[:1], "")))


def count(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun: `1 lesson`, `2 lessons`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def ask(question: str, reader: Callable[[str], str] = input) -> str:
    """The answer to a question, from a person or a pipe; empty at the end of input."""
    try:
        return reader(question).strip()
    except (EOFError, OSError, RuntimeError):  # the latter two: there is no standard input at all
        print()
        return ""


def short(text: object, limit: int) -> str:
    """One safe line of at most `limit` characters."""
    return cut(safe(text), limit)


def marked(mark: str, style: str, text: object) -> None:
    """Print one line behind a mark, coloured on a terminal."""
    if not styled():
        print(f"{mark} {safe(text)}")
        return
    from rich.console import Console
    from rich.text import Text

    Console(highlight=False).print(Text(mark, style=style), Text(safe(text)))


def local(timestamp: str) -> str:
    """A UTC time in local time, to the minute."""
    from datetime import datetime

    try:
        return f"{datetime.fromisoformat(timestamp).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return timestamp


_GAP = 3
_LEAST = 8
_LEAST_WIDE = 24
"""The least width of a column that may wrap, and of the wide one."""


def _show_table(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> None:
    """Print a listing on a terminal; the cells are safe already."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if console.width < _needed(columns, cells):
        for row in cells:
            pairs = [(column.title, cell) for column, cell in zip(columns, row, strict=True) if cell]
            for line in (*(f"{title}: {cell}".lstrip(": ") for title, cell in pairs), ""):
                console.print(Text(line), soft_wrap=True)
        return
    console.print(_table(columns, cells))


def _whole(column: Column) -> bool:
    """Ids and numbers are never cut or broken."""
    return column.style == "cyan" or column.justify == "right"


def _longest(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[int]:
    titles = [column.title for column in columns]
    return [max(map(width, parts)) for parts in zip(titles, *cells, strict=True)]


def _needed(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> int:
    """The least width of a readable table."""
    needed = _GAP * (len(columns) - 1)
    for column, longest in zip(columns, _longest(columns, cells), strict=True):
        least = _LEAST_WIDE if column.wide else _LEAST
        needed += longest if _whole(column) else min(longest, least)
    return needed


def _table(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column, longest in zip(columns, _longest(columns, cells), strict=True):
        shown.add_column(
            column.title, justify=column.justify, style=column.style, no_wrap=_whole(column),
            overflow="fold", min_width=longest if _whole(column) else None,
            ratio=1 if column.wide else None,
        )  # fmt: skip
    for row in cells:
        shown.add_row(*map(Text, row))
    return shown
