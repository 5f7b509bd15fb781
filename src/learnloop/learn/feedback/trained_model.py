"""The trained model: how likely a prompt is feedback, and of which category.

Logistic regression over signs, words and the rules' verdict (`learn.feedback.features`), trained by
`scripts/train_detector.py`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, cast

from learnloop.learn.feedback import features
from learnloop.learn.feedback.features import Prompt
from learnloop.learn.language import linear_model
from learnloop.learn.language.linear_model import Weights
from learnloop.models.feedback import FeedbackCategory

WEIGHTS = Path(__file__).with_name("weights.json")
_MOST_REASONS = 3
_NO_KIND: tuple[str, float] = ("correction", 0.0)
_MUTE = ("<", "length", "long", "early", "late", "capitals")
"""Prefixes of features that mean nothing to a person, so that they are never given as reasons."""


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


def weights() -> Weights:
    """The weights that come with the package, loaded on first use."""
    return linear_model.read(WEIGHTS)


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
    parts = linear_model.parts(weights, values, grams)
    positive = (name for name in parts if parts[name] > 0 and not name.startswith(_MUTE))
    strongest = sorted(positive, key=lambda name: (-parts[name], name))[:_MOST_REASONS]
    feedback = linear_model.chance(weights, parts, nudge)
    is_feedback = feedback >= weights.threshold
    category, certainty = linear_model.category(weights, values) if is_feedback else _NO_KIND
    return Opinion(feedback, cast("FeedbackCategory", category), certainty, tuple(map(readable, strongest)))


def readable(name: str) -> str:
    """A feature's name for people."""
    if name.startswith(("w ", "o ")):
        return f"“{name[2:]}”"
    if name.startswith("^"):
        return f"opens: {name[1:]}"
    return name.removeprefix("1 ")
