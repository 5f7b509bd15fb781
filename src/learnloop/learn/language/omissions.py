"""Remarks about omissions, read as orders: `you forgot to update X` means `update X`. Pure."""

import re

_LEAD = r"^(?:(?:and|but|so|also|no|nope|hey|wait|please|ugh|again|ok(?:ay)?|oh|yes)\b[\s,:;.!-]*)*"
_HOW = r"(?:(?:also|again|just|completely|totally|apparently|still|once again)\s)*"
_LEFT_OUT = tuple(
    re.compile(_LEAD + form, re.I)
    for form in (
        rf"(?:looks like |seems like |i see |i think )?you(?:'ve| have)? {_HOW}"
        r"(?:forgot(?:ten)?|neglected|omitted|failed) to (?P<order>.+)$",
        rf"you {_HOW}(?:didn't|did not|haven't|have not) (?:even |actually |bother to )?"
        r"(?P<order>(?!understand|get|listen|read|answer|mean|need|have|want|do|finish|know|see|say|follow"
        r"|notice)[a-z]+ .+)$",
        rf"(?:you|we) {_HOW}also {_HOW}(?:need|have|must|ought)(?: to)? (?P<order>.+)$",
        r"(?:make|be) sure(?: that)? (?:you |to |we )(?P<order>(?!'|are |have |can )"
        r"(?:also )?[a-z'-]+ .+)$",
        r"(?:don't|do not|never|let's not) forget to (?P<order>.+)$",
    )
)
"""Forms of sentences that point out something missing (pattern 1 of the specification)."""
_THIS_TIME = re.compile(r"\b(?:now|this time|for this|as i (?:asked|said|told)|i asked|i told|yet)\b", re.I)
_LASTING = re.compile(
    r"\w\.[a-z]{2,5}\b|\b(?:when(?:ever)?|before|after|every time|each time) (?:you|we|[a-z]+ing)\b"
    r"|\b(?:changelog|readme|docs|documentation|tests|migrations?|lint(?:er)?|formatter|version"
    r"|translations?|production|staging|licen[cs]e|lock ?file)\b",
    re.I,
)
"""Matters beyond this once: a file, a moment or a recurring chore."""


def lasting_order(sentence: str) -> str | None:
    """The order that was not followed, if it matters beyond this once."""
    plain = sentence.strip(" \t\n.!…")
    match = next((match for form in _LEFT_OUT if (match := form.match(plain))), None)
    order = match["order"].removeprefix("also ") if match else ""
    return order if _LASTING.search(order) and not _THIS_TIME.search(order) else None


_ENTRY = re.compile(
    r"\b(?:add|write|put) (?:an?|one) (?:entry|line|note)\b(?! (?:to|in|into|for|about|on)\b)", re.I
)
_PLACE = re.compile(
    rf"\byou(?:'ve| have)? {_HOW}(?:forgot(?:ten)?|missed|skipped|left out) (?:to update )?"
    r"(?P<place>the (?:change ?log|readme)|[\w./-]+\.md)\b",
    re.I,
)


def with_place(order: str, before: str) -> str:
    """An order to add an entry, with the place that the sentence before says was forgotten."""
    entry, forgotten = _ENTRY.search(order), _PLACE.search(before)
    if entry is None or forgotten is None:
        return order
    return f"{order[: entry.end()]} to {forgotten['place']}{order[entry.end() :]}"


_BLAMES = re.compile(
    rf"\byou(?:'ve| have)? {_HOW}(?:forgot(?:ten)?|missed|skipped|left out|omitted|broke)\b", re.I
)


def blames(sentence: str) -> bool:
    """Whether a sentence blames the agent for leaving out something that lasts."""
    return _BLAMES.search(sentence) is not None and _LASTING.search(sentence) is not None
