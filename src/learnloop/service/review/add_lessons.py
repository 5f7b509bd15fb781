"""Lessons that come from elsewhere: which of them are new, and one decision for each of those."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from learnloop.errors import Busy, Refused
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.lessons import documents
from learnloop.wire import event, journal

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

_WAIT_S = 5.0


def new(ws: "Workspace", lessons: Iterable[Lesson]) -> tuple[list[Lesson], int]:
    """Those that no lesson says yet, and how many one does; a rejected one counts too."""
    present = documents.lessons(ws.root)
    ids = set(present)
    prints = {str(doc.get("fingerprint", "")) for doc in present.values()} - {""}
    found, known = [], 0
    for lesson in lessons:
        if lesson.id in ids or lesson.fingerprint in prints:
            known += 1
            continue
        ids.add(lesson.id)
        prints |= {lesson.fingerprint} - {""}
        found.append(lesson)
    return found, known


def add(ws: "Workspace", lessons: Iterable[Lesson]) -> None:
    """One decision a lesson, all of them in one durable append; raises Refused where nothing keeps them."""
    records = [
        event.record(
            "decision", host="learnloop", session_id=ws.by, cwd="", project="",
            payload={"action": "add", "lesson_ids": [one.id], "args": {"lesson": one.as_json()}, "by": ws.by},
        )
        for one in lessons
    ]  # fmt: skip
    if not records:
        return
    if not journal.append(ws.root, records, durable=True):
        raise Refused(f"nothing could be written under {ws.root}", "check free space and permissions")
    try:
        workspace.ingest(ws, wait_s=_WAIT_S)
    except Busy:
        return  # what was appended is seen at once, and whoever ingests next takes it along
