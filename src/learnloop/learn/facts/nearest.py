"""The known lessons that are nearest in words to what is asked about. Pure."""

import math
import re
from collections import Counter
from collections.abc import Mapping

from learnloop.learn.facts.support import content_words

MOST = 40
"""Lessons that are given with one request, however many are known."""
_NEAR = 0.52
"""Two rules of one form about other things, as “don't add x” and “don't add y z”, have 0.5."""
_WORD = re.compile(r"[^\W_]{3,}|[\u3040-\u30ff\u4e00-\u9fff]")
_STEM = 5
"""Letters of a word that count, so that its other forms are the same word."""


def nearest(statements: Mapping[str, str], text: str) -> dict[str, str]:
    """Of statements by id those that share words with a text, the nearest first; rare words count more."""
    words_of = {key: _words(statement) for key, statement in statements.items()}
    common = Counter(word for words in words_of.values() for word in words)
    sought = _words(text)
    near = {
        key: sum(math.log(1 + len(statements) / common[word]) for word in shared) / math.sqrt(len(words))
        for key, words in words_of.items()
        if (shared := sorted(words & sought))
    }
    return {key: statements[key] for key in sorted(near, key=lambda key: (-near[key], key))[:MOST]}


def are_near(first: str, second: str) -> bool:
    """Whether two facts may say one thing: what they are about has a cosine of `_NEAR` or more."""
    one, other = content_words(first), content_words(second)
    return len(one & other) >= _NEAR * math.sqrt(len(one) * len(other)) > 0


def _words(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.casefold())}
