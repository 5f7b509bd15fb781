"""The chance that a reviewer keeps a sentence as a lesson: logistic regression over cues and words.

`scripts/train_lessons.py` trains it; the weights contain no sentence, only words that several sources use.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import log1p
from pathlib import Path
from typing import NamedTuple

from learnloop.learn.feedback.detector import Detection
from learnloop.learn.feedback.features import NUMBER, TOKEN
from learnloop.learn.language import linear_model, wording, words
from learnloop.learn.language.linear_model import Weights
from learnloop.learn.lessons.keep_cues import cues

_HELD = re.compile("\ue000\\d+\ue001")
_RULE_FILE = re.compile(
    r"@?[\w./~-]*(?:\b(?:claude|agents?|gemini|copilot-instructions|conventions)\.mdc?\b|\.cursorrules\b)|\bcursorrules\b",
    re.I,
)
_PATH = re.compile(
    r"(?<!\S)@[\w~./-]+|(?<![\w/])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*|\b[\w-]+\.(?:py|jsx?|tsx?|go|mdc?|jsonl?|ya?ml|toml|rs|vue|css|html|sh|sql|env|txt|log|png|mod|db)\b|https?://\S+"
)
_MOST_WORDS = 60
_TRIMMED = 0.8
"""A statement of less than this share of its passage had something cut off."""
WEIGHTS = Path(__file__).with_name("keep_weights.json")
_LENGTHS = (3, 5, 8, 12, 20, 30)


class Place(NamedTuple):
    """What is known of the prompt that a sentence stands in."""

    sentences: int = 1
    """How many it has."""
    position: int = 1
    """Its number among the session's prompts, from 1."""
    feedback: float = 0.0
    """Probability that it is feedback."""
    category: str = ""
    """The category of its feedback; empty for none."""
    decisive: str = ""
    """The sentence that decided its category."""
    is_certain: bool = False
    """A rule recognised that this sentence stands for good, or says what to do instead."""


def place(own: words.OwnWords, detection: Detection, position: int) -> Place:
    """The place of a prompt's sentences. `position` is the prompt's number in its session, from 1."""
    verdict = detection.verdict
    category, decisive = (verdict.category, verdict.sentence) if verdict else ("", "")
    is_certain = verdict is not None and verdict.drafts
    return Place(len(own.every), position, detection.feedback, category, decisive, is_certain)


def decides(own: words.OwnWords, at: int, place: Place) -> bool:
    """Whether the sentence `own.every[at]` decided the category of its prompt."""
    return bool(place.decisive) and own.restore(own.every[at].text) in place.decisive


def masked(text: str) -> str:
    """A sentence in lower case, code, paths and numbers replaced by marks."""
    plain = _HELD.sub(" _code ", text).replace("’", "'")
    return " ".join(
        NUMBER.sub("_num", _PATH.sub(" _path ", _RULE_FILE.sub(" _rulefile ", plain))).lower().split()
    )


def features(
    own: words.OwnWords, at: int, place: Place, worded: wording.Wording
) -> tuple[dict[str, float], list[str]]:
    """Signs by name, and words, of the sentence `own.every[at]`, whose wording is given."""
    sentence = own.every[at]
    text = masked(sentence.text) + ("?" if sentence.asks else "")
    count = len(text.split())
    values = dict.fromkeys((name for name, form in cues() if form.search(text)), 1.0)
    values |= dict.fromkeys((f"<{limit} words" for limit in _LENGTHS if count < limit), 1.0)
    values |= dict.fromkeys(_place(own, at, place), 1.0)
    values |= dict.fromkeys(_form(worded, len(own.passage(at, worded.sentences))), 1.0)
    values["feedback"] = place.feedback
    values["length"] = min(log1p(count) / 4, 1.2)
    return values, grams(text)


def _place(own: words.OwnWords, at: int, place: Place) -> Iterator[str]:
    sentence = own.every[at]
    if place.sentences == 1:
        yield "alone"
    if at == 0:
        yield "opens"
    if at == place.sentences - 1:
        yield "closes"
    if place.sentences > 8:
        yield "long prompt"
    if sentence.listed:
        yield "listed"
    if place.category:
        yield f"prompt {place.category}"
    if decides(own, at, place):
        yield "decides"
    if place.position <= 1:
        yield "first prompt"
    if any(word.isupper() and len(word) > 2 for word in sentence.text.split()):
        yield "shouts"
    if at and len(own.every[at - 1].text.split()) < 4:
        yield "after a word"


def _form(worded: wording.Wording, length: int) -> Iterator[str]:
    if worded.statement:
        yield "worded"
        if len(worded.statement) < _TRIMMED * length:
            yield "trimmed"
    if worded.is_complaint:
        yield "complains"
    if worded.sentences > 1:
        yield "two sentences"


def grams(text: str) -> list[str]:
    """Words, word pairs, and openers of one to three words."""
    tokens = TOKEN.findall(text)[:_MOST_WORDS]
    every = [f"w {token}" for token in tokens]
    every += [f"w {first} {second}" for first, second in pairwise(tokens)]
    for length in (1, 2, 3):
        if len(tokens) >= length:
            every.append(f"o {' '.join(tokens[:length])}")
    return every


def weights() -> Weights:
    """The weights that come with the package, loaded on first use."""
    return linear_model.read(WEIGHTS)


def chance(values: Mapping[str, float], grams: list[str]) -> float:
    """The chance, 0–1, that a reviewer keeps a sentence with these features."""
    model = weights()
    return round(linear_model.chance(model, linear_model.parts(model, values, grams)), 4)
