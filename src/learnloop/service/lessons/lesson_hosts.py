"""The agents that a lesson came from, and those that were told it."""

from collections.abc import Iterable

from learnloop.ingest import tellings
from learnloop.models.lesson import Lesson
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import hosts


def corrected_in(ws: Workspace, lesson: Lesson) -> str:
    """The agents in whose sessions its evidence stands, by their titles."""
    return _titles(Store(ws.root), {evidence.session_id for evidence in lesson.evidence})


def told_in(ws: Workspace, lesson: Lesson) -> str:
    """The agents that were told it in its last sessions, by their titles."""
    store = Store(ws.root)
    stored = store.documents("lessons").get(lesson.id, {})
    return _titles(store, stored.get(tellings.TELLINGS) or {})


def _titles(store: Store, session_ids: Iterable[str]) -> str:
    """The hosts of sessions, in the order in which people are shown hosts."""
    missing, names = set(session_ids), set()
    for doc in store.all_documents("sessions") if missing else ():
        if doc["id"] in missing:
            names.add(doc["host"])
            missing.discard(doc["id"])
        if not missing:
            break
    return ", ".join(hosts.description(name)["title"] for name in hosts.NAMES if name in names)
