"""Queries on better words for drafts, which a model gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from learnloop.service.facts.reword_drafts import RewordPlan, RewordReport
    from learnloop.service.workspace import Workspace


def plan(ws: Workspace, ids: Sequence[str]) -> RewordPlan:
    """What asking about these drafts would cost."""
    from learnloop.service.facts import reword_drafts

    return reword_drafts.plan(ws, ids)


def ask(ws: Workspace, ids: Sequence[str], stopped: Callable[[], bool]) -> RewordReport:
    """Ask about these drafts; it takes as long as the model does."""
    from learnloop.service.facts import reword_drafts

    return reword_drafts.ask(ws, ids, stopped)
