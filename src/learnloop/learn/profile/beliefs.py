"""Beliefs that a person confirmed, which agents get at the start of sessions; read from decisions. Pure."""

import hashlib
import heapq
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision
from learnloop.models.ids import draft_id
from learnloop.models.preferences import Belief, BeliefKind

ACTIONS = ("confirm", "dismiss")
WRITTEN_FILES = "trusted_files"
"""In a decision about patches: by trusted project the hash of its files after they were written."""
_TRUSTING = ("trust", "undo", "redo")


def belief_id(kind: BeliefKind, subject: str, project: str = "") -> str:
    """The id of a belief; the same for the same kind, subject and project."""
    return draft_id(f"{kind}\0{subject}\0{project}", "belief")


def confirmed(decisions: Iterable[Decision]) -> dict[str, Belief]:
    """Confirmed beliefs by id, in the order of confirmation."""
    last = _last(decisions)
    return {key: belief for key, (action, belief) in last.items() if action == "confirm"}


def dismissed(decisions: Iterable[Decision]) -> dict[str, Belief]:
    """Dismissed beliefs by id, as they were when dismissed."""
    last = _last(decisions)
    return {key: belief for key, (action, belief) in last.items() if action == "dismiss"}


def mark(words: str) -> str:
    """What tells the words of a belief from others, where those themselves are not kept."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def settled(decisions: Iterable[Decision]) -> dict[str, tuple[str, str]]:
    """By id the mark of each belief that a kept lesson stands for, and that lesson."""
    marks: dict[str, tuple[str, str]] = {}
    for decision in effective_decisions(decisions):
        if (belief := belief_of(decision)) is not None:
            marks.pop(belief.id, None)
        marks |= _settled(decision)
    return marks


def _settled(decision: Decision) -> dict[str, tuple[str, str]]:
    also = decision.args.get("also")
    parts = also.items() if isinstance(also, dict) else ()
    return {
        name: (str(words), lesson_id)
        for lesson_id, part in parts
        if isinstance(part, dict) and isinstance(part.get("beliefs"), dict)
        for name, words in part["beliefs"].items()
    }


def belief_of(decision: Decision) -> Belief | None:
    """The belief that a decision is about; None if there is none or it is invalid."""
    if decision.action not in ACTIONS:
        return None
    try:
        return Belief.model_validate(decision.args.get("belief"))
    except ValidationError:
        return None


def _last(decisions: Iterable[Decision]) -> dict[str, tuple[str, Belief]]:
    """The last effective action on each belief."""
    last_by_id: dict[str, tuple[str, Belief]] = {}
    for decision in effective_decisions(decisions):
        for name in _settled(decision):
            last_by_id.pop(name, None)
        belief = belief_of(decision)
        if belief is not None:
            last_by_id.pop(belief.id, None)
            last_by_id[belief.id] = (decision.action, belief)
    return last_by_id


def concerns_trust(decision: Mapping[str, Any]) -> bool:
    """Whether a decision's document may change which files are trusted."""
    return decision.get("action") in _TRUSTING or WRITTEN_FILES in (decision.get("args") or {})


def trusted_projects(decisions: Iterable[Decision], of: str = "files") -> dict[str, str]:
    """The projects whose own files Learnloop may read, each with the hash of the files it is given for.

    What the person wrote by a patch is trusted with the rest. The hash is empty where an earlier version
    recorded none: then any content is trusted, but no `shared` lesson, which have a hash of their own.
    """
    every, digests = list(decisions), dict[str, str]()
    ours = [
        decision
        for decision in every
        if of == "files" and WRITTEN_FILES in decision.args and not decision.claimed
    ]
    for decision in heapq.merge(effective_decisions(every), ours, key=lambda decision: decision.ts):
        written = decision.args.get(WRITTEN_FILES) or {}
        digests |= {project: str(written[project]) for project in digests.keys() & written.keys()}
        project = decision.args.get("project")
        if decision.action == "trust" and isinstance(project, str) and project:
            digests.pop(project, None)
            if decision.args.get("trusted", True):
                digests[project] = str(decision.args.get(of, ""))
    return digests
