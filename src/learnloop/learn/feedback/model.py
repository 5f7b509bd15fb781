"""The trained model: how likely a prompt is feedback of any kind, and of which kind it would be.

Logistic regression over signs, words and what the rules said (`learn.feedback.features`), made by
`scripts/train_detector.py`. The weights hold no prompt: of words only those that several sources use.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from typing import NamedTuple

from learnloop.learn.feedback import features
from learnloop.learn.feedback.features import Prompt
from learnloop.models.feedback import FeedbackCategory

WEIGHTS = Path(__file__).with_name("weights.json")
_MOST_REASONS = 3
_NO_KIND: tuple[FeedbackCategory, float] = ("correction", 0.0)
_MUTE = ("<", "length", "long", "early", "late", "capitals")
"""Features that say nothing to a person."""


class Weights(NamedTuple):
    """What training made."""

    bias: float
    signs: dict[str, float]
    """Weight by sign."""
    grams: dict[str, tuple[float, float]]
    """Inverse document frequency and weight by word or pair of words."""
    calibration: tuple[float, float]
    """Slope and offset that turn a score into the logarithm of the odds (Platt)."""
    threshold: float
    """The probability from which on a prompt is taken for feedback."""
    categories: dict[str, dict[str, float]]
    """Weights by category and sign, `bias` among them."""


class Opinion(NamedTuple):
    """What the model thinks of a prompt."""

    feedback: float
    """Probability that it is feedback of any kind, 0–1."""
    category: FeedbackCategory
    """The likeliest kind; not looked for below the threshold."""
    certainty: float
    """Probability of that kind, if it is feedback."""
    reasons: tuple[str, ...]
    """The signs and words that spoke for feedback most, strongest first."""


@cache
def weights() -> Weights:
    """The weights that come with the package, read when first asked for."""
    return parse_weights(json.loads(WEIGHTS.read_bytes()))


def parse_weights(raw: Mapping[str, object]) -> Weights:
    """Weights as the file holds them."""
    found = {name: raw[name] for name in Weights._fields}
    found["grams"] = {gram: (idf, weight) for gram, (idf, weight) in found["grams"].items()}  # type: ignore[attr-defined]
    found["calibration"] = tuple(found["calibration"])  # type: ignore[arg-type]
    return Weights(**found)  # type: ignore[arg-type]


def opinion(prompt: Prompt, rule: tuple[str, float] | None, nudge: float = 0.0) -> Opinion:
    """What the model thinks, given the category and confidence of the rule that found something, if one did.

    `nudge` is added to the logarithm of the odds: what is known of the turn and was not in training.
    """
    return weigh(weights(), *model_features(prompt, rule), nudge)


def model_features(prompt: Prompt, rule: tuple[str, float] | None) -> tuple[dict[str, float], list[str]]:
    """The signs of a prompt, with what the rules said of it, and its words."""
    text = features.masked_text(prompt.text)
    found = features.features(prompt, text)
    if rule is not None:
        found[f"rule {rule[0]}"] = 1.0
        found["rule"] = rule[1]
    return found, features.word_grams(text)


def weigh(given: Weights, found: Mapping[str, float], grams: list[str], nudge: float = 0.0) -> Opinion:
    """The opinion that weights give over features."""
    parts = {name: given.signs[name] * value for name, value in found.items() if name in given.signs}
    parts |= _gram_parts(given, grams)
    slope, offset = given.calibration
    odds = slope * (given.bias + sum(parts.values())) + offset + nudge
    telling = (name for name in parts if parts[name] > 0 and not name.startswith(_MUTE))
    strongest = sorted(telling, key=lambda name: (-parts[name], name))[:_MOST_REASONS]
    feedback = _sigmoid(odds)
    category, certainty = _category(given, found) if feedback >= given.threshold else _NO_KIND
    return Opinion(feedback, category, certainty, tuple(map(readable, strongest)))


def _gram_parts(given: Weights, grams: list[str]) -> dict[str, float]:
    """The shares of words: term frequency, damped, times inverse document frequency, of length one."""
    counted = Counter(gram for gram in grams if gram in given.grams)
    values = {gram: (1 + log(count)) * given.grams[gram][0] for gram, count in counted.items()}
    length = sqrt(sum(value * value for value in values.values())) or 1.0
    return {gram: value / length * given.grams[gram][1] for gram, value in values.items()}


def _category(given: Weights, found: Mapping[str, float]) -> tuple[FeedbackCategory, float]:
    scores = {
        name: table["bias"] + sum(table.get(sign, 0.0) * value for sign, value in found.items())
        for name, table in given.categories.items()
    }
    best = max(scores, key=lambda name: scores[name])
    total = sum(exp(score - scores[best]) for score in scores.values())
    return best, 1 / total  # type: ignore[return-value]  # training knows no other categories


def _sigmoid(odds: float) -> float:
    return 1 / (1 + exp(-max(min(odds, 30.0), -30.0)))


def readable(name: str) -> str:
    """A feature as a person reads it."""
    if name.startswith(("w ", "o ")):
        return f"“{name[2:]}”"
    if name.startswith("^"):
        return f"opens: {name[1:]}"
    return name.removeprefix("1 ")
