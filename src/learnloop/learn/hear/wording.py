"""Words a lesson as the person put it: one sentence, or what belongs together, without what only opens it.

A model says whether a sentence can be told to somebody who reads nothing else. Where it cannot, as where it
only says what is wrong, there is no statement.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnloop.learn.hear import features
from learnloop.learn.hear.openers import trimmed as trimmed
from learnloop.learn.language import lexicon, linear_model
from learnloop.learn.language.words import OwnWords, own_words

LONGEST = 400
WEIGHTS = Path(__file__).with_name("alone_weights.json")
_CLEAR, _CLEAR_WITHOUT_VERB = 0.35, 0.65
"""The chance from which on a sentence is told: a complaint is likelier to have no verb."""
_FEWEST = 2


class Wording(NamedTuple):
    """What a sentence says that is to be remembered."""

    statement: str
    """In the person's words; empty where none stand alone."""
    sentences: int = 1
    """How many sentences of `OwnWords.every` it takes."""
    example: str = ""
    """The code block that directly follows it."""


def word(own: OwnWords, at: int) -> Wording:
    """The statement of the sentence at `own.every[at]`, with what follows where both belong together."""
    for text, count in _cuts(own, at):
        statement = as_sentence(own.restore(trimmed(text)))
        if len(statement) <= LONGEST and stands_alone(text, asks=own.every[at].asks):
            return Wording(statement, count, own.example(at + count - 1))
    return Wording("")


def make(text: str) -> str:
    """The statement of the first sentence of a text that has one; empty where none has."""
    own = own_words(text)
    statements = (word(own, at).statement for at in range(len(own.every)))
    return next(filter(None, statements), "")


def stands_alone(text: str, *, asks: bool = False) -> bool:
    """Whether a sentence can be told as it is: neither a complaint nor about what it does not say."""
    if len(trimmed(text).split()) < _FEWEST or not _is_whole(text):
        return False
    model = linear_model.read(WEIGHTS)
    chance = linear_model.chance(model, linear_model.parts(model, *features.of_words(text, asks=asks)))
    return chance >= (_CLEAR if _has_verb(trimmed(text)) else _CLEAR_WITHOUT_VERB)


def _is_whole(text: str) -> bool:
    pairs = all(text.count(first) == text.count(last) for first, last in ("()", "[]", "{}", "“”"))
    return pairs and all(text.count(mark) % 2 == 0 for mark in '"`')


_ORDERS = (
    lexicon.PLAIN_ORDERS
    | lexicon.REGULAR_VERBS
    | lexicon.DOUBLING_VERBS
    | lexicon.listed(
        """be begin bind break bring build choose come count cut decide do don't draw find get give go have
        hold keep know learn leave let make mean pay prefer put read say see sell send set speak spend split
        spread stand stick take talk teach tell think throw treat undo write avoid stop quit only"""
    )
)
_ADVERBS = lexicon.listed("always never please also just only first")
_FINITE = lexicon.MODAL | lexicon.listed(
    """is are be has have do does don't doesn't isn't aren't need needs needn't shall use uses live lives go
    goes run runs belongs must soll sollen muss müssen ist sind est sont doit es son debe deben we i want
    prefer"""
)


def orders(text: str) -> bool:
    """Whether trimmed words begin with what is to be done."""
    spoken = [word.strip(",.:;") for word in text.lower().split()[:3]]
    return next((word for word in spoken if word not in _ADVERBS), "") in _ORDERS


def _has_verb(text: str) -> bool:
    return orders(text) or not _FINITE.isdisjoint(text.lower().split())


_DASHES = ("-", "--", "–", "—", ";")
_MOST_PARTS = 4
_ALTERNATIVE = re.compile(r"^(?:use|instead|just|rather|only|prefer|not)\b|\binstead$", re.I)
_REASON = re.compile(r"^(?:because|otherwise|since|that\sway|so\sthat)\b[^,]*$", re.I)
_FORBIDS = re.compile(r"\b(?:don't|do not|never|stop|avoid|no|not|shouldn't|mustn't)\b", re.I)
_CLAUSE = re.compile(r"\s*[,;:…]\s*(?:and\s|but\s|so\s|then\s)?")
_LEFT_OUT = re.compile(
    r"(?:but\s|and\s|again\s)?(?:you|we)\s(?:again\s|also\s)*(?:forgot\sto|didn't|did\snot|need\sto|have\sto)\s",
    re.I,
)
"""What stands before the order that was not followed: `you forgot to update the docs`."""
_OPENS_ORDER = re.compile(r"^(?:always|never|please|don't|do not|use)\b", re.I)


def _cuts(own: OwnWords, at: int) -> Iterator[tuple[str, int]]:
    """What may be the statement, best first: with what follows, alone, an order in it."""
    parts, whole = 1, own.every[at].text
    while parts < _MOST_PARTS and own.gap(at + parts - 1).strip(" ") in _DASHES:
        parts += 1
    for count in range(parts, 1, -1):
        if stands_alone(whole):
            yield _joined(own, at, count), count
    if _belongs(own, at):
        yield f"{as_sentence(whole)} {as_sentence(trimmed(own.every[at + 1].text))}", 2
    if (left_out := _LEFT_OUT.match(whole)) and orders(whole[left_out.end() :]):
        yield whole[left_out.end() :], 1
    if not whole.endswith(":") or own.example(at):
        yield whole, 1
    for mark in _CLAUSE.finditer(whole):
        if _OPENS_ORDER.match(whole[mark.end() :]):
            yield whole[mark.end() :], 1


def _joined(own: OwnWords, at: int, count: int) -> str:
    parts = [own.every[at].text]
    for place in range(at + 1, at + count):
        parts += [own.gap(place - 1), own.every[place].text]
    return "".join(parts)


def _belongs(own: OwnWords, at: int) -> bool:
    """Whether the next sentence gives the alternative to what this one forbids, or its reason."""
    if at + 1 >= len(own.every) or "\n" in own.gap(at) or own.every[at + 1].asks:
        return False
    following = own.every[at + 1].text
    instead = _ALTERNATIVE.search(trimmed(following))
    return bool((instead and _FORBIDS.search(own.every[at].text)) or _REASON.match(following))


_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?(?=[\s,:;!-]|\.(?:\s|$)|$)")
_VERBS_TOO = {"make", "go", "black", "just"}


def as_sentence(text: str) -> str:
    """A sentence with a capital, unless it begins with a name or code, and with a full stop."""
    first = _PLAIN_WORD.match(text)
    if first and first[0].islower() and first[0] not in lexicon.PROGRAMS - _VERBS_TOO:
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."
