"""Queries of the lists: rows proposed for archiving, lessons whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.view.state import Detail, Past, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.models import Lesson
    from learnloop.service.workspace import Workspace


def with_proposals(ws: Workspace, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows, those proposed for archiving behind the drafts."""
    from learnloop.service.lessons import rows as lesson_rows

    if not lesson_rows.has_proposals(ws):
        return rows  # upkeep takes longer to import than the rows take to read
    from learnloop.service.lessons import upkeep

    proposals = {proposal.lesson_id: proposal.words for proposal in upkeep.proposals(ws)}
    if not proposals:
        return rows
    proposed = tuple(row._replace(proposal=proposals[row.id]) for row in rows if row.id in proposals)
    others = [row for row in rows if row.id not in proposals]
    drafts = [row for row in others if row.status == "draft"]
    return (*drafts, *proposed, *(row for row in others if row.status != "draft"))


def places(ws: Workspace) -> tuple[frozenset[str], bool]:
    """The ids of the lessons of which a block stands in a prompt file, and whether there is an experiment."""
    from learnloop.service.experiments import reports
    from learnloop.service.patches import board

    applied = [patch for patch in board.stored_patches(ws.root).values() if patch.state == "active"]
    in_files = frozenset(name for patch in applied for name in (patch.source_id, *patch.evidence))
    return in_files, bool(reports.experiments(ws))


def detail(ws: Workspace, row_id: str) -> Detail:
    """A lesson, whole, with its history if it was ever judged."""
    from learnloop.service.history import sentences
    from learnloop.service.lessons import documents, outcome_words, queue
    from learnloop.service.transfer import team

    lesson = documents.find(ws, row_id)
    is_judged = lesson.status != "draft" or bool(lesson.reviewed_at)
    past = sentences.history(ws, None, lambda decision: row_id in decision.lesson_ids) if is_judged else ()
    return Detail(
        lesson,
        queue.explain_strength(lesson),
        outcome_words.story(lesson.as_json()),
        tuple(Past(entry["ts"], entry["sentence"], entry["undone"]) for entry in past),
        team.counted(ws.root, row_id),
    )


def contradiction(ws: Workspace, ids: Sequence[str]) -> str:
    """Why two of these lessons cannot both be followed; empty where they can."""
    from learnloop.service.lessons import overlaps

    against = (overlaps.contradiction_of(ws, lesson) for lesson in lessons(ws, ids))
    return next((other.reason for other in against if other and other.other.lesson_id in ids), "")


def came_from(ws: Workspace, ids: Sequence[str]) -> dict[str, str]:
    """The project of each lesson, also of one that holds everywhere; empty where none is known."""
    from learnloop.service.lessons import documents

    return {lesson.id: documents.came_from(ws, lesson) for lesson in lessons(ws, ids)}


def lessons(ws: Workspace, ids: Sequence[str]) -> tuple[Lesson, ...]:
    """Several lessons, without explanations."""
    from learnloop.service.lessons import documents

    return tuple(documents.find(ws, lesson_id) for lesson_id in ids)
