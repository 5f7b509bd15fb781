"""What makes two lessons the same: the words of the statement without form and filler, and its scope."""

import hashlib
import re

from learnloop.learn import lexicon

_WORD = re.compile(r"[^\W_]+(?:[._/+-][^\W_]+)*|--?[\w-]+", re.U)
Gram = tuple[str, ...]

NEAR = 0.6
"""The share of 3-grams in common from which on two statements say the same."""


def normalise(statement: str) -> str:
    """The words that matter, lower-cased, without plural endings, in order."""
    return " ".join(_stem(word) for word in _WORD.findall(statement.lower()) if word not in lexicon.FILLER)


def _stem(word: str) -> str:
    if len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def of(statement: str, scope: str, project: str = "") -> str:
    """The fingerprint of a statement in its scope, 16 hex digits."""
    where = project if scope != "global" else ""
    text = f"{normalise(statement)}\0{'' if scope == 'global' else 'project'}\0{where}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def grams(normal: str) -> frozenset[Gram]:
    """The word 3-grams of a normalised statement; a shorter statement is one gram."""
    words = normal.split()
    if len(words) < 3:
        return frozenset((tuple(words),)) if words else frozenset()
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def is_near(shared: int, one: int, other: int) -> bool:
    """Whether two statements of so many grams share so many that they say the same."""
    return shared >= NEAR * (one + other - shared)


def loose(words: str, project: str = "") -> str:
    """The fingerprint of a remark that no statement was made of: its words whatever their order."""
    text = " ".join(sorted(set(normalise(words).split())))
    return hashlib.sha256(f"{text}\0{project}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
