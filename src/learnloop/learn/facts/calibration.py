"""How far a model's own *sure* is to be believed, by what a person made of its facts. Pure.

Platt scaling (J. Platt, 1999) with a prior that believes the model: the log odds of being kept are a line in
the log odds that the model gave. The line is the most probable one under normal priors.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

ENOUGH = 20
"""Verdicts from which on a model is corrected by them."""
_LEAST, _MOST = 0.02, 0.98
"""No model is believed to be surer."""
_STEPS, _PRIOR = 100, (1.0, 0.25)
"""Steps towards it, and the precision of the slope and of the shift."""


class FactVerdict(NamedTuple):
    """What a person made of a fact."""

    sure: int
    """The model's, of 100."""
    is_kept: bool
    project: str


def verdict(lesson: Mapping[str, Any]) -> str:
    """What a person decided about a draft; one that expired unread has no verdict."""
    status = lesson.get("status", "")
    if status == "archived":
        is_judged = lesson.get("reviewed_at") and lesson.get("archived_reason") != "expired"
        return "accepted" if is_judged else "waiting"
    return {"active": "accepted", "rejected": "rejected", "draft": "waiting"}.get(str(status), "gone")


def chance(sure: int, verdicts: Sequence[FactVerdict], project: str) -> float:
    """That a person keeps a fact, 0–1: by the project's verdicts, else by all, else as the model says."""
    own = [verdict for verdict in verdicts if verdict.project == project]
    counted = own if len(own) >= ENOUGH else verdicts
    x = _log_odds(sure)
    slope, shift = _line(counted) if len(counted) >= ENOUGH else (1.0, 0.0)
    return 1 / (1 + math.exp(-(slope * x + shift)))


def _line(verdicts: Sequence[FactVerdict]) -> tuple[float, float]:
    """Slope and shift; the slope is never below 0, so that surer facts are never less likely.

    Each step divides by the greatest curvature there can be, so none overshoots (Böhning, Lindsay, 1988).
    """
    points = [(_log_odds(verdict.sure), float(verdict.is_kept)) for verdict in verdicts]
    aa = _PRIOR[0] + sum(x * x for x, _ in points) / 4
    ab = sum(x for x, _ in points) / 4
    bb = _PRIOR[1] + len(points) / 4
    slope, shift = 1.0, 0.0
    for _ in range(_STEPS):
        errors = [(x, kept - 1 / (1 + math.exp(-(slope * x + shift)))) for x, kept in points]
        to_slope = sum(x * error for x, error in errors) - _PRIOR[0] * (slope - 1)
        to_shift = sum(error for _, error in errors) - _PRIOR[1] * shift
        size = aa * bb - ab * ab
        slope += (bb * to_slope - ab * to_shift) / size
        shift += (aa * to_shift - ab * to_slope) / size
    return max(slope, 0.0), shift


def _log_odds(sure: int) -> float:
    share = min(max(sure / 100, _LEAST), _MOST)
    return math.log(share / (1 - share))
