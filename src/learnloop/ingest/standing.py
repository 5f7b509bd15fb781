"""Approvals in the name of a person's standing one: claimed where it does not cover them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from learnloop.ingest.effects import DecisionClaimed
from learnloop.ingest.facts_read import FACTS
from learnloop.learn.facts import standing_approval
from learnloop.learn.lessons import claims
from learnloop.models.decision import Decision, DecisionClock
from learnloop.store.tinydb_file import public_fields

_RELEVANT = ("facts", "undo", "redo", "accept", "discard")


def checked(decision: Decision, tables: Callable[[str], Any]) -> Decision:
    """The decision, claimed if it is in the name of a standing approval that does not cover it."""
    if decision.claimed or decision.by != claims.STANDING:
        return decision
    reason = standing_approval.fault(decision, _relevant(tables("decisions")))
    facts = {
        doc["lesson_id"]: doc["project"] for doc in tables(FACTS).all().values() if doc["status"] == "draft"
    }
    for lesson_id in decision.lesson_ids:
        doc, project = tables("lessons").peek(lesson_id), decision.args.get("project")
        is_covered = doc is None or (facts.get(lesson_id) == project and doc.get("trust", "user") == "user")
        reason = reason or ("" if is_covered else standing_approval.NO_FACT)
    return decision.with_(claimed=reason)


def unfounded(consent: Decision, table: Any) -> Iterator[DecisionClaimed]:
    """The approvals that rested on a decision which is claimed now."""
    if consent.action != "facts":
        return
    every = list(_relevant(table))
    for decision in list(_of(table, lambda doc: doc.get("by") == claims.STANDING and not doc.get("claimed"))):
        if reason := standing_approval.fault(decision, every):
            yield DecisionClaimed(decision.id, reason)


def _relevant(table: Any) -> Iterable[Decision]:
    times = DecisionClock().times(table.all())
    return sorted(_of(table, lambda doc: doc.get("action") in _RELEVANT), key=lambda each: times[each.id])


def _of(table: Any, is_included: Any) -> Iterator[Decision]:
    return (Decision.model_validate(public_fields(doc)) for doc in table.all().values() if is_included(doc))
