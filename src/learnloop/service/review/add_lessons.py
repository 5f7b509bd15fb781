"""Lessons that come from elsewhere: which of them are new, and one decision for each of those."""

from collections.abc import Iterable

from learnloop.models import Lesson
from learnloop.service import event_log
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace

_WAIT_S = 5.0


def new_lessons(ws: Workspace, lessons: Iterable[Lesson]) -> tuple[list[Lesson], int]:
    """The lessons that the store does not have, and how many it has, by id or by what they say.

    A rejected lesson counts as one that the store has.
    """
    docs = documents.lessons(ws.root)
    ids = set(docs)
    fingerprints = {str(doc.get("fingerprint", "")) for doc in docs.values()} - {""}
    new_lessons, present = [], 0
    for lesson in lessons:
        if lesson.id in ids or lesson.fingerprint in fingerprints:
            present += 1
            continue
        ids.add(lesson.id)
        fingerprints |= {lesson.fingerprint} - {""}
        new_lessons.append(lesson)
    return new_lessons, present


def add(ws: Workspace, lessons: Iterable[Lesson]) -> None:
    """Append one decision for each lesson, all in one piece; raises Refused as `event_log.decide` does."""
    records = [
        event_log.decision_record(ws.by, "add", [lesson.id], {"lesson": lesson.as_json()})
        for lesson in lessons
    ]
    if records:
        event_log.append(ws, records)
        event_log.ingest(ws, _WAIT_S)
