"""Judge prompts that come as JSON lines: the input and output of `learn ingest --detect`."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.learn.feedback import detector
from learnloop.learn.feedback.prompt_rules import Context

Doc = dict[str, Any]
LONGEST = 8_000_000
"""Characters of one line; longer lines are refused, because no prompt is that long."""
_POSITION = 2
"""The position of a prompt without one: in mid-session, after something was delivered."""
_FLAGS = ("interrupted", "failed", "steering", "edited", "reverted", "asked", "machine")


def judge_lines(lines: Iterable[str]) -> Iterator[Doc]:
    """One answer a line, in order: `{id, category, confidence, feedback, reason}`, or `{id, line, error}`.

    A line is `{"text": …}` with optional `id`, `previous`, `position` (from 1) and the flags of `Context`
    about the turn before (`interrupted`, `failed`, `edited`, …). Blank lines are skipped.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _answer(number, line)


def _answer(number: int, line: str) -> Doc:
    try:
        request = _request(line)
    except ValueError as error:
        return {"id": None, "line": number, "error": str(error)}
    verdict = detector.detect_feedback(request["text"], _context(request))
    return {
        "id": request.get("id"), "category": verdict.category or "none", "confidence": verdict.confidence,
        "feedback": verdict.feedback, "reason": verdict.reason,
    }  # fmt: skip


def _request(line: str) -> Doc:
    """The request on a line; raises ValueError with what is wrong with it."""
    if len(line) > LONGEST:
        raise ValueError(f"the line is longer than {LONGEST:,} characters")
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("the line is not JSON") from None
    if not isinstance(request, dict) or not isinstance(request.get("text"), str):
        raise ValueError('the line has no "text"')
    return request


def _context(request: Doc) -> Context:
    previous, position = request.get("previous"), request.get("position")
    if not isinstance(position, int) or isinstance(position, bool) or position <= 0:
        position = _POSITION
    flags = {name: request.get(name) is True for name in _FLAGS}
    return Context(
        position=position - 1, previous=previous[:500] if isinstance(previous, str) else "", **flags
    )
