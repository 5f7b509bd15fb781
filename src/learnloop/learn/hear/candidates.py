"""Candidates: sentences of a prompt that may carry a lesson, with the chance that a reviewer keeps them."""

import re
from pathlib import Path
from typing import NamedTuple

from learnloop.learn.hear import features, wording
from learnloop.learn.hear.features import Place
from learnloop.learn.language import linear_model, words

WEIGHTS = Path(__file__).with_name("lesson_weights.json")
LEAST_SIGHTING = 0.15
"""With a smaller chance not even a repetition makes a draft: `still the same error`."""
STANDING = "standing"
"""The form of a sentence that says from when on it holds, or how often."""
RULE_CHANCE = 0.85
"""The least chance of a statement that orders something for always or never. Hardly anybody types one that is
no rule: of those in the development prompts readers keep all."""
_RULE = re.compile(
    r"^(?:always|never)\s(?!mind\b|ever\b|an?\b|the\b|any\b|seen\b|been\b|had\b|heard\b|got\b|again\b|\w+ed\b|\w+s\b)",
    re.I,
)
_SAID_SO = re.compile(
    r"^(?:(?:no|please|but|and|ok|so)\W+)*(?:(?:you|we)\s(?:again\s|also\s)*(?:forgot|didn't|did\snot|need\sto|have\sto)"
    r"|(?:remember|don't\sforget|do\snot\sforget|keep\sin\smind|note)\s(?:that|to)|make\ssure\s(?:you|to)|lessons?\slearned)\b",
    re.I,
)
"""Whoever says that something is to be remembered, or was left out, is heard."""
_LEAST_WORDS = 3
_MOST, _MOST_LISTED = 3, 12
"""Drafts of one prompt; an instruction list that somebody pastes has more."""


class ScoredSentence(NamedTuple):
    """A sentence that may become a draft."""

    at: int
    """Its number among `OwnWords.every`."""
    sentence: str
    """As it was typed."""
    chance: float
    """That a reviewer keeps it, 0–1."""
    form: str
    """Its form in one word: `standing`, or `fact`."""
    worded: wording.Wording


def ranked(own: words.OwnWords, position: int = 1) -> list[ScoredSentence]:
    """The candidates of a prompt, the likeliest first. `position` is its number in the session, from 1."""
    place = Place(len(own.every), position)
    scored = [
        _candidate(own, at, place)
        for at, sentence in enumerate(own.every)
        if sentence.text.count(" ") >= _LEAST_WORDS - 1 and not features.is_log(sentence.text)
    ]
    return sorted(scored, key=lambda candidate: (-candidate.chance, candidate.at))


def _candidate(own: words.OwnWords, at: int, place: Place) -> ScoredSentence:
    values, grams = features.of_sentence(own, at, place)
    model = linear_model.read(WEIGHTS)
    chance = round(linear_model.chance(model, linear_model.parts(model, values, grams)), 4)
    worded = wording.word(own, at)
    if _RULE.search(worded.statement):
        chance = max(chance, RULE_CHANCE)
    sentence = own.restore(own.every[at].text)
    if worded.statement and _SAID_SO.match(sentence):
        chance = max(chance, model.threshold)
    form = STANDING if STANDING in values else "fact"
    return ScoredSentence(at, sentence, chance, form, worded)


def chosen(own: words.OwnWords, candidates: list[ScoredSentence]) -> list[ScoredSentence]:
    """The candidates that become drafts: those above the floor, few of one prompt unless it is a list.

    One that needs words is chosen only where none has words, unless both stand in a list: beside a rule it is
    the complaint that led to it.
    """
    floor = linear_model.read(WEIGHTS).threshold
    worded = [each for each in candidates if each.worded.statement or own.every[each.at].listed]
    candidates = worded if worded and worded[0].chance >= floor else candidates
    drafts: list[ScoredSentence] = []
    covered: set[int] = set()
    free = 0
    for candidate in candidates:
        is_listed = own.every[candidate.at].listed
        if candidate.chance < floor or candidate.at in covered or len(drafts) >= _MOST_LISTED:
            continue
        if is_listed or free < _MOST:
            free += not is_listed
            drafts.append(candidate)
            covered.update(range(candidate.at, candidate.at + candidate.worded.sentences))
    return drafts
