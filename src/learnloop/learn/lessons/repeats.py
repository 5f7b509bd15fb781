"""Whether a remark repeats a lesson (`no, I said pnpm!`), and how often before its approval and since."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import acts, meaning, similarity
from learnloop.learn.lessons.scorer import DAY_MS
from learnloop.wire import clock

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


Doc = Mapping[str, Any]
DAYS = 30
"""The days that are compared on each side of an approval."""


class BeforeAfter(NamedTuple):
    """The corrections on both sides of an approval, and the days of each side that are recorded."""

    before: int
    days_before: int
    since: int
    days_since: int
    about: str = ""
    """A call that breaks the lesson; empty where none is known."""

    @property
    def words(self) -> str:
        """Both sides in one line; empty where there was no correction."""
        if not self.before + self.since:
            return ""
        parts = ["nothing is recorded before"]
        if self.days_before:
            recorded = " that are recorded" if 1 < self.days_before < DAYS else ""
            corrections = "correction" if self.before == 1 else "corrections"
            about = f" about {self.about}" if self.about else ""
            parts = [
                f"{self.before or 'no'} {corrections}{about} in {_days(self.days_before)} before{recorded}"
            ]
        if self.days_since:
            return f"{parts[0]}, {self.since or 'none'} in {_days(self.days_since)} since"
        return f"{parts[0]}, nothing is recorded since"

    @property
    def has_fallen(self) -> bool:
        """Whether corrections come less often since than before."""
        return self.since * self.days_before < self.before * self.days_since


def _days(count: int) -> str:
    return f"the {count} days" if count > 1 else "the day"


def compare(
    lesson: Doc, complaints: Mapping[str, str], corrections: Iterable[Doc], worked: Collection[str],
    now_ms: int,
) -> BeforeAfter | None:  # fmt: skip
    """The corrections of a lesson (a stored document) by time; None where it is not in use.

    `complaints` are the times of those tied to it, by event. `corrections` are the newest of the places where
    it holds, `worked` the days with work there.
    """
    approved = clock.parse_ms(lesson.get("reviewed_at"))
    if lesson.get("status") != "active" or not approved:
        return None
    own = lesson.get("evidence") or () if lesson.get("trust", "user") == "user" else ()
    ts_by_event = {seen["event_id"]: seen["ts"] for seen in own} | dict(complaints)
    ts_by_event |= {entry["id"]: entry["ts"] for entry in corrections if _is_about(lesson, entry)}
    ages = [clock.parse_ms(ts) - approved for ts in ts_by_event.values()]
    days = [clock.parse_ms(day) // DAY_MS - approved // DAY_MS for day in worked]
    return BeforeAfter(
        about=acts.named(lesson),
        before=sum(-DAYS * DAY_MS <= age < 0 for age in ages),
        days_before=min(DAYS, max(1, -min(days))) if min(days, default=1) <= 0 else 0,
        since=sum(0 <= age <= DAYS * DAY_MS for age in ages),
        days_since=min(DAYS, max(1, (now_ms - approved) // DAY_MS)) if max(days, default=-1) >= 0 else 0,
    )


def _is_about(lesson: Doc, entry: Doc) -> bool:
    """Whether a correction became part of a lesson, says the same, or speaks of what it names.

    What became part of another lesson has to say the same.
    """
    if entry["lesson"] == lesson["id"]:
        return True
    words, statement = entry["message"], str(lesson.get("statement", ""))
    nearness = similarity.score(meaning.parse(entry["text"]), meaning.read(statement))
    if nearness >= similarity.SAME or repeats(words, statement):
        return True
    return not entry["lesson"] and reminds(words, statement)
