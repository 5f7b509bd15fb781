"""The columns of a listing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from learnloop.recall.backtest import Shot
    from learnloop.service.recall.explain import Explained


class Column(NamedTuple):
    """A column of a listing."""

    title: str
    justify: Literal["left", "right"] = "left"
    style: str = ""
    wide: bool = False
    """The column that takes the remaining width of a terminal, and may wrap."""


def width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(c) in "WF") for c in text)


SCORE_COLUMNS = tuple(
    Column(title, "right") for title in ("TOOL", "TARGET", "ACTION", "CONTEXT", "SUM", "TIMES", "SCORE")
)


def score_cells(score: Explained | Shot) -> list[str]:
    """The cells of `SCORE_COLUMNS`: hundredths, and the factor of the priority."""
    parts = map(str, (score.tool, score.target, score.action, score.context, score.base))
    return [*parts, f"{score.multiplier / 100:g}×", str(score.final)]
