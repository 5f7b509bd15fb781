"""The agents that a lesson came from and those that were told it, and corrections before and since."""

from collections.abc import Iterable

from learnloop.ingest import recurring, tellings
from learnloop.learn.lessons import repeats
from learnloop.models.lesson import Lesson
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock, hosts


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


def story(ws: Workspace, lesson_id: str, now_ms: int | None = None, *, advises: bool = False) -> str:
    """`11 corrections about npm in the 30 days before, 1 in the 12 days since`; empty without any.

    With advice it says to keep a lesson whose corrections became fewer.
    """
    lesson = documents.lessons(ws.root).get(lesson_id) or {}
    store, is_global = Store(ws.root), lesson.get("scope") == "global"
    entries = store.documents(recurring.TABLE).values()
    reach = min((entry["ts"] for entry in entries), default="")[:10] if len(entries) >= recurring.MOST else ""
    worked = {
        day
        for tally in store.documents("agents").values()
        if is_global or tally["project"] == lesson.get("project")
        for day in tally["_days"]
        if day >= reach
    }
    here = [entry for entry in entries if is_global or entry["project"] == lesson.get("project")]
    complaints = lesson.get(tellings.COMPLAINTS) or {}
    now = clock.now_ms() if now_ms is None else now_ms
    compared = repeats.compare(lesson, complaints, here, worked, now)
    is_kept = advises and compared is not None and compared.has_fallen
    return f"{compared.words}{': keep it' if is_kept else ''}" if compared else ""
