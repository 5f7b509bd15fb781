"""Judges prompts that come as JSON lines: what `learn detect` reads and writes."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.learn.feedback import detector
from learnloop.learn.feedback.detect import Context

Doc = dict[str, Any]
LONGEST = 8_000_000
"""Characters of one line; longer ones are refused, because a prompt never is that long."""
_POSITION = 2
"""Where a prompt stands whose place is not told: in mid-session, after something was delivered."""
_FLAGS = ("interrupted", "failed", "steering", "edited", "reverted", "asked", "machine")


def judge_lines(lines: Iterable[str]) -> Iterator[Doc]:
    """One answer a line, in order: `{id, category, confidence, feedback, reason}`, or `{id, line, error}`.

    A line is `{"text": …}` with, where known, `id`, `previous`, `position` (from 1) and what `Context` knows
    of the turn before (`interrupted`, `failed`, `edited`, …). Blank lines are passed over.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _answer(number, line)


def _answer(number: int, line: str) -> Doc:
    try:
        asked = _asked(line)
    except ValueError as error:
        return {"id": None, "line": number, "error": str(error)}
    found = detector.detect_feedback(asked["text"], _context(asked))
    return {
        "id": asked.get("id"),
        "category": found.category or "none",
        "confidence": found.confidence,
        "feedback": found.feedback,
        "reason": found.reason,
    }


def _asked(line: str) -> Doc:
    """The request of a line; raises ValueError that says what is wrong with it."""
    if len(line) > LONGEST:
        raise ValueError(f"the line is longer than {LONGEST:,} characters")
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("the line is not JSON") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
        raise ValueError('the line has no "text"')
    return asked


def _context(asked: Doc) -> Context:
    previous, position = asked.get("previous"), asked.get("position")
    flags = {name: asked.get(name) is True for name in _FLAGS}
    return Context(
        position=_place(position) - 1,
        previous=previous[:500] if isinstance(previous, str) else "",
        **flags,
    )


def _place(position: object) -> int:
    is_number = isinstance(position, int) and not isinstance(position, bool)
    return position if isinstance(position, int) and is_number and position > 0 else _POSITION
