"""Recognises what a sentence instructs: this instead of that, always or never, an order, a prohibition. Pure.

Patterns look at a sentence without its opener (`clauses.strip_lead_in`); they know no grammar of verbs.
"""

import re

from learnloop.learn.language import clauses, lexicon

_USE = r"""(?:bitte\s|por\sfavor,?\s)?
(?:re-?use|using|use(?!\scases?\b)|go\swith|stick\s(?:to|with)|switch\sto|prefer
|nimm|be?nutze?|verwende?|utilise[rz]?|prends|usa|utiliza)"""
_NOT = r"(?:don't|dont|do\snot|never|stop|quit|avoid|no\smore|no\sneed\sto)"
_INSTEAD = r"""(?:instead\sof|rather\sthan|in\splace\sof|(?:an)?statt|anstelle
|au\slieu\sde|plut[ôo]t\sque|en\s(?:lugar|vez)\sde)"""
_SWAP = re.compile(
    rf"""{_USE}\s[^;]{{1,120}}?(?:,?\s{_INSTEAD}|,?\s(?:and\s)?not|\sover|,\s(?:and\s)?never)\s\S
    |{_USE}\s[^;]{{1,120}}\sinstead$
    |{_NOT}\s[^;]{{1,120}}?(?:[,;:]\s*|\s(?:and|but)\s)(?:please\s|just\s|rather\s|instead,?\s)*{_USE}\s\S
    |{_INSTEAD}\s[^;,]{{1,80}},?\s(?:please\s|just\s)?{_USE}\s\S
    |(?:not?|nicht|kein\w*|pas)\s[^,;]{{1,80}}[,;]\s?(?:please\s|just\s|sondern\s)?{_USE}\s\S
    |you(?:'ve|\shave)?\sused\s[^,;]{{1,80}}[,;]\s?(?:but\s|so\s)?(?:please\s|just\s)?{_USE}\s\S""",
    re.I | re.X,
)
_PAIR = re.compile(r"(?P<x>[^,;]{1,40}?),? (?:and )?not (?P<y>[^,;]{1,40})$", re.I)
_NO_NAMES = lexicon.NO_NOUNS | lexicon.MODAL | lexicon.COMMON | lexicon.TALKING
_MOST_NAME_WORDS = 3
_STANDING = re.compile(
    r"""(?:(?:you|we|agents)\s(?:(?:must|should|need\sto|have\sto|can)\s)?|should\s|must\s|please\s)*
    (?:(?:always|never|immer|niemals|nie|toujours|jamais|siempre|nunca)\s\S
    |only\s(?:ever\s)?(?:use|run|commit|push|import|edit|touch|add|change|write|put|return|test|log|create)\s)
    |(?:whenever|every\stime|each\stime)\s(?:you|an?|the|any)\s
    |(?:how\smany\stimes|i\s(?:already\s|keep\s|just\s)*(?:told|telling|asked|asking)\syou|you\s(?:were|are)\s(?:told|supposed))
    \s.*\bto\s\S
    |(?:i|we)(?:'d|\swould)?\s(?:\w+ly\s)?prefer\s""",
    re.I | re.X,
)
_FORBIDS = re.compile(
    r"""i(?:'d|\swould)\s(?:rather|prefer\s(?:it\s)?if)\s(?:you|we)\s(?:didn't|don't|do\snot|not)\s[a-z]
    |(?:you\s|we\s)?(?:(?:don't|dont|do\snot|shouldn't|should\snot|must\snot|mustn't|not|no\slonger)\s(?:ever\s|just\s|even\s)?
    (?!bother|forget|mind|wait|worry|want|know|think|see|have|get|be|find|mean|let|go\b)[a-z][a-z-]+
    |(?:stop|quit|avoid|no\smore)\s\S
    |no\sneed\sto\s\S|(?:don't|do\snot)\s(?:need|have)\sto\s)""",
    re.I | re.X,
)
_OBLIGES = re.compile(
    r"""[^,;?]{2,60}?\s(?:must|(?:should|has\sto|have\sto|needs?\sto|ought\sto|(?:is|are|was|were)\ssupposed\sto)
    (?:\snot|\sonly|\salways)?)
    \s(?!i\b|we\b|you\b)[a-z]+|(?:you\s|we\s)?should(?:n't|\snot)?(?:'ve|\shave)\s[a-z]+\s\S""",
    re.I | re.X,
)
_OUR_WAY = re.compile(
    r"(?:(?:here|in (?:this|our) [\w ]{3,12}),? )?we (?:(?:always|never|only|usually) )?"
    r"(?!have|had|need|were|are|can|could|should|will|did|want|know|think|see|got|might)[a-z]+ \S",
    re.I,
)
_POINTS_BACK = re.compile(r"(?:it|this|that|these|those|them|there|i|what|which|who|how|why|if|when)\b", re.I)
_THIS_TIME = re.compile(
    r"\b(?:yet|for (?:this|that|now|the)|right now|now|this time|first|option|again)\b", re.I
)
_UNLESS = re.compile(r"\b(?:without|unless)\b", re.I)
_CONTRAST = re.compile(
    r", (?:(?:and )?not|never) \S|\b(?:is|are) \S+ not \S+$"
    r"|\w not (?:in|on|at|to|by|with|through|from|an?|the) |,? instead$"
    r"|\b(?:instead of|rather than) ",
    re.I,
)
_LONGEST_CONTRAST = 14
_AT_ONCE = re.compile(r"(?:run|show|send|render|load|read|return|give|tell) (?!.*\bwith\b)", re.I)
_ORDER = "|".join(sorted(lexicon.PLAIN_ORDERS))
_JOINED = re.compile(
    rf"(?!.*\b(?:just|only)\s(?:tell|show|answer|explain|list|give)\b){_NOT}\s[a-z].*[,;]\s*(?:(?:please|just|only|instead|rather)\s)*(?:{_ORDER}|stage)\b"
    rf"|(?:only\s|just\s)?(?:{_ORDER})\s[^,;]+[,;]\s*(?:and\s)?(?:don't|do\snot|never)\s[a-z]",
    re.I,
)


def swaps(text: str) -> bool:
    """Whether a sentence says what to use instead of what."""
    return _SWAP.match(clauses.strip_lead_in(text)) is not None


def pairs(text: str) -> bool:
    """Whether a sentence only names what is right and what is wrong: `snake_case, not camelCase`."""
    match = _PAIR.match(clauses.strip_lead_in(text))
    return match is not None and all(_is_name(side) for side in match.group("x", "y"))


def _is_name(phrase: str) -> bool:
    words = phrase.lower().split()
    return 0 < len(words) <= _MOST_NAME_WORDS and not any(word in _NO_NAMES for word in words)


def stands(text: str) -> bool:
    """Whether a sentence orders something for every time, or again."""
    return _STANDING.match(clauses.strip_lead_in(text)) is not None


def forbids(text: str) -> bool:
    """Whether a sentence forbids something, for more than now."""
    bare = clauses.strip_lead_in(text)
    is_for_good = _UNLESS.search(bare) is not None or _THIS_TIME.search(bare) is None
    return is_for_good and _FORBIDS.match(bare) is not None


def orders(text: str) -> bool:
    """Whether a sentence begins with a plain order: `run the linter`."""
    first, _, rest = clauses.strip_lead_in(text).partition(" ")
    return bool(rest) and first.lower() in lexicon.PLAIN_ORDERS


def uses(text: str) -> bool:
    """Whether a sentence says what to use."""
    return re.match(rf"{_USE}\s\S", clauses.strip_lead_in(text), re.I | re.X) is not None or swaps(text)


def completes(first: str, second: str) -> bool:
    """Whether a second sentence says what to do instead of what a first one forbids."""
    return _FORBIDS.match(clauses.strip_lead_in(first)) is not None and (
        orders(second) and not re.match(r"(?:please |then )*go ", second, re.I)
    )


def contrasts(text: str) -> bool:
    """Whether a brief sentence only says what to do instead of what, and for more than this once."""
    bare = clauses.strip_lead_in(text)
    if _JOINED.match(bare):
        return True
    if len(bare.split()) > _LONGEST_CONTRAST or _THIS_TIME.search(bare) or _AT_ONCE.match(bare):
        return False
    return swaps(text) or pairs(text) or (orders(text) and _CONTRAST.search(bare) is not None)


def instructs(text: str) -> bool:
    """Whether a sentence says what to do or how things must be, not merely how they are."""
    if any(form(text) for form in (swaps, pairs, stands, forbids, uses)):
        return True
    bare = clauses.strip_lead_in(text)
    if _OUR_WAY.match(bare) or _JOINED.match(bare):
        return True
    return not _POINTS_BACK.match(bare) and (_OBLIGES.match(bare) or _CONTRAST.search(bare)) is not None
