"""Upkeep: drafts that nobody looked at for a month are archived, as a decision that can be undone."""

from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.ingest.lessons import DRAFTED
from learnloop.learn.lessons import usefulness
from learnloop.store.store import Store
from learnloop.wire import event, journal

Doc = dict[str, Any]
BY = "upkeep"


def expire(root: str, now_ms: int, lessons: Mapping[str, Doc] | None = None) -> list[str]:
    """Archive drafts unreviewed for 30 days; their ids. A draft that was brought back is left alone.

    `lessons`: the documents by id, where they are read already. The decision is appended for the next ingest
    to take; readers see it at once.
    """
    store = Store(root)
    if not store.drafts():
        return []
    known = store.lesson_docs() if lessons is None else lessons
    due = expired(known, store.documents("decisions").values(), now_ms)
    if not due:
        return []
    payload = {"action": "archive", "lesson_ids": due, "args": {"reason": "expired"}, "by": BY}
    record = event.record("decision", host="learnloop", session_id=BY, cwd="", project="", payload=payload)
    return due if journal.append(root, [record], durable=True) else []


def expired(lessons: Mapping[str, Doc], decisions: Iterable[Doc], now_ms: int) -> list[str]:
    """The ids of drafts that are due, by the stored lessons and decisions."""
    before = {lesson_id for doc in decisions if doc.get("by") == BY for lesson_id in doc["lesson_ids"]}
    found = []
    for lesson_id, doc in lessons.items():
        left = usefulness.days_until_expiry(doc, doc.get(DRAFTED, 0), now_ms)
        if left is not None and left <= 0 and lesson_id not in before:
            found.append(lesson_id)
    return found
