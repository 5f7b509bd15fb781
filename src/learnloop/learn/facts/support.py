"""Whether a fact rests on what a person typed: half of its content words or more stand there. Pure."""

import re
from typing import NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.language.words import OwnWords

LEAST = 0.5
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W_]+(?:[._/+'-][^\W_]+)*|--?\w[\w-]*", re.U)
"""A word, or a sign of a script that puts no blanks between words."""
_FORM = re.compile(r"(?:ations?|ings?|ions?|ied|ies|ed|es|er|ly|s|e|y)$")
_SHORTEST = 3
_FRAME = (
    lexicon.COMMON
    | lexicon.FILLER
    | lexicon.listed("prefers avoid avoids avoided wants wanted liked likes dislike dislikes corrected over")
)
"""Words without a subject, and those that a model frames any fact with."""


class Support(NamedTuple):
    """The words of a prompt that a fact rests on."""

    at: int
    """The number of the sentence among `OwnWords.every` that has most of the fact's content words."""
    quote: str
    """Its literal characters."""
    said: str
    """All sentences that have any, one a line."""
    words: frozenset[str]
    """The fact's content words that stand in the prompt."""


def content_words(text: str) -> frozenset[str]:
    """The words that carry a text, without number and form; all of them where none has a subject."""
    every = _WORD.findall(text.lower())
    return frozenset(_base(word) for word in every if word not in _FRAME) or frozenset(map(_base, every))


def _base(word: str) -> str:
    if not word.isalpha():
        return word
    base = _FORM.sub("", word)
    base = base if len(base) >= _SHORTEST else word
    is_doubled = len(base) > _SHORTEST and base[-1] == base[-2] and base != word
    return base[:-1] if is_doubled else base


def passage(fact: str, own: OwnWords) -> Support | None:
    """What a fact rests on in a prompt; None where they have no content word in common."""
    sought = content_words(fact)
    shared = [content_words(own.restore(sentence.text)) & sought for sentence in own.every]
    at = max(range(len(shared)), key=lambda place: (len(shared[place]), -place), default=0)
    if not any(shared):
        return None
    said = "\n".join(own.passage(place) for place, words in enumerate(shared) if words)
    return Support(at, own.passage(at), said, frozenset().union(*shared))


def is_supported(fact: str, said: str) -> bool:
    """Whether at least half of a fact's content words stand in what was typed."""
    words = content_words(fact)
    return bool(words) and len(words & content_words(said)) >= LEAST * len(words)
