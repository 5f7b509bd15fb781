"""The trained model: how likely a prompt is feedback, and of which category.

Logistic regression over signs, words and the rules' verdict (`learn.feedback.features`), trained by
`scripts/train_detector.py`. The weights contain no prompt: only words that several sources use.
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
"""Prefixes of features that mean nothing to a person, so that they are never given as reasons."""


class Weights(NamedTuple):
    """The result of training."""

    bias: float
    signs: dict[str, float]
    """Weight by sign."""
    grams: dict[str, tuple[float, float]]
    """Inverse document frequency and weight by word or pair of words."""
    calibration: tuple[float, float]
    """Slope and offset that turn a score into the logarithm of the odds (Platt)."""
    threshold: float
    """A prompt of this probability or more is feedback."""
    categories: dict[str, dict[str, float]]
    """Weights by category and sign, including `bias`."""


class Opinion(NamedTuple):
    """The model's opinion on a prompt."""

    feedback: float
    """Probability that it is feedback of any kind, 0–1."""
    category: FeedbackCategory
    """The likeliest category; not computed below the threshold."""
    certainty: float
    """Probability of that category, if it is feedback."""
    reasons: tuple[str, ...]
    """The signs and words with the largest positive weights, strongest first."""


@cache
def weights() -> Weights:
    """The weights that come with the package, loaded on first use."""
    return parse_weights(json.loads(WEIGHTS.read_bytes()))


def parse_weights(raw: Mapping[str, object]) -> Weights:
    """Weights from the content of their file."""
    values = {name: raw[name] for name in Weights._fields}
    values["grams"] = {gram: (idf, weight) for gram, (idf, weight) in values["grams"].items()}  # type: ignore[attr-defined]
    values["calibration"] = tuple(values["calibration"])  # type: ignore[arg-type]
    return Weights(**values)  # type: ignore[arg-type]


def opinion(prompt: Prompt, rule: tuple[str, float] | None, nudge: float = 0.0) -> Opinion:
    """The model's opinion; `rule` is the category and confidence of the rule that matched, if any.

    `nudge` is added to the logarithm of the odds: facts about the turn that were not in training.
    """
    return weigh(weights(), *model_features(prompt, rule), nudge)


def model_features(prompt: Prompt, rule: tuple[str, float] | None) -> tuple[dict[str, float], list[str]]:
    """The signs of a prompt with the rules' verdict, and its words."""
    text = features.masked_text(prompt.text)
    values = features.features(prompt, text)
    if rule is not None:
        values[f"rule {rule[0]}"] = 1.0
        values["rule"] = rule[1]
    return values, features.word_grams(text)


def weigh(weights: Weights, values: Mapping[str, float], grams: list[str], nudge: float = 0.0) -> Opinion:
    """The opinion that weights give on features."""
    parts = {name: weights.signs[name] * value for name, value in values.items() if name in weights.signs}
    parts |= gram_parts(weights.grams, grams)
    slope, offset = weights.calibration
    odds = slope * (weights.bias + sum(parts.values())) + offset + nudge
    positive = (name for name in parts if parts[name] > 0 and not name.startswith(_MUTE))
    strongest = sorted(positive, key=lambda name: (-parts[name], name))[:_MOST_REASONS]
    feedback = probability(odds)
    category, certainty = _category(weights, values) if feedback >= weights.threshold else _NO_KIND
    return Opinion(feedback, category, certainty, tuple(map(readable, strongest)))


def probability(odds: float) -> float:
    """The probability, 0–1, that the logarithm of the odds stands for."""
    return 1 / (1 + exp(-max(min(odds, 30.0), -30.0)))


def gram_parts(weighed: Mapping[str, tuple[float, float]], grams: list[str]) -> dict[str, float]:
    """What words add to the score: damped term frequency times inverse document frequency, normalised.

    `weighed` has the inverse document frequency and the weight of each word that counts.
    """
    counted = Counter(gram for gram in grams if gram in weighed)
    values = {gram: (1 + log(count)) * weighed[gram][0] for gram, count in counted.items()}
    length = sqrt(sum(value * value for value in values.values())) or 1.0
    return {gram: value / length * weighed[gram][1] for gram, value in values.items()}


def _category(weights: Weights, values: Mapping[str, float]) -> tuple[FeedbackCategory, float]:
    scores = {
        name: table["bias"] + sum(table.get(sign, 0.0) * value for sign, value in values.items())
        for name, table in weights.categories.items()
    }
    best = max(scores, key=lambda name: scores[name])
    total = sum(exp(score - scores[best]) for score in scores.values())
    return best, 1 / total  # type: ignore[return-value]  # training knows no other categories


def readable(name: str) -> str:
    """A feature's name for people."""
    if name.startswith(("w ", "o ")):
        return f"“{name[2:]}”"
    if name.startswith("^"):
        return f"opens: {name[1:]}"
    return name.removeprefix("1 ")
