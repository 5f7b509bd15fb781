"""Beliefs: what a person has confirmed to be told at the start of sessions, from the decisions that stand."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision
from learnloop.models.ids import draft_id
from learnloop.models.preferences import Belief, BeliefKind

ACTIONS = ("confirm", "dismiss")


def belief_id(kind: BeliefKind, subject: str, project: str = "") -> str:
    """The id of a belief about a subject: the same whenever it is found again."""
    return draft_id(f"{kind}\0{subject}\0{project}", "belief")


def confirmed(decisions: Iterable[Decision]) -> dict[str, Belief]:
    """The beliefs that a person has confirmed and not taken back, by id, in the order of confirmation."""
    last = _last(decisions)
    return {key: belief for key, (action, belief) in last.items() if action == "confirm"}


def dismissed(decisions: Iterable[Decision]) -> dict[str, Belief]:
    """The beliefs that a person has dropped, as they were when dropped."""
    last = _last(decisions)
    return {key: belief for key, (action, belief) in last.items() if action == "dismiss"}


def belief_of(decision: Decision) -> Belief | None:
    """The belief that a decision is about; None where it is about something else, or makes no sense."""
    if decision.action not in ACTIONS:
        return None
    try:
        return Belief.model_validate(decision.args.get("belief"))
    except ValidationError:
        return None


def _last(decisions: Iterable[Decision]) -> dict[str, tuple[str, Belief]]:
    """The last standing verdict over each belief."""
    found: dict[str, tuple[str, Belief]] = {}
    for decision in effective_decisions(decisions):
        belief = belief_of(decision)
        if belief is not None:
            found.pop(belief.id, None)
            found[belief.id] = (decision.action, belief)
    return found


def affects_recall(decision: Decision, stored: Callable[[str], dict[str, Any] | None]) -> bool:
    """Whether a decision may change what agents are told: one about a belief, or one that takes it back."""
    if decision.action not in ("undo", "redo"):
        return decision.action in ACTIONS
    named = stored(str(decision.args.get("decision", "")))
    return named is None or named.get("action") in (*ACTIONS, "undo", "redo")


def trusted_projects(decisions: Iterable[Decision]) -> frozenset[str]:
    """The projects whose own files may be read."""
    found: set[str] = set()
    for decision in effective_decisions(decisions):
        project = decision.args.get("project")
        if decision.action == "trust" and isinstance(project, str) and project:
            (found.add if decision.args.get("trusted", True) else found.discard)(project)
    return frozenset(found)
