"""Text in a lesson that poses as something else: found when it is typed, made harmless before it is told.

Agents get lessons as one line each under a heading, with a short id at the end. So a text could try to end
what wraps it, to begin a lesson of its own, or to bear another lesson's id.
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
    """The text on one line, so that it closes no wrapper, begins no lesson and bears no lesson's id.

    `is_id` tells whether a short id names a lesson.
    """
    line = " ".join(text.clean(words).split())
    line = _COMMENT.sub(lambda found: "‹" if found[0] == "<" else "›", _TAG.sub("‹", line))
    line = _HEADING_LIKE.sub(lambda found: f"“{found[0]}”", line)
    return _MARK.sub(lambda found: f"[{found[1]}]" if is_id(found[1]) else found[0], line)


def hazard(words: str, is_id: Callable[[str], bool]) -> str:
    """What in a text poses as something else, in words; nothing where it is what it seems."""
    line = " ".join(text.clean(words).split())
    if tag := _TAG.search(line) or _COMMENT.search(line):
        return f"{text.cut(line[tag.start() :], 30)!r} could be read as the end of what Learnloop tells"
    if _HEADING_LIKE.search(line):
        return f"{_HEADING!r} is how Learnloop begins what it tells"
    if mark := next((found[0] for found in _MARK.finditer(line) if is_id(found[1])), ""):
        return f"{mark} is the mark of a lesson"
    if words.strip() and not any(map(str.isalnum, line)):
        return "there is nothing to read in it"
    return ""
