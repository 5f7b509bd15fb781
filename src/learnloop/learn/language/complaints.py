"""Tells a complaint, which only says what is wrong, from an order and from a fact. Pure.

Doubt counts as a complaint: a lesson must never assert the fault that a person complained of.
"""

import re

from learnloop.learn.language.imperatives import is_order
from learnloop.learn.language.phrases import either, lowered, pattern

_MAY = either(
    """must should(?!n't_have|_have|'ve|_not_have) shouldn't(?!_have) can cannot can't need needn't may
    will_(?!not)
    are_(?:not_)?(?:allowed|free|supposed|welcome|responsible|expected|only|to) have_to never always
    don't_(?:have|need)
    do_not_(?:have|need) ought could shall do_the"""
)
_DID_WRONG = either(
    """forgot forgotten missed broke broken ignored deleted removed duplicated skipped messed screwed
    overwrote
    reverted hallucinated invented hardcoded failed neglected left_out misunderstood misread lied guessed
    assumed"""
)
_ADVERBS = either("again just still also completely totally already even clearly apparently actually never")
_BLAMES = pattern(
    rf"""^(?:you|u)(?:'ve\b|'re(?!\s(?:not\s)?(?:allowed|supposed|free|welcome|expected|only|to)\b)
    |(?!')\b)(?!\s(?:{_MAY})\b)|^you\s(?:always|never)\s(?!«need have»\b)
    |^«claude the_agent your_\w+ the_code_you_\w+ du_(?:hast|machst) tu_(?:as|n'as) has»\b(?!\s(?:{_MAY})\b)
    |^«schon_wieder immer_noch encore otra_vez»\b
    |^«why how_(?:come|could|did|dare) who wtf warum wieso weshalb pourquoi por_?qu[eé]
    where_(?:is|are|did)»\b
    |^what\s«the are_you did_you happened is_(?:this|that|going) were»\b|^(?:don't|do\snot)\s(?:you|we|they)\b
    |\byou(?:'ve|\shave)?\s(?:(?:{_ADVERBS})\s)*(?:{_DID_WRONG})\b|\byou\s(?:keep|kept)\s\w+ing\b
    |\bstop\slying\b|\b(?:which|that|but|and)\s(?:it|they|this|that)?\s?(?:should|must|shall)(?:n't
    |\snot)(?:\s\w+)?$|\bshould(?:n't|\snot)?(?:'ve|\shave)\s\w+(?:ed|en|one|ut|un|ade|ept|ft)\b"""
)
_BAD = either(
    r"""wrong broken missing gone lost bad ugly slow empty blank red failing failed incorrect incomplete
    inconsistent
    outdated stale out_of_(?:date|sync) buggy flaky unreadable unusable confusing messy mess weird
    terrible awful
    horrible useless stupid crap shit garbage nonsense duplicated? corrupted truncated cut_off off hidden
    invisible
    too_\w+ unacceptable annoying ridiculous hallucinat\w+ nowhere crash\w* hanging stuck leak\w*
    error\w* lagging bug
    all_over in_the_way overkill bloated verbose minimal imprecise odd unclear unnecessary redundant
    janky noisy
    a_(?:bit|little|mess|bug|problem|hack|lie|joke|hallucination)"""
)
_FAILS = either(
    r"""fails? failed failing crash(?:es|ed)? breaks? broke hangs? throws? threw errors?_out errored
    disappear(?:s|ed)?
    vanish(?:es|ed)? freezes froze leaks? leaking flickers? overlaps? stutters? duplicates loses lost
    missing doesn't
    does_not don't didn't won't cannot can't couldn't wasn't weren't isn't aren't hasn't haven't isnt
    arent doesnt broken
    wrong(?!_way) typo (?:there's|is|has)_a_bug unreadable mess ridiculous unacceptable horrible terrible
    awful
    annoying
    not_\w+ing contradicts? weird over-?commented hallucination nothing_\w+s twice out_of_(?:date|sync)
    errors?_when
    nirgends funktioniert_nicht geht_nicht stimmt_nicht fehlt fehlen kaputt falsch
    ne_(?:marche|fonctionne) no_funciona
    falta manque unclear duplicated? corrupted truncated stale outdated garbage incorrect misaligned strewn
    spammed flooded blows_up goes_(?:blank|missing|wrong) redirects_twice
    unnecessary"""
)
_BE = either(
    "is are was were isn't aren't wasn't looks? seems? still gets? got being be went going goes feels?"
)
_VERY = either(
    "still just now all not completely totally so very really always way also again an? quite pretty kinda"
)
_MUCH = either(
    """many much big large long short slow small wide narrow verbose complex complicated dark bright few
    little
    old far late early strict loose high low"""
)
_FAULT = pattern(
    rf"""\b(?:{_BE})\s(?:(?:{_VERY})\s){{0,3}}(?:{_BAD})\b|\b(?:{_FAILS})\b
    |\b(?:is|are|was|were|has|have|do|did|could|would|gets?|got)\s?(?:not|never|no\slonger)\b
    |\btoo\s(?:{_MUCH})\b
    |\b(?:is|are|gets?|being|keeps?)\s(?:never|no\slonger|again|still|constantly|always)\b|\b(?:still
    |keeps)\s\w+(?:s|ing|t)\b
    |\b(?:no\slonger|not\syet|nothing\s(?:happen|work|chang|show)\w*|nie\s\w+t|jamais\s\w+[ée]e?s?)\b
    |\b(?:keeps?|kept)\s\w+ing\b|,\snot\s(?:all|any|every|enough)\b|\bnever\s\w+(?:ed|en|s)\b"""
)
_CASE = pattern(
    r"""^«if when whenever once until
    unless»\s(?!i\b)[^,]*?(?:,\s|\s(?=(?:we|you|it|they|the\sagent|always|never)\s))"""
)
"""The case in which a rule applies, which may be a fault."""
_CONTRAST = pattern(
    r"""(?:,|;|\s[-–—])\s(?:and\s|but\s)?not?\s(?!\w+ing\b|all\b|any\b|every|enough\b|just\b|yet\b)|(?:\snot
    |n't)\s.+,\s(?:but|it's|it\sis|they|those)\b
    |\binstead\sof\b
    |\brather\sthan\b
    |,\snicht\b|\bsondern\b|,\spas\b"""
)
_OBLIGES = pattern(
    r"""\b«must mustn't should(?!_have|'ve|n't_have) shouldn't(?!_have) shall needs?_to need have_to has_to
    ought
    supposed_to may_not required requires? mandatory forbidden prohibited not_allowed allowed
    prefer(?:red|s)? wants?
    expects? hate don't_like dislike muss müssen soll(?:en|te)? darf dürfen doit doivent debe deben
    expected_to
    on_purpose by_(?:design|default|convention) intentional(?:ly)?
    (?:is|are)_(?:meant|intended|used|designed|there)_(?:to|for)»\b
    |\bthe\s«goal point idea plan intent purpose convention rule»\s(?:is|was)\b|^you\s«can't cannot can
    do_not don't»\b
    |^(?:we|our|i)\b
    (?!.*\b«get got see lost still doesn't isn't aren't fails? broken wrong missing invalid»\b)"""
)
_HAPPENS = pattern(
    r"""^(?:«the a an your some all every any each most these those my our new old»\s)?
    [\w\ue000\ue001/.'-]+(?:\s[\w\ue000\ue001/.'-]+){0,3}\s«is are gets? got was were keeps?
    (?:has|have)_been»\s
    (?:«being now always often all just»\s)*
    (?:\w+(?:ed|en|wn|ing)|«set put run cut hit shut sent kept made built lost read left split held told
    stuck»)\b
    (?!\s(?:to|for|as|by\sdesign)\b)"""
)
"""A passive or a course of events: `secrets are logged`, `the badge is showing`."""
_PAST = pattern(
    r"""\b«was were had did went broke failed crashed disappeared stopped got became lost happened came
    showed returned
    caused made took threw started changed removed added deleted ignored forgot missed ended_up»\b
    (?!\s«by in to when for with lines? files?»\b)"""
)
_MOST = 9
_EXPLAINS = pattern(r"""\b«when because so such_as by which if until unless every_time each_time while since
    where»\b""")
"""With such a word a report of more than `_MOST` words explains; any other rather complains."""
_FIRM = pattern(r"(?:always|never|(?:don't|do\snot)\s(?!(?:you|we|they|i)\b)|avoid|stop\s(?!lying))\b")
_FOREIGN_REPORT = pattern(r"[^\d\ue000]*\b«ist sind wird werden est sont está están»\b[^\d\ue000]*$")
_PLACES = pattern(r"\b«lives? belongs? goes is_called are_called»\b")
_REPORTS = pattern(r"\b(?:is|are|gets?|keeps?|has|have|\w{3,}s)\b")


def blames(text: str) -> bool:
    """Whether trimmed words tell what the agent did, or ask why."""
    low = lowered(text)
    return _BLAMES.search(low) is not None and _FIRM.match(low) is None


_FINDING = re.compile(
    r"^(?:bug|issue|problem|error|regression|finding|observation)s?\b\s*[:#(]"
    r"|\w only (?:covers|checks|handles|references|mentions|looks at)\b"
    r"|\w{3,}s only (?:cover|check|handle|reference|mention|look at)\b"
    r"|^we aren't \w+ing\b|^we are not \w+ing\b|^notice how\b"
    r"|\bsilent(?:ly)? fail|\bfails? silently|\bhas no effect\b|\bno output is\b"
    r"|\bnone of (?:them|these|those)\b"
    r"|\bkind(?:a| of) (?:noisy|slow|ugly|weird|hard|confusing)\b"
    r"|\bhas no (?:\w+ )?(?:cap|limit|validation|tests?|error handling)\b",
    re.I,
)
"""What a review or a test finds, though it names what is only or always so."""
_ALWAYS_DOES = re.compile(r"(?:always|never)\s[a-z]+[^suai]s\b")
"""`always returns null` reports; `always pass the id` orders."""


def only_complains(text: str, *, contradicts: bool = False, is_later: bool = False) -> bool:
    """Whether trimmed words, if they are no order, tell what is wrong, or may do so.

    `contradicts`: they came after a no, so that a bare report is one of what is wrong. `is_later`: they came
    after words such as `from now on`, so that a bare report is none.
    """
    low = lowered(text)
    if _ALWAYS_DOES.match(low):
        return True
    if _FIRM.match(low):
        return False
    if _BLAMES.search(low) or _FINDING.search(low):
        return True
    if is_order(text) or _OBLIGES.search(low) or _CONTRAST.search(low):
        return False
    if _FAULT.search(_CASE.sub("", low)) or _PAST.search(low):
        return True
    if is_later:
        return False
    reports = contradicts and _REPORTS.search(low) and not _PLACES.search(low)
    first = low.split(", ", 1)[0]
    is_bare = len(first.split()) <= _MOST or not _EXPLAINS.search(low)
    return bool(reports or (is_bare and (_HAPPENS.match(low) or _FOREIGN_REPORT.match(low))))
