"""Listings on a terminal: ids are never cut; on a narrow one each row becomes a block of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli.columns import width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from learnloop.cli.columns import Column

_GAP = 3
_LEAST = 8
_LEAST_WIDE = 24
"""The least width of a column that may wrap, and of the wide one."""


def show(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> None:
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
            column.title,
            justify=column.justify,
            style=column.style,
            no_wrap=_whole(column),
            overflow="fold",
            min_width=longest if _whole(column) else None,
            ratio=1 if column.wide else None,
        )
    for row in cells:
        shown.add_row(*map(Text, row))
    return shown
