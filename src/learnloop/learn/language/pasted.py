"""Blanks what a person pasted into a prompt: elements, code blocks, traces, listings and logs. Pure."""

import re
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n?(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.S | re.M)
_OPENED = re.compile(r"<([a-z][\w-]*)(?:\s[^<>]{0,500})?>")
_MOST_NAMES = 20
"""With more unclosed element names the text does not come from a harness."""
_TRACE = re.compile(r"^Traceback \(most recent call last\):.*?(?:\n[ \t]*\n|\Z)", re.S | re.M)
_LISTING = re.compile(
    r"^[^\n]*\b(?:here (?:is|are)|this is|see|output|below|contents? of"
    r"|says)\b[^\n]*:[ \t]*\n(?:[ \t]*(?:[-*•]|\d+[.)])[ \t].*(?:\n|\Z))+",
    re.I | re.M,
)
_LOG = re.compile(
    r"""^\s*(?:
      >.*                                              # a quotation
    | \[?\d{4}[-/]\d\d[-/]\d\d[T ].*                   # a time stamp
    | \[\d\d/\d\d/\d\d.*                               # a shell prompt with its date
    | \S*[\w~/-]+@[\w.-]+:\S*[$\#].*                   # a shell prompt
    | [$%❯➜]\s.*
    | [⚠✅❌✗✓✘👀♻📊🔴🟡🟢⏺●].*                        # a tool's or an agent's report
    | File\s".*",\sline\s\d+.* | at\s\S+\s?\(.*        # stack frames
    | (?:[+-]{3}|@@|diff\s--git)\s.*                   # a diff
    | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|FAILED|PASSED)\b[\s:\[].*
    | \w*(?:Error|Exception|Warning):\s.*
    | [\w./-]+:\d+(?::\d+)?:\s.*                       # file:line: message
    | (?:npm|yarn|pnpm|cargo)\s(?:ERR!|WARN|error|warning)[\s:].*
    | (?:error|warning|fatal|hint|remote|stderr|stdout)(?:\[\w+\])?:\s.*
    | [|+][-=|+\s].*                                   # tables
    | [{}\[\]();,]+\s*
    | \S{120,}
    )$""",
    re.X,
)
_LONG_LINE = 2000
"""Characters of a line that are tested for a log's form; the rest costs time and adds nothing."""


class CodeBlock(NamedTuple):
    """A fenced code block, with its place in the prompt."""

    start: int
    end: int
    code: str


def without_pasted(text: str) -> tuple[str, tuple[CodeBlock, ...]]:
    """The text with what was pasted replaced by as many newlines, so that places stay; its code blocks."""
    text = _without_elements(text)
    blocks = tuple(CodeBlock(fence.start(), fence.end(), fence[2]) for fence in _FENCE.finditer(text))
    for pattern in (_FENCE, _TRACE, _LISTING):
        text = pattern.sub(_blank, text)
    return "\n".join(
        "\n" * len(line) if _LOG.match(line[:_LONG_LINE]) else line for line in text.split("\n")
    ), blocks


def _blank(match: re.Match[str]) -> str:
    return "\n" * len(match[0])


def _without_elements(text: str) -> str:
    """The text without elements: from each tag to its end tag. An unclosed name is searched for once."""
    pieces, at = [], 0
    unclosed: set[str] = set()
    for opened in _OPENED.finditer(text):
        name = opened[1]
        if opened.start() < at or name in unclosed:
            continue
        end = text.find(f"</{name}>", opened.end())
        if end < 0:
            unclosed.add(name)
            if len(unclosed) > _MOST_NAMES:
                break
            continue
        end += len(name) + 3
        pieces += [text[at : opened.start()], "\n" * (end - opened.start())]
        at = end
    return "".join((*pieces, text[at:]))
