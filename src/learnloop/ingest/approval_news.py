"""What the news say of approvals outside of the console: how many since the last visit, and the newest.

Those by a standing approval count by themselves.
"""

import contextlib
import json
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons import approvals
from learnloop.learn.lessons.claims import STANDING
from learnloop.learn.lessons.decisions import held_decisions
from learnloop.models import Decision
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock, paths, regular

_WORDS = 120


def approved(root: str) -> dict[str, Any]:
    """`{approved, approved_words?, taken, taken_words?, claimed}`: counts since the last visit, the newest.

    `claimed` are changes of prompt files that may be an agent's.
    """
    recent = _recent(root, since := last_visit(root))
    claimed = [each for each in held_decisions(recent) if each.args.get("results")]
    elsewhere = approvals.elsewhere(recent, since)
    taken = [decision for decision in elsewhere if decision.by == STANDING]
    others = [decision for decision in elsewhere if decision.by != STANDING]
    return {**_counted(root, "approved", others), **_counted(root, "taken", taken), "claimed": len(claimed)}


def _counted(root: str, name: str, decisions: list[Decision]) -> dict[str, Any]:
    if not decisions:
        return {name: 0}
    lessons = Store(root).documents("lessons")
    named = [lessons[key] for decision in decisions for key in decision.lesson_ids if key in lessons]
    words = str(named[-1].get("statement", "")) if named else ""
    return {name: len(decisions), f"{name}_words": words[:_WORDS]}


def _recent(root: str, since: str) -> list[Decision]:
    """The decisions after a time, without those that say nothing of their place."""
    docs = (doc for doc in Store(root).documents("decisions").values() if doc.get("place"))
    recent = sorted((doc for doc in docs if str(doc.get("ts", "")) > since), key=lambda doc: str(doc["ts"]))
    decisions = []
    for doc in recent:
        with contextlib.suppress(ValidationError):  # `Store.damage` reports it
            decisions.append(Decision.model_validate(public_fields(doc)))
    return decisions


def last_visit(root: str) -> str:
    """When the last visit to the console ended; empty where there was none."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        return clock.iso(int(json.loads(regular.content(paths.visit(root)))["at"]))
    return ""
