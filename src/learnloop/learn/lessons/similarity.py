"""Compares statements: whether two say the same, and whether a text contains one already.

Similarity is the Jaccard index of the word 3-grams of the normalised statements. From `fingerprint.NEAR`
(0.6) on they say the same, unless only one of them denies something.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from learnloop.learn.lessons import fingerprint

_ITEM = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+")
_BREAK = re.compile(r"(?<=[.!?;:])\s+")
_KEPT_TEXTS = 1024
_KEPT_SENTENCES = 4096


def similarity(first: str, second: str) -> float:
    """The share of word 3-grams in common, 0–1; 0 if only one of them denies something."""
    return _alike(_features(first), _features(second))


def is_same(first: str, second: str) -> bool:
    """Whether two statements say the same."""
    return similarity(first, second) >= fingerprint.NEAR


def find_restatement(statement: str, text: str) -> str | None:
    """The sentence or line of a text that says the same as a statement, or None."""
    searched = _features(statement)
    grams, sentences = _sentence_features(text)
    if searched[0].isdisjoint(grams):
        return None
    return next(
        (sentence for sentence, features in sentences if _alike(searched, features) >= fingerprint.NEAR), None
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
