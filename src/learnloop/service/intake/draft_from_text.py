"""Draft lessons from a text: an agent's output, a rating, a test's result, a review."""

import json
from typing import Any

from learnloop.errors import Refused, Unreadable
from learnloop.learn.offers import extract
from learnloop.learn.offers.knowledge import Origin
from learnloop.learn.offers.plain_yaml import Malformed
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.review import add_lessons, agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, env

MOST_CHARACTERS = 1_000_000
_LONGEST_LABEL = 24
_TYPES = ("suggestion", "issue", "praise")
_OTHER_WORDS = {
    "nitpick": "suggestion", "nit": "suggestion", "minor": "suggestion", "todo": "suggestion", "bug": "issue",
    "problem": "issue", "blocker": "issue", "nice": "praise", "kudos": "praise",
}  # fmt: skip
"""What reviewers call the three types besides."""


def draft(
    ws: Workspace, source: str, text: str, *, project: str = "", agent: str = "", rating: int = 0,
    name: str = "", fix: str = "",
) -> list[Lesson]:  # fmt: skip
    """Add the drafts of a text, and return those that are new.

    `source` is output, feedback (with a rating), test (the text is its error; with name and fix) or review
    (a comment a line, `issue: …`, `praise: …`, or JSON). Raises Refused for another source, a missing value
    or too long a text, Unreadable for a malformed one.
    """
    agent_guard.refuse("draft lessons of a text")
    if len(text) > MOST_CHARACTERS:
        raise Refused(f"the text is longer than {MOST_CHARACTERS} characters", "give the part that matters")
    words, project, agent, name, fix = workspace.redacted(ws, [text, project, agent, name, fix])
    ms = clock.now_ms()
    trust = "user" if source == "feedback" and not env.is_on("CLAUDECODE") else "agent"
    origin = Origin(
        event_id=clock.new_id(ms), ts=clock.iso(ms), rule=f"draft:{source}", project=project, trust=trust,
        session_id=workspace.redacted(ws, env.get("CLAUDE_CODE_SESSION_ID")),
    )  # fmt: skip
    try:
        lessons = _extracted(source, words, origin, agent, rating, name, fix)
    except Malformed as error:
        raise Unreadable(
            f"nothing can be made of it: {error.reason}", "see learn discover --draft --help"
        ) from None
    new = add_lessons.arrivals(ws, lessons).new
    add_lessons.add(ws, new)
    return new


def _extracted(
    source: str, words: str, origin: Origin, agent: str, rating: int, name: str, fix: str
) -> tuple[Lesson, ...]:
    match source:
        case "output":
            return extract.from_output(words, origin, agent).lessons
        case "feedback":
            if not 1 <= rating <= 5:
                raise Refused("feedback needs a rating from 1 to 5", "give it with --rating")
            return extract.from_feedback(words, rating, origin).lessons
        case "test":
            if not name or not fix:
                raise Refused("a test's result needs its name and the fix", "give --name and --fix")
            return extract.from_test(name, passed=False, error=words, fix=fix, origin=origin).lessons
        case "review":
            return extract.from_review(_comments(words), origin).lessons
    raise Refused(f"{source!r} is no known source", "take output, feedback, test or review")


def _comments(text: str) -> list[extract.Comment]:
    """The comments in a text: one a line, or a JSON list of {type, text}; raises Unreadable."""
    if not text.lstrip().startswith("["):
        return [_comment(line) for line in text.split("\n") if line.strip()]
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the comments are not JSON ({error})", "give a comment a line") from None
    return [_checked(item, number) for number, item in enumerate(items, 1)]


def _comment(line: str) -> extract.Comment:
    """The comment on a line, a suggestion where it names no type."""
    before, colon, rest = line.partition(":")
    kind = before.lower().strip("-*_ ").partition(" ")[0].partition("(")[0]
    kind = _OTHER_WORDS.get(kind, kind) if len(before) <= _LONGEST_LABEL else ""
    if colon and kind in _TYPES:
        return _checked({"type": kind, "text": rest}, 1)
    return extract.Comment("suggestion", line.strip())


def _checked(item: Any, number: int) -> extract.Comment:
    if not isinstance(item, dict) or item.get("type") not in _TYPES or not isinstance(item.get("text"), str):
        raise Unreadable(f"comment {number} is none", f"it has a text and a type: {', '.join(_TYPES)}")
    return extract.Comment(item["type"], item["text"].strip())
