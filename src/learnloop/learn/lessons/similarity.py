"""Whether two statements say the same, and whether a text says something already.

Similarity is the Jaccard index of the word 3-grams of the normalised statements; from `fingerprint.NEAR` on
(0.6) they say the same, unless only one of them denies.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from learnloop.learn.lessons import fingerprint

_ITEM = re.compile(r"^\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+")
_BREAK = re.compile(r"(?<=[.!?;:])\s+")
_KEPT_TEXTS = 1024
_KEPT_SENTENCES = 4096


def similarity(one: str, other: str) -> float:
    """The share of word 3-grams in common, 0–1; 0 where one denies and the other does not."""
    return _alike(_features(one), _features(other))


def is_same(one: str, other: str) -> bool:
    """Whether two statements say the same."""
    return similarity(one, other) >= fingerprint.NEAR


def find_restatement(statement: str, text: str) -> str | None:
    """The sentence or line of a text that says a statement already, or None."""
    wanted = _features(statement)
    grams, said = _said(text)
    if wanted[0].isdisjoint(grams):
        return None
    return next((one for one, features in said if _alike(wanted, features) >= fingerprint.NEAR), None)


_Features = tuple[frozenset[fingerprint.Gram], bool]


@lru_cache(maxsize=_KEPT_SENTENCES)
def _features(statement: str) -> _Features:
    normal = fingerprint.normalise(statement)
    return fingerprint.grams(normal), fingerprint.denies(normal)


def _alike(one: _Features, other: _Features) -> float:
    if one[1] != other[1] or not one[0] or not other[0]:
        return 0.0
    shared = len(one[0] & other[0])
    return shared / (len(one[0]) + len(other[0]) - shared)


@lru_cache(maxsize=_KEPT_TEXTS)
def _said(text: str) -> tuple[frozenset[fingerprint.Gram], tuple[tuple[str, _Features], ...]]:
    """All 3-grams of a text, and its sentences with theirs; kept, because many statements ask of one text."""
    said = tuple((one, _features(one)) for one in dict.fromkeys(_sentences(text)))
    return frozenset().union(*(features[0] for _, features in said)), said


def _sentences(text: str) -> Iterator[str]:
    for paragraph in _paragraphs(text):
        yield paragraph
        parts = _BREAK.split(paragraph)
        if len(parts) > 1:
            yield from (part for part in parts if part)


def _paragraphs(text: str) -> Iterator[str]:
    """Lines that belong together, joined: a wrapped paragraph or list item is one."""
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
