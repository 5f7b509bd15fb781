"""Headings, list items and paragraphs of a Markdown text, each with its place. Pure.

Lines put together are the text again, to the byte. What says nothing is hidden: comments, code, front matter,
struck words, sections called obsolete, and Learnloop's own blocks.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["heading", "bullet", "text", "hidden", "blank"]

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$")
_MARKUP = re.compile(r"\*\*(.+?)\*\*|__(.+?)__|`([^`]*)`|\[([^\[\]]*)\]\([^)\[]*\)")


class TextLine(NamedTuple):
    """One line of a text."""

    kind: Kind
    text: str
    """As it stands there, with its newline."""
    words: str = ""
    """Without the signs of a heading or list item."""
    level: int = 0
    """Of a heading, 1–6."""


class TextItem(NamedTuple):
    """A list item or a paragraph, its wrapped lines joined."""

    heading: str
    words: str
    line: int
    """Where it begins, from 1."""
    is_bullet: bool


def read(text: str) -> list[TextLine]:
    """The lines of a text."""
    raw = [f"{line}\n" for line in text.split("\n")]
    raw[-1] = raw[-1][:-1]
    visible = effective(text.replace("\r\n", "\n")).split("\n")
    lines = [_line(whole, shown) for whole, shown in zip(raw, visible, strict=True)]
    return lines if raw[-1] else lines[:-1]


def _line(raw: str, visible: str) -> TextLine:
    if not visible.strip():
        return TextLine("hidden" if raw.strip() else "blank", raw)
    if heading := _HEADING.match(visible):
        words = heading[2].strip()
        bare = words.rstrip("#")  # a heading may be closed by the same signs
        return TextLine("heading", raw, words if bare[-1:].strip() else bare.strip(), len(heading[1]))
    bullet = _BULLET.match(visible)
    return TextLine("bullet", raw, bullet[1].strip()) if bullet else TextLine("text", raw, visible.strip())


def items(text: str) -> Iterator[TextItem]:
    """The list items and paragraphs of a text, in their order."""
    heading, item = "", None
    for number, line in enumerate(read(text), 1):
        if item is not None and line.kind == "text":
            item = item._replace(words=f"{item.words} {line.words}")
            continue
        if item is not None:
            yield item
        heading = line.words if line.kind == "heading" else heading
        is_item = line.kind in ("bullet", "text")
        item = TextItem(heading, line.words, number, line.kind == "bullet") if is_item else None
    if item is not None:
        yield item


def plain(words: str) -> str:
    """Words on one line, without the marks of bold, code and links."""
    bare = _MARKUP.sub(lambda form: next((part for part in form.groups() if part is not None), ""), words)
    return " ".join(bare.split())


_FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.S)
_OWN = re.compile(r"<!-- learnloop:begin .*?(?:<!-- learnloop:end [^\n]*|\Z)", re.S)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_STRUCK = re.compile(r"~~[^~\n]+~~")
_FENCE = re.compile(r" {0,3}(?:[-*+>] *)?(`{3,}|~{3,})([^`\n]*)$")
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
