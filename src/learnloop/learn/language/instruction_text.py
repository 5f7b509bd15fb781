"""What an instruction file really says: no comments, code, struck words, or what it calls obsolete. Pure.

Every line keeps its number. What is taken out too much only means that a lesson is told although a file says
it; what is left in too much would silence the lesson.
"""

import re
from collections.abc import Iterator

_FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.S)
_OWN = re.compile(r"<!-- learnloop:begin .*?(?:<!-- learnloop:end [^\n]*|\Z)", re.S)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_STRUCK = re.compile(r"~~[^~\n]+~~")
_FENCE = re.compile(r" {0,3}(?:[-*+>] *)?(`{3,}|~{3,})([^`\n]*)$")
_HEADING = re.compile(r"(#{1,6}) +(.*)$")
_OBSOLETE = re.compile(
    r"\b(?:obsolete|deprecated|outdated|superseded|wrong|old|formerly|no longer|not valid|ignored?)\b",
    re.I,
)
_EXCEPTIONS = frozenset(("except", "unless", "until", "but", "however", "anymore", "longer", "only"))


def effective(text: str) -> str:
    """The text with the rest blanked; Learnloop's own blocks too, which the store knows by itself."""
    for pattern in (_OWN, _COMMENT):
        text = pattern.sub(_blank, text)
    head = _FRONT_MATTER.match(text)
    text = _blank(head) + text[head.end() :] if head else text
    return _STRUCK.sub(_blank, "\n".join(_valid(_without_code(text.split("\n")))))


def excepts(sentence: str, statement: str) -> bool:
    """Whether a sentence makes an exception that a statement does not make."""
    words = frozenset(re.findall(r"[a-z]+", sentence.lower()))
    return bool(words & _EXCEPTIONS - frozenset(re.findall(r"[a-z]+", statement.lower())))


def _blank(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")


def _without_code(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if not fence and mark:
            fence = mark[1]
            yield ""
        elif fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            yield ""
        else:
            yield line


def _valid(lines: Iterator[str]) -> Iterator[str]:
    """The lines that are not below a heading which calls them obsolete."""
    level = 0
    for line in lines:
        heading = _HEADING.match(line)
        if heading and (not level or len(heading[1]) <= level):
            level = len(heading[1]) if _OBSOLETE.search(heading[2]) else 0
        yield "" if level else line
