"""Fingerprints of lessons: the words of the statement without form and filler, and the scope."""

import hashlib
import re

from learnloop.learn.hear import openers
from learnloop.learn.language import lexicon

_WORD = re.compile(r"[^\W_]+(?:[._/+-][^\W_]+)*|--?[\w-]+", re.U)
Gram = tuple[str, ...]

_NOT = re.compile(r"\b(?:instead of|rather than|never|avoided|and not|does not|do not|no longer)\b|n't\b")

_SHORT = re.compile(r"'(?:s|re|ve|ll|d|m)\b")


def normalise(statement: str) -> str:
    """The content words in lower case, without plural endings, in order; every denial becomes `not`."""
    low = _SHORT.sub(" ", _NOT.sub(" not ", statement.lower()))
    return " ".join(_stem(word) for word in _WORD.findall(low) if word not in lexicon.FILLER)


def denies(normal: str) -> bool:
    """Whether a normalised statement denies something; it never equals one that does not."""
    return "not" in normal.split()


def _stem(word: str) -> str:
    if len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def fingerprint_of(statement: str, scope: str, project: str = "") -> str:
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


_FAULTS = frozenset(("forgot", "forgotten", "missed", "left", "broke", "touched", "stop", "keep"))
_UNIMPORTANT = (lexicon.FILLER | lexicon.TALKING) - _FAULTS


def remark_words(words: str) -> frozenset[str]:
    """The content words of a remark, without order."""
    return frozenset(word for word in normalise(openers.trimmed(words)).split() if word not in _UNIMPORTANT)


def remark_fingerprint(words: str, project: str = "") -> str:
    """The fingerprint of a remark that may recur, 16 hex digits."""
    text = " ".join(sorted(remark_words(words)))
    return hashlib.sha256(f"{text}\0{project}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
