"""Lessons that a session is told, and what their counts say then."""

from typing import Any

from learnloop.ingest.run import ingest
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.ingest.session_scene import Scene, write

PROJECT = "/code/shop"
ONCE = {"recalled": 1, "told_sessions": 1}


def add(ws: Workspace, statement: str, **more: Any) -> str:
    """The id of a lesson that the person added."""
    return verdicts.add(ws, statement, scope="project", project=PROJECT, **more).lesson_ids[0]


def take(ws: Workspace, *scenes: Scene) -> None:
    """Ingest what happened."""
    write(ws.root, *scenes)
    ingest(ws.root, wait_s=5)


def usage(ws: Workspace, lesson_id: str) -> dict[str, Any]:
    """The counts of a lesson by session that are not nothing; `outcome_words.moments` has those by moment."""
    counts = documents.find(ws, lesson_id).usage.as_json()
    others = ("last_recalled", "last_useful", "held", "broken", "ordered", "retried")
    return {name: value for name, value in counts.items() if value and name not in others}
