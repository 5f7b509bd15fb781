"""Words a lesson as the person put it: one sentence, or two that belong together, cut to their core. Pure.

The grammar of a sentence is never changed. Where no cut stands alone there is no statement.
"""

import re
from typing import NamedTuple

from learnloop.learn.language import complaints, lexicon, omissions, standing_alone, trimming
from learnloop.learn.language.words import OwnSentence, OwnWords, own_words

LONGEST = 400


class Wording(NamedTuple):
    """What a sentence says that is to be remembered."""

    statement: str
    """One or two sentences in the person's words; empty where none stand alone."""
    is_complaint: bool = False
    """It only says what is wrong."""
    sentences: int = 1
    """How many sentences of `OwnWords.every` it takes."""
    example: str = ""
    """The code block that directly follows it."""


def word(own: OwnWords, at: int) -> Wording:
    """The statement of the sentence at `own.every[at]`, with the next one where both belong together."""
    sentence = own.every[at]
    omitted = omissions.lasting_order(sentence.text)
    whole = trimming.trimmed(omitted or sentence.text)
    is_rule = bool(omitted) or trimming.opens_a_rule(sentence.text)
    if not is_rule and complaints.only_complains(whole, contradicts=_contradicts(own, at)):
        return Wording("", is_complaint=True)
    if _is_question(sentence, whole) or not standing_alone.stands(own.restore(whole)):
        return Wording("")
    second, mark = _next_part(own, at, whole)
    statement = _finished(own.restore(whole), mark, own.restore(second))
    if len(statement) > LONGEST:
        return Wording("")
    count = 2 if second else 1
    return Wording(statement, sentences=count, example=own.example(at + count - 1))


def make(text: str) -> str:
    """The statement of the first sentence of a text that has one; empty where none has."""
    own = own_words(text)
    statements = (word(own, at).statement for at in range(len(own.every)))
    return next(filter(None, statements), "")


_ASKS_TO = re.compile(r"^(?:\W*\w+\W+){0,2}?(?:can|could|would|will)\s(?:you|u)\b", re.I)
_ASKS_ABOUT = re.compile(r"^(?:tell|explain|see|think|know|mean|be|have|give)\b", re.I)


def _is_question(sentence: OwnSentence, whole: str) -> bool:
    is_asked_to = _ASKS_TO.match(sentence.text) and not _ASKS_ABOUT.match(whole)
    return sentence.asks and not complaints.is_order(whole) and not is_asked_to


_CONTRADICTION = re.compile(r"^\W*(?:no+|nope|nah|wrong|wait|hm+|ugh+|nein|non)\b[\s,.:!-]+", re.I)


def _contradicts(own: OwnWords, at: int) -> bool:
    """Whether a sentence opens with a contradiction, so that a bare report in it is a complaint."""
    return _CONTRADICTION.match(own.every[at].text) is not None


_ALTERNATIVE = re.compile(r"^(?:use|instead|just|always|rather|only|prefer)\b|\binstead$", re.I)
_REASON = re.compile(r"^(?:because|otherwise|since|that\sway|so\sthat|it\sis|it's|they|it)\b", re.I)
_FORBIDS = re.compile(r"\b(?:don't|do\snot|never|stop|avoid|no|not|shouldn't|must\snot|mustn't)\b", re.I)


def _next_part(own: OwnWords, at: int, whole: str) -> tuple[str, str]:
    """The next sentence and the mark before it, where it gives the alternative or the reason."""
    gap = own.gap(at)
    if at + 1 >= len(own.every) or "\n" in gap or own.every[at + 1].asks:
        return "", ""
    following = own.every[at + 1].text.strip()
    bare = trimming.trimmed(following)
    mark = gap.strip()[:1]
    if _FORBIDS.search(whole) and _ALTERNATIVE.search(bare):
        return bare, mark
    if _REASON.match(following) and (mark or not re.match("it|they", following, re.I)):
        return following, mark
    return "", ""


def _finished(first: str, mark: str, second: str) -> str:
    """Both parts with a capital and a full stop each, or joined by the mark between them."""
    if not second:
        return _sentence(first)
    if mark and mark in ";-–—":
        return _sentence(f"{first}{'' if mark == ';' else ' '}{mark} {second}")
    return f"{_sentence(first)} {_sentence(second)}"


_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?(?=[\s,:;.!-]|$)")


def _sentence(text: str) -> str:
    """A sentence with a capital, unless it begins with a name or code, and with a full stop."""
    first = _PLAIN_WORD.match(text)
    if first and first[0].islower() and first[0] not in lexicon.PROGRAMS - {"make", "go", "black", "just"}:
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."
