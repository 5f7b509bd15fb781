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
_COPIED = re.compile(
    r"""\s*(?:
      \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d                         # a time stamp
    | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d+\s\d\d:\d\d:\d\d\s
    | \#\#\[ | \#!/ | make(?:\[\d+\])?:\s | (?:In|Out)\s?\[\d+\]: | WEBVTT$ | BEGIN:V\w+$
    | [$%❯➜]\s+\S | PS\s[A-Z]:\\ | ;\s\w | \\(?:section|begin|end|documentclass|usepackage)\{ | [\w.-]+@[\w.-]+:\S*[$\#]\s
    | (?:npm|yarn|pnpm|cargo)\s(?:ERR!|WARN|error|warning)\s | [\w./-]+:\d+(?::\d+)?:\s | [\w./-]+\.\w+:\d+\s\w+:\s
    | (?:error|warning|fatal|hint|remote|lint)(?:\[\w+\])?:\s
    | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[\s:\[]
    | Traceback\s\(most | File\s".*",\sline\s\d | at\s\S+\s?\( | E\s{3,}\w
    | [\w.]*(?:Error|Exception|Warning):\s | [\w.]+(?:Error|Exception)$ | Uncaught\s
    | =+\s(?:FAILURES|ERRORS|short|test|\d+\s(?:failed|passed)) | _{3,}\s\w+\s_{3,}$
    | (?:[+-]{3}|diff\s--git|index\s[0-9a-f]{7})\s | @@\s | commit\s[0-9a-f]{7,40}$
    | //(?!\S*\s*$) | /\* | \*/ | \*\s@?\w+.*\*?$(?<=\*/) | \#\s?(?:TODO|NOTE|FIXME|XXX|HACK)\b | --\s\w+.*$(?<![-])(?=\Z)
    | <!--|<!DOCTYPE | <\?xml | </?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>\s*$
    | (?:def|class)\s\w+.*:$ | (?:async\s)?function\s\w*\( | (?:export|public|private|static)\s+(?:default|function|class|const|void|async)\b
    | (?:const|let|var)\s\w+\s= | import\s[\w{*].*\sfrom\s | from\s[\w.]+\simport\s | \#include\b | FROM\s\S+:\S+$
    | (?:SELECT|UPDATE|INSERT\sINTO|DELETE\sFROM|CREATE\sTABLE)\s.*(?:;|\b(?:FROM|SET|VALUES)\b)
    | (?:package\s\w+|import\s\w[\w.]*|\w*\s?=\s?\[)$ | .{3,}\s\{\s*$ | \}.{0,3}$ | \[[\w.-]+\]\s*$ | fn?unc?\s\w+\(
    | <(\w+)[^<>]*>.*</(\w+)>\s*$ | thread\s'.*'\spanicked | (?:note|help|Caused\sby):\s | [-+]{3,}[-+|]*\s*$ | \(\d+\srows?\)
    | (?:PASS|FAIL)\s\S+ | (?:Build|Test|Job|Run|Deploy\w*)\sfailed:\s | Exit\scode\s\d | \{".*\}\s*$ | \w+(?:,\w+)+$ | ●\s | \[[ xX]\]\s | .*\sby\s@\S+\sin\s\#\d+
    | \w[\w\s*]*\(.*\)\s*(?:\{|;)\s*$ | [{\[]\s*$ | "{3}\w? | '{3}\w? | ["']\w+["']\s*:\s
    | \w+(?:,\w+){2,}$ | \d+(?:,(?:"[^"]*"|[^",\s]+)){2,}$
    )""",
    re.X,
)
_QUOTED = re.compile(r"\s*(?:>|[\"“].{20,}[\"”]\s*$)")
_BESIDE_CODE = re.compile(r"\s*(?:\#|//|/?\*)\s|\s{2,}\S")
_MARKED = re.compile(r"\s*(?:>|[⚠✅❌✗✓✘👀♻📊🔴🟡🟢⏺]|[|+][-=|+\s]|FAILED\b|\S{120,}$)")
"""A quotation, a tool's report, a table, what no person types in one word."""
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
        "\n" * len(line) if _is_log(line[:_LONG_LINE]) else line for line in text.split("\n")
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


def _is_log(line: str) -> bool:
    return is_copied(line) or _MARKED.match(line) is not None


def is_quoted(line: str) -> bool:
    """Whether a line is marked as quoted: what follows it may be an answer to it."""
    return _QUOTED.match(line) is not None


def is_beside_code(line: str) -> bool:
    """Whether a line among code belongs to it: a comment, or what is indented."""
    return _BESIDE_CODE.match(line) is not None


def is_copied(line: str) -> bool:
    """Whether nobody types such a line: a log, code, a trace, a command with its prompt."""
    return _COPIED.match(line) is not None
