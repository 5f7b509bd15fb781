"""A linear model: what trained weights make of the signs and words of a text.

`scripts/regression.py` trains it. A file of weights contains no text, only words that several sources use.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple


class Weights(NamedTuple):
    """The result of training."""

    bias: float
    signs: dict[str, float]
    """Weight by sign."""
    grams: dict[str, tuple[float, float]]
    """Inverse document frequency and weight by word, pair of words or opener."""
    calibration: tuple[float, float]
    """Slope and offset that turn a score into the logarithm of the odds (Platt)."""
    threshold: float
    """A text of this chance or more belongs to what the model looks for."""
    categories: Mapping[str, Mapping[str, float]]
    """Weights by category and sign, including `bias`; empty where the model knows no categories."""


@cache
def read(path: Path) -> Weights:
    """The weights of a file, loaded on first use."""
    return parse(json.loads(path.read_bytes()))


def parse(raw: Mapping[str, Any]) -> Weights:
    """Weights from the content of their file."""
    grams = {gram: (idf, weight) for gram, (idf, weight) in raw["grams"].items()}
    calibration = tuple(raw["calibration"])
    return Weights(**{"categories": {}, **raw, "grams": grams, "calibration": calibration})


def parts(model: Weights, values: Mapping[str, float], grams: list[str]) -> dict[str, float]:
    """What each sign and word adds to the score."""
    of_signs = {name: model.signs[name] * value for name, value in values.items() if name in model.signs}
    return of_signs | _gram_parts(model.grams, grams)


def _gram_parts(weighed: Mapping[str, tuple[float, float]], grams: list[str]) -> dict[str, float]:
    """Damped frequency times inverse document frequency, normalised, times the weight."""
    counted = Counter(gram for gram in grams if gram in weighed)
    values = {gram: (1 + log(count)) * weighed[gram][0] for gram, count in counted.items()}
    length = sqrt(sum(value * value for value in values.values())) or 1.0
    return {gram: value / length * weighed[gram][1] for gram, value in values.items()}


def chance(model: Weights, score_parts: Mapping[str, float], nudge: float = 0.0) -> float:
    """The calibrated chance, 0–1; `nudge` is added to the logarithm of the odds."""
    slope, offset = model.calibration
    odds = slope * (model.bias + sum(score_parts.values())) + offset + nudge
    return 1 / (1 + exp(-max(min(odds, 30.0), -30.0)))


def category(model: Weights, values: Mapping[str, float]) -> tuple[str, float]:
    """The likeliest category, and its probability."""
    scores = {
        name: table["bias"] + sum(table.get(sign, 0.0) * value for sign, value in values.items())
        for name, table in model.categories.items()
    }
    best = max(scores, key=lambda name: scores[name])
    return best, 1 / sum(exp(score - scores[best]) for score in scores.values())
