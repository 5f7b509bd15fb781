"""Finds lessons that a text calls so: sections named Lessons Learned, and `lesson learned: …`. Pure.

Forms and headings are those of the specifications (ADR-004 pattern 2, and the output extractor's sections).
Code and quotes are ignored.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

MOST = 5
"""The most lessons of one message: a text with more is a report."""
_SHORTEST, _LONGEST = 10, 300
_MOST_LINES, _LONGEST_LINE = 5_000, 1_000
_HEADING = re.compile(
    r"^\s{0,3}(?:#{2,6}\s+|\*\*)(?:\S{1,2}\s)?(?:lessons?(?: learned)?|key (?:takeaways?|insights?|lessons?)"
    r"|takeaways?|insights?)"
    r"(?:\*\*)?\s*:?\s*(?:\*\*)?\s*$",
    re.I,
)
_OTHER_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)")
ITEM = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,2}[.)])\s+(?P<words>\S.*)$")
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
    for number, line, in_section in prose(text):
        if match := _said(line) or (ITEM.match(line) if in_section else None):
            words = " ".join(_MARKUP.sub("", match["words"]).split())
            if _SHORTEST < len(words) <= _LONGEST:
                yield ExplicitLesson(words, in_section, number)


def prose(text: str) -> Iterator[tuple[int, str, bool]]:
    """The lines outside code, quotes and headings: number from 1, words, whether in a section of lessons."""
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
        else:
            yield number, line, section


def _said(line: str) -> re.Match[str] | None:
    """A lesson that begins the line or follows a sentence in it."""
    match = _SAID.search(line) if ":" in line else None
    return match if match and (not match["stressed"] or _LASTING.search(match["words"])) else None
