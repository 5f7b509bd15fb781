"""Finds and reads blocks in the output of agents: `[PROCESS_KNOWLEDGE]` and `[DISCOVERY]`.

A marker counts only on a line of its own, outside code fences, indented code, quotes and `<pre>`, so that
blocks quoted in code or documentation are ignored.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from learnloop.learn.offers import plain_yaml
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping

TAGS = ("PROCESS_KNOWLEDGE", "DISCOVERY")
MOST_BLOCKS = 20
"""Blocks that are read in one message; the next one is reported as a problem."""
_OPEN = re.compile(rf"^ {{0,3}}\[({'|'.join(TAGS)})\]\s*$")
_CLOSE = re.compile(rf"^\s*\[/({'|'.join(TAGS)})\]\s*$")
_FENCE = re.compile(r"^\s*(?:>\s*)*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})(.*)$")
_PRE = re.compile(r"<(/?)(?:pre|code)\b", re.I)


@dataclass(frozen=True)
class OfferedBlock:
    """A block in a text."""

    tag: str
    body: str
    line: int
    """The line of its opening marker in the text, from 1."""
    problem: Malformed | None = None
    """Why it cannot be read."""

    def read(self) -> YamlMapping:
        """The fields; raises Malformed with a line of the whole text."""
        if self.problem is not None:
            raise self.problem
        try:
            read = plain_yaml.parse_mapping(textwrap.dedent(self.body))
        except Malformed as error:
            raise Malformed(error.reason, self.line + error.line) from None
        read.offset = self.line
        return read


def may_contain_block(text: str) -> bool:
    """Whether a text contains a tag: one substring test each."""
    return any(f"[{tag}]" in text for tag in TAGS)


def find_blocks(text: str) -> list[OfferedBlock]:
    """The blocks of a text, in order, including those with a problem."""
    return list(_blocks(text)) if may_contain_block(text) else []


def _blocks(text: str) -> Iterator[OfferedBlock]:
    lines = text.replace("\r\n", "\n").split("\n")
    taken = 0
    opened: tuple[str, int] | None = None
    for at, line in _with_markers(lines):
        close = _CLOSE.match(line)
        if opened is None:
            if (marker := _OPEN.match(line)) is not None:
                opened = marker[1], at
            continue
        tag, start = opened
        marker = _OPEN.match(line)
        if marker is None and (close is None or close[1] != tag):
            continue
        taken += 1
        if taken > MOST_BLOCKS:
            yield _broken(lines, tag, start, at, f"more than {MOST_BLOCKS} blocks in one message")
            return
        if marker is not None:
            yield _broken(lines, tag, start, at, f"another block begins before [/{tag}]")
            opened = marker[1], at
        else:
            yield OfferedBlock(tag, "\n".join(lines[start + 1 : at]), start + 1)
            opened = None
    if opened is not None:
        yield _broken(lines, *opened, len(lines), f"is not closed with [/{opened[0]}]")


def _broken(lines: list[str], tag: str, start: int, end: int, reason: str) -> OfferedBlock:
    return OfferedBlock(tag, "\n".join(lines[start + 1 : end]), start + 1, Malformed(reason, start + 1))


def _with_markers(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines with a marker that are not quoted; inside a block, fences are ignored."""
    fence, pre, inside = "", 0, False
    for at, line in enumerate(lines):
        if not inside:
            fence_mark = _FENCE.match(line)
            if fence:
                closes = fence_mark and fence_mark[1].startswith(fence) and not fence_mark[2].strip()
                fence = "" if closes else fence
                continue
            if fence_mark and not (fence_mark[1][0] == "`" and "`" in fence_mark[2]):
                fence = fence_mark[1]
                continue
            pre = max(pre + sum(-1 if shut else 1 for shut in _PRE.findall(line)), 0)
            if pre:
                continue
        opens = "[" in line and _OPEN.match(line) is not None
        if opens or ("[" in line and _CLOSE.match(line)):
            inside = opens
            yield at, line
