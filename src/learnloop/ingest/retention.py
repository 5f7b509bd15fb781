"""Retention: what was recorded is removed after its time, wherever it is kept.

Lessons and decisions stay, and with them the words that they quote. Ages follow from the times of the events;
where a clock was ahead, from when a file was written.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import Busy
from learnloop.ingest import facts_read, moment_counts, primed_tasks
from learnloop.store import backups, files, locks, repair, segments, tinydb_file
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.store.transaction import Table
from learnloop.wire import clock, paths

Doc = dict[str, Any]
DAY_MS = 24 * 3600 * 1000
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
    backups.prune(root, before_ms)


def _prune_documents(root: str, before: str) -> None:
    """Remove turns with their traces, feedback, sessions and sightings whose last event was before a time."""
    store = Store(root)
    due = [
        (name, last_of) for name, last_of in _tables(store, before) if _is_due(store, name, last_of, before)
    ]
    if not due and not _old_views(store.state(), before):
        return
    moment_counts.remove(root, before)
    with store.transaction(wait_s=0.0) as changes:
        tables = [_pruned(changes.table(name), last_of, before) for name, last_of in due]
        for place, key in _old_views(changes.state, before):
            del changes.state[place][key]
    with locks.held(repair.lock(root), wait_s=0.0, what="the store"):
        for table in tables:
            if not len(table):
                tinydb_file.path(root, table.name).unlink(missing_ok=True)


_Last = Callable[[Doc], str]
"""The time of a document's last event."""


def _tables(store: Store, before: str) -> Iterator[tuple[str, _Last]]:
    """The files that may hold something old."""
    kinds: dict[str, _Last] = {
        "turns": _of_turn,
        "tasks": _of_turn,
        "moments": _of_turn,
        "feedback": _of_feedback,
        "sessions": _of_session,
    }
    for kind, last_of in kinds.items():
        yield from ((name, last_of) for name in store.shards(kind) if name.partition("/")[2][:10] <= before)
    yield from ((name, _of_sighting) for name in store.shards("sightings"))
    yield from ((name, _of_telling) for name in store.shards(primed_tasks.TABLE))
    yield from ((facts_read.FACTS, _of_fact), (facts_read.RUNS, _of_run))


def _of_turn(doc: Doc) -> str:
    return str(doc.get("ended") or doc.get("started", ""))


def _of_feedback(doc: Doc) -> str:
    return str(doc.get("timestamp", ""))


def _of_session(doc: Doc) -> str:
    return str(doc.get("last_seen", ""))


def _of_sighting(doc: Doc) -> str:
    return max((str(item.get("ts", "")) for item in doc.get("sightings", ())), default="")


def _of_telling(doc: Doc) -> str:
    return str(doc.get("ts", ""))


def _of_fact(doc: Doc) -> str:
    return str(doc.get("created", ""))


def _of_run(doc: Doc) -> str:
    return str(doc.get("started", ""))


def _is_due(store: Store, name: str, last_of: _Last, before: str) -> bool:
    return any(last_of(doc) < before for doc in store.documents(name).values())


def _pruned(table: Table, last_of: _Last, before: str) -> Table:
    for key, doc in list(table.all().items()):
        if last_of(doc) < before:
            table.remove(key)
    return table


def _old_views(state: Doc, before: str) -> list[tuple[str, str]]:
    """The sessions that the state remembers from before a time: the place in it, and the key there."""
    open_, dormant = state.get("open", {}), state.get("dormant", {})
    return [
        *(("open", key) for key, text in open_.items() if text[: len(before)] < before),
        *(("dormant", key) for key, text in dormant.items() if text.rpartition(" ")[2] < before),
    ]
