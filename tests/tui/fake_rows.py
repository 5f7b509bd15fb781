"""A lesson as a row of a list, and as a verdict leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.learn.lessons import scorer
from learnloop.service.lessons.row import told_words
from learnloop_tui.view.state import Row, Verdict

if TYPE_CHECKING:
    from learnloop.models import Lesson

_AFTER = {"promote": "active", "reject": "rejected", "archive": "archived", "restore": "draft"}


def row(lesson: Lesson) -> Row:
    """How a list shows a lesson."""
    statement = lesson.statement or lesson.evidence[0].quote
    return Row(
        id=lesson.id, short=lesson.id[:4], status=lesson.status, statement=statement,
        needs_words=lesson.needs_words, paused=lesson.paused,
        scope=lesson.scope, project=lesson.project, seen=lesson.seen_count,
        strength=round(lesson.confidence * 100), usefulness=0.5,
        heeded=scorer.verdicts(lesson.usage.model_dump()).share,
        recalled=lesson.usage.recalled, words=f"{statement} {lesson.kind}".lower(), kind=lesson.kind,
        category=lesson.category, priority=lesson.priority, agents=(lesson.evidence[0].agent or "main",),
        source=lesson.source, trust=lesson.trust, created=lesson.created, told=told_words(lesson.as_json()),
    )  # fmt: skip


def decided(lesson: Lesson, verdict: Verdict) -> Lesson:
    """The lesson as a verdict leaves it."""
    args = dict(verdict.args)
    if verdict.action in _AFTER:
        worded = {"statement": args["statement"], "needs_words": False} if args.get("statement") else {}
        back = "active" if verdict.action == "restore" and lesson.status == "archived" else None
        return lesson.with_(status=back or _AFTER[verdict.action], **worded)
    if verdict.action in ("pause", "resume"):
        return lesson.with_(paused=verdict.action == "pause")
    if verdict.action in ("bind", "rate", "keep", "merge"):
        return lesson
    return lesson.with_(**args)
