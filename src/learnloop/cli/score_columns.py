"""The parts of a relevance score as columns of a listing."""

from __future__ import annotations

from typing import Protocol

from learnloop.cli.columns import Column

SCORE_COLUMNS = tuple(
    Column(title, "right") for title in ("TOOL", "TARGET", "ACTION", "CONTEXT", "SUM", "TIMES", "SCORE")
)


class Scored(Protocol):
    """A score and its parts, in hundredths."""

    @property
    def tool(self) -> int: ...
    @property
    def target(self) -> int: ...
    @property
    def action(self) -> int: ...
    @property
    def context(self) -> int: ...
    @property
    def base(self) -> int: ...
    @property
    def multiplier(self) -> int: ...
    @property
    def final(self) -> int: ...


def score_cells(score: Scored) -> list[str]:
    """The cells below `SCORE_COLUMNS`."""
    parts = (score.tool, score.target, score.action, score.context, score.base, score.multiplier, score.final)
    return [f"{part / 100:.2f}" for part in parts]
