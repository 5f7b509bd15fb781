"""The one measure of whether two texts say the same, and whether a text contains a statement already.

Texts are compared by their meanings (`meaning.py`): a logistic regression over three figures of a pair, such
as the cosine of stems and letter trigrams, and whether each has an act of its own. `make similarity`
trains it.
What one asks for and the other rules out is never the same.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from learnloop.learn.lessons import meaning
from learnloop.learn.lessons.meaning import Meaning

SAME = 0.73
"""From this similarity on two texts say the same."""
_ALIKE = 0.6
"""Terms with this cosine of their trigrams, or more, count as alike in part: format and formatter."""
_OWN = 0.6
"""A text whose own terms weigh as much names something that the other does not."""
OPPOSITE = 0.5
"""Two texts say the opposite where this share of what they share has opposite signs."""
NEAR = 0.5
"""Texts with a smaller cosine never say the same, however many words a long one shares."""
_LEAST_SHARED = 0.3
"""Texts whose cosine without alike terms is less are not compared."""
_ITEM = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+")
_BREAK = re.compile(r"(?<=[.!?;:])\s+")
_KEPT_TEXTS = 256


class PairFigures(NamedTuple):
    """What is measured of a pair of texts."""

    cosine: float
    """Of their weighted terms, alike ones counted in part."""
    shared: float
    """The weight of the terms in common, 1 for four distinctive ones."""
    both_own: float
    """1 where each has terms of its own: another act, place or thing."""


WEIGHTS = PairFigures(cosine=2.16, shared=5.14, both_own=-2.44)
BIAS = -2.41
_SAME_LOGIT = math.log(SAME / (1 - SAME))


def similarity(first: str, second: str) -> float:
    """How nearly two texts say the same, 0–1."""
    return score(meaning.read(first), meaning.read(second))


def says_the_same(first: str, second: str) -> bool:
    """Whether two texts say the same."""
    return similarity(first, second) >= SAME


def score(first: Meaning, second: Meaning) -> float:
    """How nearly two meanings are the same, 0–1."""
    if not first.signs or not second.signs or _exclude(first, second):
        return 0.0
    if first.signs == second.signs:
        return 1.0
    pair = figures(first, second)
    if pair.cosine < NEAR:
        return 0.0
    parts = zip(WEIGHTS, pair, strict=True)
    return 1 / (1 + math.exp(-BIAS - math.fsum(weight * value for weight, value in parts)))


def are_same(first: Meaning, second: Meaning) -> bool:
    """Whether two meanings are the same; most pairs share too little for it, which is soon seen."""
    shared = _weight(first.signs.keys() & second.signs.keys())
    norm = math.sqrt(_weight(first.signs) * _weight(second.signs))
    most_alike = (_weight(first.signs) + _weight(second.signs)) / 2
    best = BIAS + WEIGHTS.shared * min(shared, 4) / 4 + WEIGHTS.cosine * most_alike / (norm or 1.0)
    return best >= _SAME_LOGIT and score(first, second) >= SAME


def _exclude(first: Meaning, second: Meaning) -> bool:
    return opposition(first, second) >= OPPOSITE or are_rivals(first, second)


def opposition(first: Meaning, second: Meaning) -> float:
    """The share of what two meanings have in common that one asks for and the other rules out, by weight."""
    shared = first.signs.keys() & second.signs.keys()
    clashing = _weight(term for term in shared if first.signs[term] * second.signs[term] < 0)
    return clashing / (_weight(shared) or 1.0)


def figures(first: Meaning, second: Meaning) -> PairFigures:
    """The figures of two meanings, the same both ways."""
    shared = _weight(sorted(first.signs.keys() & second.signs.keys()))
    sides = _own(first, second), _own(second, first)
    alike = [meaning.weight(term) * near for own in sides for term, near in own.items()]
    norm = math.sqrt(_weight(first.signs) * _weight(second.signs)) or 1.0
    less = min(math.fsum(meaning.weight(term) * (1 - near) for term, near in own.items()) for own in sides)
    return PairFigures(
        cosine=(shared + math.fsum(alike) / 2) / norm,
        shared=min(shared, 4) / 4,
        both_own=float(less >= _OWN),
    )


def are_rivals(first: Meaning, second: Meaning) -> bool:
    """Whether both ask for, or rule out, other things of one purpose: tabs and spaces, 2 and 4."""
    sides = _rivals(first, second), _rivals(second, first)
    return any(not sides[0][sign].isdisjoint(sides[1][sign]) for sign in (1, -1))


def _rivals(first: Meaning, second: Meaning) -> Mapping[int, set[str]]:
    """By sign the purposes of what only the first names; what is spoken of counts as asked for."""
    purposes: dict[int, set[str]] = {1: set(), -1: set()}
    for term in first.signs.keys() - second.signs.keys():
        if purpose := meaning.purpose_of(term):
            purposes[-1 if first.signs[term] < 0 else 1].add(purpose)
    return purposes


def _own(first: Meaning, second: Meaning) -> dict[str, float]:
    """The terms that only the first has, with the nearness of the second's nearest term if that is alike."""
    return {term: _alike_in(second, term) for term in sorted(first.signs.keys() - second.signs.keys())}


def _alike_in(read: Meaning, term: str) -> float:
    near = max((_nearness(*sorted((term, other))) for other in read.signs), default=0.0)
    return near if near >= _ALIKE else 0.0


def _weight(terms: Iterable[str]) -> float:
    return math.fsum(map(meaning.weight, terms))


@lru_cache(maxsize=65_536)
def _nearness(first: str, second: str) -> float:
    """The cosine of the trigrams of two terms."""
    left, right = _trigrams(first), _trigrams(second)
    return len(left & right) / math.sqrt(len(left) * len(right))


@lru_cache(maxsize=16_384)
def _trigrams(term: str) -> frozenset[str]:
    framed = f" {term} "
    return frozenset(framed[at : at + 3] for at in range(len(framed) - 2))


class MeaningIndex:
    """Meanings by their terms, so that one is not compared with each."""

    def __init__(self) -> None:
        self._meanings: dict[str, Meaning] = {}
        self._weights: dict[str, float] = {}
        self._keys_of: dict[str, dict[str, None]] = {}

    def add(self, key: str, read: Meaning) -> None:
        """Add a meaning under a key, or replace the one that it had."""
        before = self._meanings.get(key)
        for term in before.signs if before else ():
            del self._keys_of[term][key]
        self._meanings[key], self._weights[key] = read, _weight(read.signs)
        for term in read.signs:
            self._keys_of.setdefault(term, {})[key] = None

    def nearest(self, read: Meaning) -> list[tuple[float, str]]:
        """The keys of what says the same with its similarity, the most similar first."""
        shared: dict[str, float] = {}
        for term in read.signs:
            for key in self._keys_of.get(term, ()):
                shared[key] = shared.get(key, 0.0) + meaning.weight(term)
        least = _LEAST_SHARED**2 * _weight(read.signs)
        likely = (key for key, weight in shared.items() if weight**2 >= least * self._weights[key])
        scored = ((score(read, self._meanings[key]), key) for key in likely)
        return sorted((pair for pair in scored if pair[0] >= SAME), key=lambda pair: (-pair[0], pair[1]))


def find_restatement(statement: str, text: str) -> str | None:
    """The sentence or line of a text that says the same as a statement, or None."""
    nearest = _said_in(text).nearest(meaning.read(statement))
    return nearest[0][1] if nearest else None


@lru_cache(maxsize=_KEPT_TEXTS)
def _said_in(text: str) -> MeaningIndex:
    """The sentences of a text by what they say; kept, because many statements are compared to one text."""
    index = MeaningIndex()
    for whole in _paragraphs(text):
        for piece in dict.fromkeys((whole, *filter(None, _BREAK.split(whole)))):
            index.add(piece, meaning.read(piece))
    return index


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
