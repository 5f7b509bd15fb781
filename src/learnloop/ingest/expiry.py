"""Expiry: drafts unreviewed for a month are archived, by a decision that can be undone."""

from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.ingest.lessons import DRAFTED
from learnloop.learn.lessons import claims, usefulness
from learnloop.store import seal
from learnloop.store.store import Store
from learnloop.wire import event

Doc = dict[str, Any]
BY = claims.UPKEEP


def expire(root: str, now_ms: int, lessons: Mapping[str, Doc] | None = None) -> list[str]:
    """Archive drafts unreviewed for 30 days and return their ids. A restored draft never expires again.

    `lessons` are the documents by id, if they are loaded already. The decision is appended, and
    takes effect by `decided.take`.
    """
    store = Store(root)
    if not store.drafts():
        return []
    stored = store.documents("lessons") if lessons is None else lessons
    due = expired(stored, store.documents("decisions").values(), now_ms)
    if not due:
        return []
    payload = {"action": "archive", "lesson_ids": due, "args": {"reason": "expired"}, "by": BY}
    record = event.record("decision", host="learnloop", session_id=BY, cwd="", project="", payload=payload)
    return due if seal.append(root, [record]) else []


def expired(lessons: Mapping[str, Doc], decisions: Iterable[Doc], now_ms: int) -> list[str]:
    """Return the ids of drafts that are due."""
    before = {lesson_id for doc in decisions if doc.get("by") == BY for lesson_id in doc["lesson_ids"]}
    due = []
    for lesson_id, doc in lessons.items():
        left = usefulness.days_until_expiry(doc, doc.get(DRAFTED, 0), now_ms)
        if left is not None and left <= 0 and lesson_id not in before:
            due.append(lesson_id)
    return due
