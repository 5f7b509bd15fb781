"""Finds lessons that a text calls so: sections named Lessons Learned, and `lesson learned: …`. Pure.

Forms and headings are those of the specifications (ADR-004 pattern 2, and the output extractor's sections).
So are categories, keywords and titles of the drafts that are made of them. Code and quotes are ignored.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from learnloop.learn.hear import wording
from learnloop.learn.lessons import impact, meaning, scorer
from learnloop.learn.offers import knowledge
from learnloop.learn.offers.knowledge import Origin
from learnloop.models.lesson import Lesson
from learnloop.wire import text as wire_text

MOST = 5
"""The most lessons of one message: a text with more is a report."""
_SHORTEST, _LONGEST = 10, 300
_MOST_LINES, _LONGEST_LINE = 2_000, 1_000
_HEADING = re.compile(
    r"^\s{0,3}(?:#{2,6}\s+|\*\*)(?:\S{1,2}\s)?(?:lessons?(?: learned)?|key (?:takeaways?|insights?|lessons?)"
    r"|takeaways?|insights?)"
    r"(?:\*\*)?\s*:?\s*(?:\*\*)?\s*$",
    re.I,
)
_OTHER_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)")
_ITEM = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,2}[.)])\s+(?P<words>\S.*)$")
_SAID = re.compile(
    r"(?:^\s{0,8}(?:[-*+]\s+)?|[.!?]\s{1,3})(?:\*\*)?"
    r"(?:lessons? learned|note (?:for|to) (?:the )?future(?: sessions?| reference| self)?"
    r"|(?P<stressed>important))"
    r"(?:\*\*)?\s{0,3}:\s{0,3}(?:\*\*)?\s{0,3}(?P<words>\S.*)$",
    re.I,
)
_LASTING = re.compile(
    r"\b(?:always|never|every time|whenever|must|has to|have to|needs? to|only ever)\b", re.I
)
"""Words of a rule: without one, what an agent calls important is about the work at hand."""
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTED = re.compile(r"^\s*>|^(?: {4}|\t)(?![-*+\d])")
_MARKUP = re.compile(r"\*\*|__")
_CUES = ("lesson", "takeaway", "insight", "future", "important")
_WORD = re.compile(r"\b[a-z]{4,}\b")
_STOP = frozenset((
    "this", "that", "with", "from", "have", "been", "were", "they", "their", "which", "would", "could",
    "should", "about", "there", "where", "when", "what", "will", "more", "some", "than", "then", "also",
    "into", "only", "other", "such", "very", "just", "make", "made", "like", "each", "even", "most", "both",
    "after", "before", "being", "these", "those", "through", "during", "without", "between", "under", "over",
))  # fmt: skip
_KEYWORDS = 5
_CATEGORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("anti_pattern", ("avoid", "don't", "don’t", "never")), ("error_fix", ("error", "fix", "bug")),
    ("performance", ("performance", "fast", "slow")), ("security", ("security", "vulnerab")),
    ("testing", ("test", "coverage")),
)  # fmt: skip
_DISAPPROVES = re.compile(
    r"\b(?:avoid|never|don't|not|no|stop|must|should|instead|rather|only)\b|n't\b", re.I
)


class ExplicitLesson(NamedTuple):
    """One lesson in the words of the text."""

    words: str
    in_section: bool
    line: int
    """Counted from 1."""


def find_explicit(text: str) -> list[ExplicitLesson]:
    """The explicit lessons of a text, in order, at most `MOST`."""
    low = text.lower()
    return list(islice(_lessons(text), MOST)) if any(cue in low for cue in _CUES) else []


def drop_sections(text: str) -> str:
    """A text without its sections of lessons."""
    taken = {lesson.line for lesson in find_explicit(text) if lesson.in_section}
    if not taken:
        return text
    lines = enumerate(text.split("\n"), 1)
    return "\n".join(line for number, line in lines if number not in taken and not _HEADING.match(line))


def _lessons(text: str) -> Iterator[ExplicitLesson]:
    fenced = section = False
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        line = line[:_LONGEST_LINE].rstrip("\r")
        if _FENCE.match(line):
            fenced = not fenced
        if fenced or _QUOTED.match(line):
            continue
        if _HEADING.match(line):
            section = True
        elif _OTHER_HEADING.match(line):
            section = False
        elif match := _said(line) or (_ITEM.match(line) if section else None):
            words = " ".join(_MARKUP.sub("", match["words"]).split())
            if _SHORTEST < len(words) <= _LONGEST:
                yield ExplicitLesson(words, section, number)


def _said(line: str) -> re.Match[str] | None:
    """A lesson that begins the line or follows a sentence in it."""
    match = _SAID.search(line) if ":" in line else None
    return match if match and (not match["stressed"] or _LASTING.search(match["words"])) else None


def drafts(items: Iterable[ExplicitLesson], origin: Origin) -> list[Lesson]:
    """Drafts with priority and kind by the process-knowledge tables: one for each category and title."""
    best: dict[tuple[str, str], Lesson] = {}
    for number, item in enumerate(items):
        draft = _draft(item.words, origin, number)
        weight = impact.weight("explicit", item.words, is_persons=origin.trust == "user")
        shape = impact.classify(item.words, draft.statement)
        priority = {"priority": weight.priority, "proposed_priority": weight.proposed}
        lesson = scorer.with_score(draft.with_(kind=shape.kind, content=shape.content, **priority))
        key = lesson.category, lesson.title.lower()
        if key not in best or lesson.score.overall > best[key].score.overall:
            best[key] = lesson
    return list(best.values())


def _draft(words: str, origin: Origin, number: int) -> Lesson:
    """A draft; it needs words where these do not stand alone, or would turn round what they say."""
    statement, low = wording.make(words), words.lower()
    category = next((name for name, cues in _CATEGORIES if any(cue in low for cue in cues)), "best_practice")
    if category == "anti_pattern" and not _DISAPPROVES.search(statement):
        statement = ""
    plain = statement or words
    fields = {
        "kind": "fact", "category": category, "statement": wire_text.cut(plain, 300),
        "title": title_of(words), "description": words, "scope": "project", "confidence": 0.6,
    }  # fmt: skip
    lesson = knowledge.build_lesson(
        fields, {}, replace(origin, rule="draft:message", number=number, quote=words)
    ).with_(keywords=keywords_of(words))
    if statement:
        return lesson
    print_ = meaning.fingerprint_of(plain, lesson.scope, lesson.project)
    return lesson.with_(statement="", needs_words=True, fingerprint=print_)


def title_of(text: str) -> str:
    """The first sentence, 100 characters at most."""
    first = re.split(r"[.!?](?=\s|$)", text.strip(), maxsplit=1)[0].strip()
    return first if len(first) <= 100 else f"{first[:97]}..."


def keywords_of(text: str) -> tuple[str, ...]:
    """The five most frequent words of four letters or more that are no stop words."""
    counts = Counter(word for word in _WORD.findall(text.lower()) if word not in _STOP)
    return tuple(word for word, _ in counts.most_common(_KEYWORDS))
