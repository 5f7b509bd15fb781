"""Tells whether a remark repeats a lesson: `no, I said pnpm! why do you still use npm?`."""

import re
from functools import lru_cache
from itertools import islice

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import meaning, similarity

_SIGN = re.compile(
    r"""\bi(?:'ve|\shave)?\s(?:(?:already|just|specifically|clearly|explicitly)\s)*(?:said|told|asked|mentioned|explained|reminded)\b
    |\bi\skeep\s(?:saying|telling|asking|repeating|reminding)\b|\b(?:as|like)\si\s(?:said|told|asked)\b
    |\bhow\s(?:many\stimes|often)\b|\b(?:second|third|fourth|fifth|nth|hundredth|\d+(?:nd|rd|th))\stime\b|\bdidn't\si\s(?:say|tell|ask)\b
    |\byou\s(?:(?:have|are|were|did|just|always|constantly)\s)?(?:again|still|keep|kept|continue)\b
    |\b(?:do|are|did|have|why|and|but)\s(?:you\s)?still\s(?:us|do|mak|add|writ|put|creat|commit|push|runn?|call|import|log)\w*
    |\byou\b[^.!?;]{1,120}?\s(?:again|once\smore|every\stime)\b|^\W*(?:once\s)?again\b|\bnot\sagain\b|\bonce\sagain\b|\byet\sagain\b
    |\bwe\s(?:already\s)?(?:agreed|decided|talked\sabout|discussed|went\sover)\b|\byou\s(?:promised|know\sthat|were\stold)\b
    |\b(?:ich\s(?:habe?|hab's)\s(?:doch\s|dir\s|schon\s|es\s)*.{0,60}gesagt|schon\swieder|immer\snoch|je\s(?:l'ai|t'ai)\sd[ée]j[àa]\sdit
    |encore\sune\sfois|ya\s(?:te\s)?(?:lo\s)?dije|otra\svez)\b""",
    re.I | re.X,
)
"""Says that the same was said before. A mere `still` or `again` may be about a fault that has come back."""
_REJECTED = re.compile(
    r"\b(?:not|never|instead\sof|rather\sthan|(?:don't|do\snot|stop|avoid|no\smore)(?:\sus(?:e|ing))?)\s([^,;.!?]{1,80})",
    re.I,
)
_ORDERED = re.compile(
    r"\b(?:i\s(?:already\s|just\s)?said|told\syou(?:\sto)?|asked(?:\syou)?\s(?:to|for))[\s:]+(?:use\s)?([^,;.!?]{1,80})",
    re.I,
)
_LONGEST = 1000
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_MOST_SENTENCES = 12
_BRIEF = 80
_FAULT = re.compile(
    r"\b(?:errors?|broken?|fail\w*|pass\w*|work(?:s|ing|ed)?|bugs?|crash\w*|same|nothing|outputs?|results?|tests?)\b",
    re.I,
)
"""Speaks of what came out, not of how it was done."""
_RULES = lexicon.words("repeats.rules")
_REPROACH = re.compile(r"^\W*(?:no|not|stop|seriously|ugh|why)\b|\b(?:again|still)\b|\?\?", re.I)
_STEM = 4
_ORDINARY = (
    lexicon.COMMON | lexicon.TALKING | lexicon.FOREIGN | lexicon.GENERIC | lexicon.PLAIN_ACTS | lexicon.FILLER
)
_EXTENSION = re.compile(r"\.[a-z]{1,5}$")


def repeats(remark: str, statement: str) -> bool:
    """Whether a remark says a lesson's statement again: it has a sign of it and names the same things."""
    if not is_said_again(remark):
        return False
    text = remark[:_LONGEST].replace("’", "'")
    if _wants_the_opposite(text, statement):
        return False
    names, others = _names(statement), _names(text)
    shared = names & others
    if not shared:
        return False
    is_name = any(word in lexicon.PROGRAMS or not word.isalpha() for word in shared)
    return is_name or 2 * len(shared) >= min(len(names), len(others))


@lru_cache(maxsize=64)
def is_said_again(remark: str) -> bool:
    """Whether a remark says that the same was said before."""
    return _SIGN.search(remark[:_LONGEST].replace("’", "'")) is not None


def restates(remark: str, statement: str) -> bool:
    """Whether a sentence of a remark says the same as a statement."""
    sentences = (part for part in _SENTENCE.split(remark[:_LONGEST]) if part.strip())
    return any(similarity.says_the_same(part, statement) for part in islice(sentences, _MOST_SENTENCES))


def may_be_about(remark: str, statement: str) -> bool:
    """Whether a complaint about a turn in which a lesson was broken may be about just that.

    It is if most of what it names is named by the lesson, or if it is brief, names nothing and is about what
    was done, not about a fault in the result.
    """
    names = _distinctive(remark[:_LONGEST]) - _RULES
    if names:
        return _share(names, _things(statement)) >= 0.5
    others = _words(remark[:_LONGEST]) - _words(statement) - _RULES
    is_general = lexicon.GENERIC.isdisjoint(others)
    return is_general and len(remark) <= _BRIEF and _FAULT.search(remark) is None


def reminds(remark: str, statement: str) -> bool:
    """Whether a brief remark after such a turn, of which no rule says that it complains, does so.

    `why not pnpm?` and `npm again` do, `now run npm test` does not.
    """
    names, things = _distinctive(remark), _things(statement)
    if len(remark) > _BRIEF or not names or _share(names, things) < 0.5:
        return False
    rejected = frozenset().union(*(_names(part) for part in _REJECTED.findall(statement)))
    return _share(names, things - rejected) > 0 or _REPROACH.search(remark) is not None


def _things(statement: str) -> frozenset[str]:
    """What a statement names, and what it is: of pnpm a package manager."""
    purposes = filter(None, map(meaning.purpose_of, meaning.read(statement).signs))
    return _distinctive(statement) | _words(" ".join(purposes))


def _share(names: frozenset[str], things: frozenset[str]) -> float:
    """The share of names that are among some things, in any form of 4 letters or more."""
    shared = sum(
        any(name == thing or (len(thing) >= _STEM and name.startswith(thing)) for thing in things)
        for name in names
    )
    return shared / len(names)


def handles(remark: str) -> list[str]:
    """The distinctive words of a remark that says something again; empty of any other remark."""
    return sorted(_names(remark[:_LONGEST].replace("’", "'"))) if is_said_again(remark) else []


def _wants_the_opposite(remark: str, statement: str) -> bool:
    """Whether a remark asks for what the statement rules out."""
    ordered = _ORDERED.search(remark)
    if ordered is None or _REJECTED.match(ordered[1]):
        return False
    rejected = frozenset().union(*(_names(part) for part in _REJECTED.findall(statement)))
    asked_for = _names(ordered[1])
    return bool(asked_for & rejected) and not asked_for & (_names(statement) - rejected)


def _names(text: str) -> frozenset[str]:
    """The distinctive words of a text, files without extension; of an ordinary text its content words."""
    return _distinctive(text) or frozenset(_words(text) - lexicon.TALKING - lexicon.FILLER)


@lru_cache(maxsize=1024)
def _distinctive(text: str) -> frozenset[str]:
    return frozenset(word for word in _words(text) if len(word) > 1 and word not in _ORDINARY)


def _words(text: str) -> set[str]:
    return {_EXTENSION.sub("", word) for word in meaning.normalise(text).split() if word != "not"}
