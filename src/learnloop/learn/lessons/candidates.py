"""Candidates: sentences of a prompt that may carry a lesson, with the chance that a reviewer keeps them."""

import re
from collections.abc import Collection
from typing import NamedTuple

from learnloop.learn.language import omissions, wording, words
from learnloop.learn.lessons import keep_chance

LEAST_SIGHTING = 0.15
"""With a smaller chance not even a repetition makes a draft: `still the same error`."""
_LEAST_WORDS = 3
_MOST, _MOST_LISTED = 3, 12
"""Drafts of one prompt; an instruction list that somebody pastes has more."""
_FORMS = (
    ("record", ("record", "rule file")),
    ("standing", ("always", "never", "from now on", "in general", "remember")),
    ("choice", ("instead", "this not that", "use", "foreign order")),
    ("prohibition", ("do not", "no more", "not wanted", "should not")),
    ("approval", ("approval",)),
    ("reproach", ("why did you", "you did not", "you did", "i told you")),
    ("obligation", ("should", "must", "make sure")),
    ("wish", ("i want", "wants you", "prefer")),
)  # fmt: skip
FIRM = ("standing", "record")
"""Forms that no other sentence of the prompt makes less likely."""
RULE_CHANCE = 0.85
"""The least chance of a sentence that orders something for always or never. Hardly anybody types one that is
no rule: of those in the development prompts readers keep all."""
_RULE = re.compile(
    r"^(?:always|never)\s(?!mind\b|ever\b|an?\b|the\b|any\b|seen\b|been\b|had\b|heard\b|got\b|again\b|\w+ed\b|\w+s\b)"
    r"|\b(?:should|must)\s(?:always|never)\s",
    re.I,
)
_CAUTION = re.compile(
    r"^\W*(?:please )?(?:be (?:very )?careful|careful|beware|watch out)\b.*"
    r"\b(?:can|could|may|might|will|deletes?|drops?|removes?|wipes?|truncates?|overwrites?)\b",
    re.I,
)


class ScoredSentence(NamedTuple):
    """A sentence that may become a draft."""

    at: int
    """Its number among `OwnWords.every`."""
    sentence: str
    """As it was typed."""
    chance: float
    """That a reviewer keeps it, 0–1."""
    form: str
    """Its form in one word: its drafts are counted and muted by it."""
    worded: wording.Wording


def ranked(own: words.OwnWords, place: keep_chance.Place) -> list[ScoredSentence]:
    """The candidates of a prompt, the likeliest first."""
    scored = [
        _candidate(own, at, place)
        for at, sentence in enumerate(own.every)
        if sentence.text.count(" ") >= _LEAST_WORDS - 1
    ]
    return sorted(scored, key=lambda candidate: (-candidate.chance, candidate.at))


def _candidate(own: words.OwnWords, at: int, place: keep_chance.Place) -> ScoredSentence:
    worded = wording.word(own, at)
    values, grams = keep_chance.features(own, at, place, worded)
    form = form_of(values)
    chance = keep_chance.chance(values, grams)
    sentence = own.restore(own.every[at].text)
    is_omission = place.category == "correction" and omissions.blames(sentence)
    is_recognised = "decides" in values and (place.is_certain or is_omission)
    if is_recognised or _CAUTION.search(sentence):
        chance = max(chance, keep_chance.weights().threshold)
    if _RULE.search(worded.statement):
        chance = max(chance, RULE_CHANCE)
    return ScoredSentence(at, sentence, chance, form, worded)


def form_of(values: Collection[str]) -> str:
    """The form of a sentence in one word, by its signs."""
    return next((form for form, cues in _FORMS if any(cue in values for cue in cues)), "fact")


def chosen(own: words.OwnWords, candidates: list[ScoredSentence]) -> list[ScoredSentence]:
    """The candidates that become drafts: those above the floor, few of one prompt unless it is a list."""
    floor, further = keep_chance.weights().threshold, keep_chance.weights().further
    drafts: list[ScoredSentence] = []
    covered: set[int] = set()
    free = 0
    for candidate in candidates:
        is_listed = own.every[candidate.at].listed
        is_further = free > 0 and not is_listed and candidate.form not in FIRM
        least = floor + further * is_further
        if candidate.chance < least or candidate.at in covered or len(drafts) >= _MOST_LISTED:
            continue
        if not is_listed and free >= _MOST:
            continue
        free += not is_listed
        drafts.append(candidate)
        covered.update(range(candidate.at, candidate.at + candidate.worded.sentences))
    return drafts
