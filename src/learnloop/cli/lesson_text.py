"""A lesson in a few words, as listings and reports print it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import output

if TYPE_CHECKING:
    from learnloop.models.lesson import Lesson
    from learnloop.service.lessons.row import Row


def summary(lesson: Lesson) -> str:
    """The statement, or the quote that still needs one."""
    if lesson.statement:
        return lesson.statement
    quote = lesson.evidence[0].quote if lesson.evidence else lesson.title
    return f"(needs words) {output.short(quote, 200)}"


def status(lesson: Lesson | Row) -> str:
    """The status; a paused lesson is `paused`, not `active`."""
    return "paused" if lesson.paused and lesson.status == "active" else lesson.status


def place(row: Row) -> str:
    """Where a lesson counts: the project's folder name, or `everywhere`."""
    return "everywhere" if row.scope == "global" else row.folder or row.project
