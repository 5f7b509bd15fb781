"""The one measure of whether two texts say the same, and whether a text contains a statement already.

Texts are compared by their meanings (`meaning.py`): the share of weighted terms in common, a habit that both
name counted as one heavy term. What one asks for and the other rules out is never the same.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from learnloop.learn.lessons import fingerprint, meaning
from learnloop.learn.lessons.meaning import Meaning

SAME = 0.65
"""From this similarity on two texts say the same."""
_HABIT = 3.0
"""The weight of a habit in common."""
_LEAST = 1.0
"""Texts that are not equal must have more than one distinctive word in common."""
_APART = 0.75
"""How much it counts that both texts have a distinctive word of their own."""
_LESSER, _LARGER = 0.5, 0.15
"""How much the other words of the two texts count where both name a habit."""
_OTHER_HABIT = 2.2
"""How much a habit counts that only one of them names."""
_MOST_OTHER = 3.6
"""A text with more other words is about something else than the habit that it names."""
_RESTATED = 0.6
"""A sentence that shares this much of its 3-grams with a statement, or more, contains it."""
_ITEM = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+")
_BREAK = re.compile(r"(?<=[.!?;:])\s+")
_KEPT_TEXTS = 1024
_KEPT_SENTENCES = 4096


def similarity(first: str, second: str) -> float:
    """How nearly two texts say the same, 0–1."""
    return score(meaning.read(first), meaning.read(second))


def says_the_same(first: str, second: str) -> bool:
    """Whether two texts say the same."""
    return similarity(first, second) >= SAME


def score(first: Meaning, second: Meaning) -> float:
    """How nearly two meanings are the same, 0–1."""
    habits = first.habits.keys() & second.habits.keys()
    if first.habits and second.habits and not habits:
        return 0.0
    named = frozenset().union(*(first.habits[name] | second.habits[name] for name in habits))
    shared = first.signs.keys() & second.signs.keys() - named
    conflict = sum(meaning.weight(term) for term in shared if first.signs[term] * second.signs[term] < 0)
    agreed = sum(map(meaning.weight, shared)) - conflict
    if (conflict and conflict >= agreed / 2) or are_rivals(first, second):
        return 0.0
    others = [_weight_of_others(first, second, named), _weight_of_others(second, first, named)]
    if habits:
        unshared = len(first.habits.keys() ^ second.habits.keys())
        extra = _LESSER * min(others) + _LARGER * max(others) + _OTHER_HABIT * unshared
        return (_HABIT + agreed) / (_HABIT + agreed + extra) if max(others) <= _MOST_OTHER else 0.0
    if first.signs and first.signs == second.signs and all(first.signs.values()):
        return 1.0
    # Of "ship the apples with a label" and "ship the pears with a label" each has a thing of its own.
    apart = _APART * min(1.0, *others)
    is_choice = max(others) == 0 and not first.wants.keys().isdisjoint(
        second.wants
    )  # pnpm, and pnpm instead of npm
    is_enough = is_choice or sum(min(meaning.weight(term), 1.0) for term in shared) > _LEAST
    extra = sum(others) / 2 + conflict + apart + bool(first.habits or second.habits)
    return agreed / (agreed + extra) if is_enough else 0.0


@lru_cache(maxsize=32_768)  # a console groups the same corrections again with each new one
def _score_of(first: str, second: str) -> float:
    return score(meaning.parse(first), meaning.parse(second))


def _weight_of_others(first: Meaning, second: Meaning, named: frozenset[str]) -> float:
    """The weight of the terms that only the first names, without the rivals of what both ask for."""
    purposes = first.wants.keys() & second.wants.keys()
    return sum(
        min(meaning.weight(term), 1.0)
        for term in first.signs.keys() - second.signs.keys() - named
        if meaning.purpose_of(term) not in purposes
    )


def are_rivals(first: Meaning, second: Meaning) -> bool:
    """Whether both ask for, or rule out, other things of one purpose: tabs and spaces, no npm and no yarn."""
    sides = (first.wants, second.wants), (first.rules_out, second.rules_out)
    return any(
        its.get(purpose, things).isdisjoint(things) for mine, its in sides for purpose, things in mine.items()
    )


class MeaningIndex:
    """Meanings by their habits and distinctive terms, so that one is not compared with each."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._keys_of: dict[str, dict[str, None]] = {}

    def add(self, key: str, read: Meaning) -> None:
        """Add a meaning under a key, or replace the one that it had."""
        before = self._entries.get(key)
        if before is not None and before.meaning == read:
            return
        for handle in before.meaning.handles if before else ():
            del self._keys_of[handle][key]
        self._entries[key] = _entry(read)
        for handle in read.handles:
            self._keys_of.setdefault(handle, {})[key] = None

    def nearest(self, read: Meaning) -> list[tuple[float, str]]:
        """The keys of what says the same with its similarity, the most similar first.

        Scores are bounded from above first: by the weight of the handles in common, endless for a habit.
        """
        this, entries = _entry(read), self._entries
        total, slight = this.total, this.slight
        shared: dict[str, float] = {}
        for handle in read.handles:
            heavy = math.inf if handle.startswith("@") else meaning.weight(handle)
            for key in self._keys_of.get(handle, ()):
                shared[key] = shared.get(key, 0.0) + heavy
        likely = [
            key
            for key, heavy in shared.items()
            if heavy + slight >= SAME * total / 2  # cheap: most are left out here
            and heavy + min(slight, entries[key].slight) >= SAME * (total + entries[key].total) / 2
        ]
        scored = ((_score_of(this.normal, entries[key].normal), key) for key in likely)
        return sorted((pair for pair in scored if pair[0] >= SAME), key=lambda pair: (-pair[0], pair[1]))


class _Entry(NamedTuple):
    meaning: Meaning
    total: float
    """The weight of the terms that compete with none: always counted where the other text lacks them."""
    slight: float
    """The weight of the terms that are no handles."""
    normal: str


def _entry(read: Meaning) -> _Entry:
    weights = [(term, min(meaning.weight(term), 1.0)) for term in read.signs]
    total = sum(weight for term, weight in weights if not meaning.purpose_of(term))
    return _Entry(read, total, sum(weight for _, weight in weights if weight < 1), read.normal)


def find_restatement(statement: str, text: str) -> str | None:
    """The sentence or line of a text that says the same as a statement, or None."""
    searched = _features(statement)
    grams, sentences = _sentence_features(text)
    if searched[0].isdisjoint(grams):
        return None
    return next(
        (sentence for sentence, features in sentences if _alike(searched, features) >= _RESTATED), None
    )


_Features = tuple[frozenset[fingerprint.Gram], bool]


@lru_cache(maxsize=_KEPT_SENTENCES)
def _features(statement: str) -> _Features:
    normal = fingerprint.normalise(statement)
    return fingerprint.grams(normal), fingerprint.denies(normal)


def _alike(first: _Features, second: _Features) -> float:
    if first[1] != second[1] or not first[0] or not second[0]:
        return 0.0
    shared = len(first[0] & second[0])
    return shared / (len(first[0]) + len(second[0]) - shared)


@lru_cache(maxsize=_KEPT_TEXTS)
def _sentence_features(text: str) -> tuple[frozenset[fingerprint.Gram], tuple[tuple[str, _Features], ...]]:
    """All 3-grams of a text, and its sentences with theirs; cached to compare many statements to one."""
    pieces = (piece for whole in _paragraphs(text) for piece in (whole, *filter(None, _BREAK.split(whole))))
    sentences = tuple((piece, _features(piece)) for piece in dict.fromkeys(pieces))
    return frozenset().union(*(features[0] for _, features in sentences)), sentences


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs and list items of a text, each with its wrapped lines joined."""
    gathered: list[str] = []
    for line in text.split("\n"):
        starts = _ITEM.match(line)
        if gathered and (starts or not line.strip()):
            yield " ".join(gathered)
            gathered = []
        words = (line[starts.end() :] if starts else line).strip()
        if words:
            gathered.append(words)
    if gathered:
        yield " ".join(gathered)
