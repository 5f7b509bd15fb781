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
_FRAME = lexicon.listed(
    """prefer prefers preferred avoid avoids avoided want wants wanted like likes dislike dislikes use uses
    used always never corrected rather instead over"""
)
"""Words that a model frames any fact with."""


class Support(NamedTuple):
    """The words of a prompt that a fact rests on."""

    at: int
    """The number of its sentence among `OwnWords.every`."""
    quote: str
    """Its literal characters."""
    share: float
    """The share of the fact's content words that stand in the prompt."""


def content_words(text: str) -> frozenset[str]:
    """The words that carry a text, without number and form."""
    words = (word for word in _WORD.findall(text.lower()) if word not in lexicon.FILLER)
    return frozenset(_base(word) for word in words if word not in _FRAME) or frozenset(
        _base(word) for word in _WORD.findall(text.lower())
    )


def _base(word: str) -> str:
    if not word.isalpha():
        return word
    base = _FORM.sub("", word)
    base = base if len(base) >= _SHORTEST else word
    is_doubled = len(base) > _SHORTEST and base[-1] == base[-2] and base != word
    return base[:-1] if is_doubled else base


def passage(fact: str, own: OwnWords) -> Support | None:
    """The sentence of a prompt that a fact rests on most; None where the prompt lacks half of its words."""
    wanted_words = content_words(fact)
    by_sentence = [content_words(own.restore(sentence.text)) & wanted_words for sentence in own.every]
    share = len(frozenset().union(*by_sentence)) / len(wanted_words) if wanted_words else 0.0
    if not by_sentence or share < LEAST:
        return None
    at = max(range(len(by_sentence)), key=lambda place: (len(by_sentence[place]), -place))
    return Support(at, own.passage(at), share)
