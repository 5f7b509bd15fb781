"""Lessons that are called lessons: sections of that name, and `lesson learned: …`. Pure.

Forms and headings are those of the specifications (ADR-004 pattern 2, and the output extractor's sections).
What stands in code or in a quote is not taken.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST = 5
"""Lessons of one message: what says more of itself is a report."""
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
    r"^\s{0,8}(?:[-*+]\s+)?(?:\*\*)?"
    r"(?:lessons? learned|note (?:for|to) (?:the )?future(?: sessions?| reference| self)?)"
    r"(?:\*\*)?\s*:\s*(?:\*\*)?\s*(?P<words>\S.*)$",
    re.I,
)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTED = re.compile(r"^\s*>|^(?: {4}|\t)(?![-*+\d])")
_MARKUP = re.compile(r"\*\*|__")
_CUES = ("lesson", "takeaway", "insight", "future")


class ExplicitLesson(NamedTuple):
    """One lesson as it was said."""

    words: str
    in_section: bool
    line: int
    """Counted from 1."""


def find_explicit(text: str) -> list[ExplicitLesson]:
    """The explicit lessons of a text, in order, `MOST` of them; [] for nearly every text at once."""
    low = text.lower()
    if not any(cue in low for cue in _CUES):
        return []
    return list(_first(_found(text), MOST))


def drop_sections(text: str) -> str:
    """A text without its sections of lessons, for whoever judges the rest of it."""
    taken = {said.line for said in find_explicit(text) if said.in_section}
    if not taken:
        return text
    lines = text.split("\n")
    kept = [line for number, line in enumerate(lines, 1) if number not in taken and not _HEADING.match(line)]
    return "\n".join(kept)


def _first(found: Iterator[ExplicitLesson], most: int) -> Iterator[ExplicitLesson]:
    for _, one in zip(range(most), found, strict=False):
        yield one


def _found(text: str) -> Iterator[ExplicitLesson]:
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
        elif match := _SAID.match(line) or (_ITEM.match(line) if section else None):
            words = " ".join(_MARKUP.sub("", match["words"]).split())
            if _SHORTEST < len(words) <= _LONGEST:
                yield ExplicitLesson(words, section, number)
