"""Sanitises lessons before agents see them, and detects text that would need it when it is typed.

Agents get lessons as one line each under a heading, with a short id at the end. A text could try to close
the element around it, to start a lesson of its own, or to carry another lesson's id.
"""

import re
from collections.abc import Callable

from learnloop.wire import render, text

_WRAPPERS = (
    "system", "assistant", "human", "user", "reminder", "instruction", "lesson", "learnloop", "antml",
    "function_call", "function_result", "tool_result", "background",
)  # fmt: skip
_TAG = re.compile(rf"<(?=[/\s]*(?:[\w.]*[-_:])?(?:{'|'.join(_WRAPPERS)})s?(?:[-_:][\w.:-]*)?[\s/]*>)", re.I)
_COMMENT = re.compile(r"<(?=!--)|(?<=--)>")
_MARK = re.compile(r"\(([a-z2-7]{4,26})\)")
_HEADING = render.HEADING.partition(",")[0]
_HEADING_LIKE = re.compile(re.escape(_HEADING), re.I)


def sanitize_line(words: str, is_id: Callable[[str], bool]) -> str:
    """The text on one line, changed so that it closes no element, starts no lesson and carries no id of one.

    `is_id` says whether a short id belongs to a lesson.
    """
    line = " ".join(text.clean(words).split())
    line = _COMMENT.sub(lambda match: "‹" if match[0] == "<" else "›", _TAG.sub("‹", line))
    line = _HEADING_LIKE.sub(lambda match: f"“{match[0]}”", line)
    return _MARK.sub(lambda match: f"[{match[1]}]" if is_id(match[1]) else match[0], line)


def hazard(words: str, is_id: Callable[[str], bool]) -> str:
    """What `sanitize_line` would change, as a message; empty if nothing."""
    line = " ".join(text.clean(words).split())
    if tag := _TAG.search(line) or _COMMENT.search(line):
        return f"{text.cut(line[tag.start() :], 30)!r} could be read as the end of Learnloop's text"
    if _HEADING_LIKE.search(line):
        return f"{_HEADING!r} is the heading of Learnloop's own text"
    if mark := next((match[0] for match in _MARK.finditer(line) if is_id(match[1])), ""):
        return f"{mark} is the mark of a lesson"
    if words.strip() and not any(map(str.isalnum, line)):
        return "there is nothing to read in it"
    return ""
