"""Retention: what was recorded is removed after its time, wherever it is kept; drafts nobody reviewed in a
month are archived, by a decision that can be undone.

Lessons and decisions stay, and with them the words that they quote. Ages follow from the times of the events;
where a clock was ahead, from when a file was written.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import Busy
from learnloop.ingest import facts_read, recent_calls
from learnloop.ingest.lessons import DRAFTED
from learnloop.learn.lessons import claims, scorer
from learnloop.models.fact import FACTS
from learnloop.store import files, repair, seal, segments
from learnloop.store.document_table import KINDS, Span, last_time
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.wire import clock, event, paths

Doc = dict[str, Any]
DAY_MS = 24 * 3600 * 1000
_FIRST = "0"
"""Sorts before every time."""
_ASIDE = (paths.quarantine, paths.log, paths.known_facts)


def retire(root: str) -> None:
    """Remove what is older than the settings let it be kept; raises Unreadable for invalid settings."""
    before_ms = clock.now_ms() - settings.load(environment=False).retention_days * DAY_MS
    segments.prune(root, before_ms=before_ms, cursor=Store(root).cursor())
    with contextlib.suppress(Busy, Repaired):  # the next ingest takes it
        _prune_documents(root, clock.iso(before_ms))
    for folder in (place(root) for place in _ASIDE):
        for path in files.listing(Path(folder), ""):
            if path.is_file() and path.lstat().st_mtime * 1000 < before_ms:
                path.unlink(missing_ok=True)
    repair.prune(root, before_ms)


def _prune_documents(root: str, before: str) -> None:
    """Remove documents whose last event was before a time."""
    store = Store(root)
    due = list(_old_documents(store, before))
    if not due:
        return
    with store.transaction(wait_s=0.0) as changes:
        for name, key in due:
            (changes.documents(name) if name in KINDS else changes.table(name)).remove(key)
        recent_calls.retire(changes.state, before)


_IN_FILES = {FACTS: "created", facts_read.RUNS: "started"}
"""Tables of what is read in events, and what says when that was."""


def _old_documents(store: Store, before: str) -> Iterator[tuple[str, str]]:
    """The table and the id of each; one that does not say when it was waits for the event that does."""
    for kind in KINDS:
        every = store.all_documents(kind, Span(_FIRST, before[:10]))
        yield from ((kind, doc["id"]) for doc in every if last_time(kind, doc) < before)
    for name, field in _IN_FILES.items():
        docs = store.documents(name).items()
        yield from ((name, key) for key, doc in docs if str(doc.get(field) or "") < before)


BY = claims.UPKEEP


def expire(root: str, now_ms: int, lessons: Mapping[str, Doc] | None = None) -> list[str]:
    """Archive drafts unreviewed for 30 days and return their ids. A restored draft never expires again.

    `lessons` are the documents by id, if they are loaded already. The decision is appended, and
    takes effect by `decided.take`.
    """
    store = Store(root)
    stored = store.documents("lessons") if lessons is None else lessons
    if all(doc.get("status") != "draft" for doc in stored.values()):
        return []
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
        left = scorer.days_until_expiry(doc, doc.get(DRAFTED, 0), now_ms)
        if left is not None and left <= 0 and lesson_id not in before:
            due.append(lesson_id)
    return due
