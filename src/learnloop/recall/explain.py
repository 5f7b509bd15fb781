"""Explains a moment: every part of every lesson's score, and what became of those that fire. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from learnloop.models.base import Document
from learnloop.recall.compile import records
from learnloop.wire import relevance, render

Held = Literal["", "top", "budget"]


class Explained(Document):
    """One lesson at one moment. Parts of the score are hundredths."""

    id: str
    short: str
    statement: str
    says: str
    """What the agent is told, without the short id."""
    priority: str
    tool: int
    target: int
    action: int
    context: int
    base: int
    multiplier: int
    final: int
    threshold: int
    fires: bool
    """The score alone says that it is told."""
    why: str
    """Why it fires, or why it does not."""
    told: bool = False
    """It is among the best and there is room for it."""
    held_back: Held = ""
    """It fires, but better ones come first (`top`) or it does not fit the budget (`budget`)."""


def explain(
    lessons: Iterable[Mapping[str, Any]], moment: Mapping[str, Any], budgets: Mapping[str, int], now: str = ""
) -> list[Explained]:
    """What recall makes of each lesson in use at a moment, best first; nothing was told before."""
    ready = relevance.Moment(dict(moment))
    threshold = budgets.get("threshold", relevance.THRESHOLD)
    found = records(lessons, now, render.most_characters(budgets["call_tokens"]))
    scored = [(record, relevance.score(record, ready, threshold)) for record in found]
    scored.sort(key=lambda pair: (not pair[1]["fires"], -pair[1]["final"], pair[0]["id"]))
    best = [record for record, score in scored if score["fires"]][: budgets["per_call"]]
    told = {record["id"]: record for record in render.fit_budget(best, budgets["call_tokens"])}
    chosen = {record["id"] for record in best}
    return [
        _explained(told.get(record["id"], record), score, record["id"] in told, record["id"] in chosen)
        for record, score in scored
    ]


def _explained(record: dict[str, Any], score: Mapping[str, Any], told: bool, chosen: bool) -> Explained:
    held: Held = "" if told or not score["fires"] else "budget" if chosen else "top"
    return Explained(
        id=record["id"],
        short=record["short"],
        statement=record["text"],
        says=render.words(record),
        priority=record["priority"],
        told=told,
        held_back=held,
        **score,
    )
