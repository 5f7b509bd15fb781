"""The parts of a relevance score as columns of a listing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from learnloop.recall.backtest import Shot
    from learnloop.service.recall.explain import Explained

SCORE_COLUMNS = tuple(
    Column(title, "right") for title in ("TOOL", "TARGET", "ACTION", "CONTEXT", "SUM", "TIMES", "SCORE")
)


def score_cells(score: Explained | Shot) -> list[str]:
    """The cells of `SCORE_COLUMNS`, from hundredths."""
    parts = (score.tool, score.target, score.action, score.context, score.base, score.multiplier, score.final)
    return [f"{part / 100:.2f}" for part in parts]
