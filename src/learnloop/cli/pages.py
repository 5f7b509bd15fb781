"""The page about one thing, as the command line prints it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from learnloop.cli import output
from learnloop.cli.columns import Column
from learnloop.faces.parts import Chart, Field, Heading, Pieces, Signed, Table, Title, Words
from learnloop.service.charts import plot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from learnloop.faces.parts import Part

_CHART = 80


def show(parts: Iterable[Part]) -> None:
    """Print a page: its title at the left, the rest indented; fields that follow each other align."""
    for are_fields, group in groupby(parts, lambda part: isinstance(part, Field)):
        if are_fields:
            output.fields(
                ((each.label, each.value) for each in group if isinstance(each, Field)), indent="  "
            )
        else:
            for part in group:
                _show(part)


def _show(part: Part) -> None:
    match part:
        case Title(words):
            output.line(words)
        case Words(words, _, indent):
            output.line("\n".join(" " * (indent + 1) + row if row else "" for row in words.split("\n")))
        case Heading(title):
            output.line(f"\n{output.safe(title)}")
        case Signed(sign, _, words):
            output.line(f" {sign}{output.safe(words)}")
        case Pieces(pieces):
            output.line("  " + "".join(words for words, _ in pieces).replace("\n", " ").rstrip())
        case Table(titles, rows):
            _table(titles, rows)
        case Chart(title, draw, words) if drawn := draw(_CHART):
            output.line("\n".join(("", title, *plot.plain(drawn), words)))


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    columns = [Column(title.upper(), "right" if at else "left") for at, title in enumerate(titles)]
    for row in output.plain(columns, [[*map(output.safe, row)] for row in rows]):
        output.line(f"  {row}")
