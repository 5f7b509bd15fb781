"""What the news say of approvals outside of the console: how many since the last visit, and the newest."""

import contextlib
import json
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons import approvals
from learnloop.models import Decision
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock, paths, regular

_WORDS = 120


def approved(root: str) -> dict[str, Any]:
    """`{"approved", "approved_words"}`: the count since the last visit, and the newest words."""
    elsewhere = approvals.elsewhere(_recent(root, since := last_visit(root)), since)
    if not elsewhere:
        return {"approved": 0}
    lessons = Store(root).documents("lessons")
    named = [lessons[name] for decision in elsewhere for name in decision.lesson_ids if name in lessons]
    words = str(named[-1].get("statement", "")) if named else ""
    return {"approved": len(elsewhere), "approved_words": words[:_WORDS]}


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
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return clock.iso(int(json.loads(regular.content(paths.visit(root)))["at"]))
    return ""
