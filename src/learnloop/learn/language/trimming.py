"""Cuts a sentence to what is to be remembered: openers, blame, politeness and swearing go. Pure.

Nothing is reworded: what is left are the person's own words in their order.
"""

import re

from learnloop.learn.language.openers import OPENERS
from learnloop.learn.language.phrases import lowered, pattern

_INNER = (
    (pattern(r"(?<=\w)\*\*(?=$|[\s,.:;])", any_case=True), ""),
    (pattern(r"^(?:can|could|would|will)\s(?:you|u)\s(?:please\s)?not\s(?=[a-z])", any_case=True), "do not "),
    (pattern(r"(\*\*?|(?<![\w_])_(?!_))(?=\S)([^*_]{1,80})(?<=\S)\1(?![\w_])", any_case=True), r"\2"),
    (pattern(r"(,?)\s(?:please|pls|plz|kindly|bitte)(,?)(?=\s)", any_case=True), r"\1\2"),
    (pattern(r"(?<=,)\s(?:can|could|would)\s(?:you|u)\s(?=[a-z])(?!(?:not|n't)\b)", any_case=True), " "),
    (pattern(r"(?:(?<=,)|(?<=\sand))\s(?:let's|lets)\s(?=[a-z])", any_case=True), " "),
    (
        pattern(
            r"\s«fucking fuckin f[*]+ing effing freaking frigging goddamn(?:ed)? damn bloody shitty»(?=\s)",
            any_case=True,
        ),
        "",
    ),
)
"""What is taken out of the middle: emphasis, politeness and swearing."""
_YOU = r"""you
    «'ve _have _keep _are _were _did _do _didn't _don't _forgot _always _used _still _just _again _missed
    _broke»\b"""
_TAILS = tuple(
    pattern(source)
    for source in (
        r"""(?:\s*[,;]\s*|\s+[-–—]+\s*|\s+)«please pls plz thanks(?:_(?:a_lot|man))? thank_you(?:_very_much)?
        thx
        for_(?:god|fuck|christ)'?s?_sake ffs goddamn(?:it)? dammit damn_it lol haha+
        (?:as|like)_i_(?:said|told_you|mentioned)(?:_(?:before|already))* from_now_on(?:wards?)?
        (?:going|moving)_forwards? in_(?:the_)?future(?:_(?:sessions?|too|please))? next_time bitte por_favor
        merci
        danke gracias s'il_(?:te|vous)_pla[iî]t i_(?:think|guess|assume|believe|suppose|don't_think)»$""",
        r"(?<!yet)(?<!and)(?<!try)(?:\s*,)?\sagain$",
        r"""\s*[,;]\s*«ok(?:ay)? right man dude bro yeah yes yep no wth wtf mate buddy got_it understood
        understand
        alright cool deal comprende capisce will_you would_you damn eh huh isn't_it»$""",
        r"""\s*(?:[,;]|\s[-–—]+)\s*(?:and\s|but\s|because\s)?(?:i|we)(?:'ve)?\s
        (?:«already just clearly literally have had»\s)*«told said asked mentioned explained discussed
        talked_about
        warned»\b[^,;]{0,60}$""",
        rf"""\s*(?:[,;]|\s[-–—]+)\s*(?:and\s|but\s|because\s|why\s(?:did|do|are)\s)?{_YOU}[^,;]{{0,80}}$""",
        r"\s*(?:[,;]|\s[-–—]+)\s*(?:and\s)?(?:why|how\s(?:often|many\stimes)|what\sthe|wth|wtf)\b.{0,80}$",
        # what the person does next
        r"""\s*(?:[,;]|\s[-–—]+)\s*(?:so\s|and\s|but\s|because\s|cause\s)?
        i(?:'m|'ll|\sam|\swill|\sdon't\sthink|(?:'ve)?\s(?:already\s|just\s)?[a-z]{3,}ed)\b[^;]{0,100}$""",
    )
)
_FOR_THIS = pattern(r""",?\s(?:especially\s)?«for on about in with
    as»\s(?:a\scase\slike\s)?(?:this|these|those)(?:\s(?!in\b|to\b|into\b|at\b|under\b)\S+){0,2}$""")
_FOR_THIS_BEFORE = pattern(
    r"""\s«for on about with»\s(?:this|these|those)(?:\s\w+)?(?=\s«in to as before so without by using»\s)"""
)
_MAY_LOSE_ITS_OBJECT = pattern(
    r"""«ask let_me explain tell discuss talk describe give create write make_sure propose list outline show
    summarize
    add_something think step»\b(?:\s\S+){2,}"""
)
_OBLIGES = pattern(r"\b(?:must|always)\s")
_EDGES = " \t\n,;:.!…-–—_#✅❌⚠️👉•"


def trimmed(text: str) -> str:
    """A sentence without opener, blame, politeness and tail; as it was where nothing would be left."""
    left = _stripped(text).lstrip("*>")
    for inner, instead in _INNER:
        left = inner.sub(instead, left)
    while True:
        shorter = _stripped(_without_tail(_without_opener(left)))
        if shorter == left or len(shorter.split()) < _FEWEST_LEFT:
            return left
        left = shorter


_FEWEST_LEFT = 2
_DOT_FILE = re.compile(r"\.[a-z]\w", re.I)


def _stripped(text: str) -> str:
    """The text without the marks around it; `.env` keeps its dot."""
    bare = text.strip(_EDGES)
    before = text.find(bare) - 1
    return f".{bare}" if before >= 0 and text[before] == "." and _DOT_FILE.match(text[before:]) else bare


def _without_opener(text: str) -> str:
    low = lowered(text)
    for opener in OPENERS:
        if match := opener.match(low):
            text = _denied(match[0], text[match.end() :].lstrip(_EDGES))
            low = lowered(text)
    return text


def _denied(opener: str, text: str) -> str:
    """The words after an opener; `to not use axios` and `not to use axios` are `do not use axios`."""
    denial = _NOT_TO.match(lowered(text))
    if denial and (opener.endswith("to ") or denial[1]):
        return f"do not {text[denial.end() :]}"
    return text


_NOT_TO = pattern(r"not\s(to\s)?")


def _without_tail(text: str) -> str:
    low = lowered(text)
    for tail in _TAILS:
        if match := tail.search(low):
            low = low[: match.start()]
    once = _FOR_THIS.search(low)
    is_bare = low.endswith((" this", " these", " those"))  # not: always use sqlite for this test
    if once and (_MAY_LOSE_ITS_OBJECT.match(low) or (is_bare and _OBLIGES.search(low))):
        low = low[: once.start()]
    inner = _FOR_THIS_BEFORE.search(low)
    if inner and _MAY_LOSE_ITS_OBJECT.match(low):
        return text[: inner.start()] + text[inner.end() : len(low)]
    return text[: len(low)]
