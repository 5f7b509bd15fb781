"""Whether a fact rests on what a person typed, and which lessons are near it, by content words. Pure."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from learnloop.learn.language.words import OwnWords
from learnloop.learn.lessons import meaning

LEAST = 0.5
_NAME = re.compile(r"[\w@~./:+-]*[\w@~/+-]")
_TELLING = re.compile(r"[a-z0-9]{2}[._/:][a-z0-9]|[a-z0-9][._/:][a-z0-9]{2}|_|\d|[a-z][A-Z]")
"""What only a name has: of a file, a version, a host, code; `e.g.` is none."""
_ORDER = re.compile(
    r"^\W*(?:\w+\W+){0,2}?(?:use|run|put|keep|write|ask|add|prefer|commit|make)\b"
    r"|\b(?:always|never|must|from now on|make sure|(?:do|should|must|shall) not|(?:do|should)n['’]t"
    r"|stop|avoid|no more|immer|nie|toujours|jamais|siempre|nunca)\b",
    re.I,
)
_REPORT = re.compile(r"\?|\byou\b|\bwhy\b", re.I)
"""A question, or what the agent did: it names what is wrong without a negation."""


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
    """The terms that carry a text, in one form each."""
    parts = (text[at : at + meaning.LONGEST] for at in range(0, len(text), meaning.LONGEST))
    return frozenset(term for part in parts for term in meaning.read(part).signs)


def passage(fact: str, own: OwnWords) -> Support | None:
    """What a fact rests on in a prompt; None where they have no content word in common."""
    sought = content_words(fact)
    shared = [content_words(own.restore(sentence.text)) & sought for sentence in own.every]
    at = max(range(len(shared)), key=lambda place: (len(shared[place]), -place), default=0)
    if not any(shared):
        return None
    sentences = "\n".join(own.passage(place) for place, words in enumerate(shared) if words)
    return Support(at, own.passage(at), sentences, frozenset().union(*shared))


def is_supported(fact: str, typed: str) -> bool:
    """Whether at least half of a fact's content words stand in what was typed."""
    words = content_words(fact)
    return bool(words) and len(words & content_words(typed)) >= LEAST * len(words)


def strange_name(fact: str, given: str) -> str:
    """A name in a fact that stands nowhere in what was given: a file, a number, code; empty where all do."""
    names = (word for word in _NAME.findall(fact) if _TELLING.search(word))
    return next((word for word in names if not _is_named(word.casefold().strip("./:"), given.casefold())), "")


def _is_named(word: str, given: str) -> bool:
    """Whether a name was given: whole, without the s of a plural, or both sides of a slash."""
    return word.removesuffix("s") in given or all(part and part in given for part in word.split("/"))


def is_turned(fact: str, quote: str) -> bool:
    """Whether a fact asks for what an order rules out, or the other way round.

    Of 190 facts that a reader approved in part or whole, none is taken for that.
    """
    if _REPORT.search(quote) or not _ORDER.search(quote):
        return False
    here, there = meaning.read(fact).signs, meaning.read(quote).signs
    return sum(here[term] * there[term] for term in here.keys() & there.keys()) < 0


MOST = 40
"""Lessons that are given with one request, however many are known."""
_NEAR = 0.52
"""Two rules of one form about other things, as “don't add x” and “don't add y z”, have 0.5."""


def nearest(statements: Mapping[str, str], text: str) -> dict[str, str]:
    """Of statements by id those that share words with a text, the nearest first; rare words count more."""
    words_of = {key: content_words(statement) for key, statement in statements.items()}
    common = Counter(word for words in words_of.values() for word in words)
    sought = content_words(text)
    near = {
        key: sum(math.log(1 + len(statements) / common[word]) for word in shared) / math.sqrt(len(words))
        for key, words in words_of.items()
        if (shared := sorted(words & sought))
    }
    return {key: statements[key] for key in sorted(near, key=lambda key: (-near[key], key))[:MOST]}


def are_near(first: str, second: str) -> bool:
    """Whether two facts may say one thing: what they are about has a cosine of `_NEAR` or more."""
    left, right = content_words(first), content_words(second)
    return len(left & right) >= _NEAR * math.sqrt(len(left) * len(right)) > 0
