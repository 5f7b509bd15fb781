"""Words a lesson as the person put it: one sentence, or what belongs together, cut to its core. Pure.

The grammar of a sentence is never changed. Where no cut stands alone there is no statement.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from learnloop.learn.language import (
    complaints,
    imperatives,
    lexicon,
    omissions,
    openers,
    standing_alone,
    trimming,
)
from learnloop.learn.language.phrases import lowered, pattern
from learnloop.learn.language.words import OwnSentence, OwnWords, own_words

LONGEST = 400


class Wording(NamedTuple):
    """What a sentence says that is to be remembered."""

    statement: str
    """In the person's words; empty where none stand alone."""
    is_complaint: bool = False
    """It only says what is wrong."""
    sentences: int = 1
    """How many sentences of `OwnWords.every` it takes."""
    example: str = ""
    """The code block that directly follows it."""


def word(own: OwnWords, at: int) -> Wording:
    """The statement of the sentence at `own.every[at]`, with what follows where both belong together."""
    sentence = own.every[at]
    omitted = omissions.lasting_order(sentence.text)
    whole = trimming.trimmed(omitted or (_without_question(sentence) if sentence.asks else sentence.text))
    if at:
        whole = omissions.with_place(whole, own.every[at - 1].text)
    if omitted and _can_be_told(whole):
        return Wording(as_sentence(own.restore(whole)))
    if _is_question(sentence, whole):
        return Wording("", is_complaint=complaints.only_complains(whole))
    is_complaint = _complains(sentence.text, whole)
    for text, count in () if is_complaint else _cuts(own, at, whole):
        statement = as_sentence(own.restore(text))
        if len(statement) <= LONGEST and (_can_be_told(text) or _is_told_as_rule(sentence.text, text)):
            return Wording(statement, sentences=count, example=own.example(at + count - 1))
    clause = _last_order(whole)
    statement = as_sentence(own.restore(clause)) if clause else ""
    return Wording(statement, is_complaint=is_complaint and not clause)


def make(text: str) -> str:
    """The statement of the first sentence of a text that has one; empty where none has."""
    own = own_words(text)
    statements = (word(own, at).statement for at in range(len(own.every)))
    return next(filter(None, statements), "")


_ASKS_TO = pattern(
    r"""^(?:\W*\w+\W+){0,4}?(?:can|could|would|will)\s(?:you|u)\b|^(?:(?:so|ok|and),?\s)?(?:i\sthink
    |i\sthought\swe\s(?:wanted|agreed|decided)|(?:it\s)?(?:looks|seems))\b"""
)
_ASKS_ABOUT = pattern(r"^(?:tell|see|think\sof|know|mean|be|have|explain\swhy)\b")
_TAG = pattern(r"[,.…]\s*(?:yes|no|right|yeah|ok(?:ay)?|wth|huh|correct|y|please)$")


def _is_question(sentence: OwnSentence, whole: str) -> bool:
    if not sentence.asks or imperatives.is_order(whole) or _TAG.search(lowered(sentence.text)):
        return False
    return not _ASKS_TO.match(lowered(sentence.text)) or _ASKS_ABOUT.match(lowered(whole)) is not None


_LAST_QUESTION = pattern(
    r"""(?:\.\.\.+|[,;])\s*(?:but\s|and\s|or\s)?«is are do does can could should did would any anything why
    what how»\s
    «it that there we you i a the this else ideas? they not missing»\b.*$"""
)


def _without_question(sentence: OwnSentence) -> str:
    """The sentence without the question at its end, if it begins with an order."""
    question = _LAST_QUESTION.search(lowered(sentence.text))
    left = sentence.text[: question.start()] if question else ""
    return left if imperatives.is_order(trimming.trimmed(left)) else sentence.text


_CONTRADICTION = pattern(r"^\W*(?:no+|nope|nah|wrong|wait|hm+|ugh+|nein|non)\b[\s,.:!-]+")


def _complains(text: str, whole: str) -> bool:
    """Whether a sentence only says what is wrong; after a contradiction a bare report does as well."""
    contradicts = _CONTRADICTION.match(lowered(text)) is not None
    if not complaints.only_complains(whole, contradicts=contradicts):
        return False
    if openers.opens_a_rule(text) or _ASKED_FOR.search(lowered(text)):
        return complaints.blames(whole)
    is_later = openers.speaks_of_later(text)
    return complaints.only_complains(whole, contradicts=contradicts, is_later=is_later)


_WRITES_RULES = pattern(
    r"""^«write create add make update change edit improve review read look include put generate»\b.{0,60}?
    \b«rules? memory memories rulesets? instructions? guidelines? \S*claude\.md \S*agents\.md \S*\.mdc»\b"""
)
"""An order to write rules, not the rule itself."""


def _is_told_as_rule(sentence: str, text: str) -> bool:
    """Whether the words need no verb: `as a rule, no emojis`, `no emojis in commits from now on, please`."""
    is_long = len(text.split()) >= _FEWEST
    is_called = openers.speaks_of_later(sentence) or (is_long and openers.opens_a_rule(sentence))
    is_rule = is_called or _ASKED_FOR.search(lowered(sentence))
    stands = is_rule and standing_alone.stands(text, is_rule=True)
    return bool(stands) and _WRITES_RULES.match(lowered(text)) is None


_ASKED_FOR = pattern(r"""^\W*(?:«please pls bitte»\s)+«no kein\w*»\b|^\W*«no kein\w* pas sin»\b.*
    \s«please pls bitte s'il_\S+_pla[iî]t por_favor»\W*$
    |\bi\s(?:already\s|just\s)*«said suggested told_you»[\s:,]+«no kein\w*»\b""")
"""A denial that no complaint is: `no emojis please`, `I said no default exports`."""


def _can_be_told(text: str) -> bool:
    return standing_alone.stands(text) and _WRITES_RULES.match(lowered(text)) is None


_DASHES = ("-", "--", "–", "—", ";")
_MOST_PARTS = 4
_ALTERNATIVE = pattern(r"^(?:use|instead|just|always|rather|only|prefer|not)\b|\binstead$")
_REASON = pattern(r"^(?:because|otherwise|since|that\sway|so\sthat)\b[^,]*$|^otherwise\b")
_FORBIDS = pattern(r"\b«don't do_not never stop avoid no not shouldn't mustn't are_to»\b")


def _cuts(own: OwnWords, at: int, whole: str) -> Iterator[tuple[str, int]]:
    """What may be the statement, best first: with the parts after a dash, with an alternative, alone."""
    parts = 1
    while parts < _MOST_PARTS and own.gap(at + parts - 1).strip(" ") in _DASHES:
        parts += 1
    for count in range(parts, 1, -1):
        yield trimming.trimmed(_joined(own, at, count)), count
    if at and own.gap(at - 1).strip(" ") in _DASHES and not imperatives.is_order(whole):
        return
    if _belongs(own, at, whole):
        following = trimming.trimmed(own.every[at + 1].text)
        yield f"{as_sentence(whole)} {as_sentence(following)}", 2
    if not own.every[at].text.endswith(":") or own.example(at):
        yield whole, 1


def _joined(own: OwnWords, at: int, count: int) -> str:
    parts = [own.every[at].text]
    for place in range(at + 1, at + count):
        parts += [own.gap(place - 1), own.every[place].text]
    return "".join(parts)


def _belongs(own: OwnWords, at: int, whole: str) -> bool:
    """Whether the next sentence gives the alternative to what this one forbids, or its reason."""
    if at + 1 >= len(own.every) or "\n" in own.gap(at) or own.every[at + 1].asks:
        return False
    following = own.every[at + 1].text
    instead = _ALTERNATIVE.search(lowered(trimming.trimmed(following)))
    return bool((instead and _FORBIDS.search(lowered(whole))) or _REASON.match(lowered(following)))


_MARK = re.compile(
    r"\s*[,;:…]\s*(?:and\s|but\s|so\s|then\s)?|\.\.\.+\s*(?:so\s|but\s)?|\sso\s(?=don't|do not|never|use)"
)
_FEWEST = 3
_PAIR = pattern(r"\S+\s(?:and|or)\s\S+$")
"""Two words of a list: `sync, run and watch`."""
_PROHIBITS = pattern(r"«don't do_not never no stop avoid»\b")


def _last_order(whole: str) -> str:
    """The clause at the end that says what to do, after one that complains or does not stand alone."""
    is_bound = imperatives.opens_with_condition(whole) or _PROHIBITS.match(lowered(whole))
    for mark in () if is_bound else _MARK.finditer(whole):
        clause = trimming.trimmed(whole[mark.end() :])
        is_long = len(clause.split()) >= _FEWEST
        if (
            is_long
            and not _PAIR.match(lowered(clause))
            and imperatives.is_order(clause)
            and _can_be_told(clause)
        ):
            return clause
    return ""


_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?(?=[\s,:;!-]|\.(?:\s|$)|$)")
_VERBS_TOO = {"make", "go", "black", "just"}


def as_sentence(text: str) -> str:
    """A sentence with a capital, unless it begins with a name or code, and with a full stop."""
    first = _PLAIN_WORD.match(text)
    if first and first[0].islower() and first[0] not in lexicon.PROGRAMS - _VERBS_TOO:
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."
