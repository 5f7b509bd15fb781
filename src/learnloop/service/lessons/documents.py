"""The stored lessons, with every verdict applied that ingest has not seen yet.

Both are cached and read again only when one of their files changed, so a list of 2,000 lessons costs no parse
per key press. Documents are shared: callers must not change them.
"""

import contextlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.models import ids
from learnloop.wire import journal, paths

if TYPE_CHECKING:
    from learnloop.models import Decision
    from learnloop.store import tinydb_file

Document = dict[str, Any]
_Signature = tuple[Any, ...]


class _Stored(NamedTuple):
    signature: _Signature
    documents: Mapping[str, Document]
    stamps: Mapping[str, int]
    """Of each document its line's hash; empty after the first read."""


_lessons: dict[str, _Stored] = {}
_decisions: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_pending: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_shorts: list[tuple[Mapping[str, Document], Mapping[str, str]]] = []
"""The documents that short ids were worked out for last, and those."""
_overlaid: dict[str, tuple[Mapping[str, Document], "list[Decision]", Mapping[str, Document]]] = {}


def lessons(root: str) -> Mapping[str, Document]:
    """Every lesson's document by id, with verdicts that are not ingested yet applied.

    The same mapping while nothing changes, and the same document while that one does not.
    """
    new = pending(root)  # before the store: what is ingested between the two must not be missed
    stored = _stored_lessons(root)
    if not new:
        return stored
    cached = _overlaid.get(root)
    if cached is None or cached[0] is not stored or cached[1] is not new:
        cached = _overlaid[root] = (stored, new, _overlay(root, new, stored))
    return cached[2]


def short(root: str, lesson_id: str) -> str:
    """The id of a lesson as lists show it: as many characters as no other lesson begins with."""
    return short_in(lessons(root), lesson_id)


def short_in(docs: Mapping[str, Document], lesson_id: str) -> str:
    """The same among the documents that `lessons` gave."""
    if not _shorts or _shorts[0][0] is not docs:
        _shorts[:] = [(docs, ids.short_ids(docs))]
    return _shorts[0][1].get(lesson_id) or lesson_id[: ids.SHORTEST]


def _stored_lessons(root: str) -> Mapping[str, Document]:
    signature = _stamp(f"{paths.store(root)}/lessons.json")
    cached = _lessons.get(root)
    if cached is None or cached.signature != signature:
        from learnloop.store.store import Store

        changed = _read_changed(root, signature, cached) if cached else None
        cached = changed or _Stored(signature, Store(root).documents("lessons"), {})
        _lessons[root] = cached
    return cached.documents


def _read_changed(root: str, signature: _Signature, before: _Stored) -> _Stored | None:
    """Parse only the lines that changed; None if the file does not have a line per document."""
    from learnloop.store import files, tinydb_file

    tables = tinydb_file.unread(files.read(tinydb_file.path(root, "lessons")) or b"")
    if tables is None or "lessons" not in tables:
        return None
    lines: Mapping[str, tinydb_file.Line] = tables["lessons"]
    stamps = {key: hash(line.raw) for key, line in lines.items()}
    with contextlib.suppress(tinydb_file.DamagedError):
        documents = {key: _unless_same(before, key, line, stamps[key]) for key, line in lines.items()}
        return _Stored(signature, documents, stamps)
    return None


def _unless_same(before: _Stored, key: str, line: "tinydb_file.Line", stamp: int) -> Document:
    """The document of a line; the earlier object if the two are equal."""
    if before.stamps.get(key) == stamp:
        return before.documents[key]
    from learnloop.store import seal

    document, old = seal.unsealed(line.parsed()), before.documents.get(key)
    return old if old is not None and old == document else document


def decisions(root: str) -> "list[Decision]":
    """Every decision ever made, oldest first, those that are not ingested yet among them."""
    stored, new = _stored_decisions(root), pending(root)
    if not new:
        return stored
    from learnloop.models.decision import DecisionClock

    stored_ids, chain = {decision.id for decision in stored}, DecisionClock()
    every = [*stored, *(decision for decision in new if decision.id not in stored_ids)]
    times = {decision.id: chain.time(vars(decision)) for decision in every}
    return sorted(every, key=lambda decision: times[decision.id])


def pending(root: str) -> "list[Decision]":
    """The decisions that ingest has not turned into documents yet, in the order of the journal."""
    signature = _pending_signature(root)
    cached = _pending.get(root)
    if cached is None or cached[0] != signature:
        from learnloop.store import pending as waiting
        from learnloop.store import tinydb_file

        records = waiting.appended(root, tinydb_file.cursor(root), kinds=("decision",))
        cached = _pending[root] = (signature, _as_decisions(root, records))
    return cached[1]


def _stored_decisions(root: str) -> "list[Decision]":
    signature = _stamp(f"{paths.store(root)}/decisions.json")
    cached = _decisions.get(root)
    if cached is None or cached[0] != signature:
        from learnloop.store.store import Store

        cached = _decisions[root] = (signature, Store(root).decisions())
    return cached[1]


def _as_decisions(root: str, records: list[Document]) -> "list[Decision]":
    """Events as decisions; a malformed one is skipped here and quarantined by ingest.

    What is claimed by itself shows at once; by agents' calls it is only once ingest has seen them.
    """
    if not records:
        return []
    from pydantic import ValidationError

    from learnloop.learn.facts import standing_approval
    from learnloop.learn.lessons import claims
    from learnloop.service import event_log
    from learnloop.store import seal

    valid: list[Decision] = []
    for record in records:
        with contextlib.suppress(ValidationError, KeyError, TypeError):
            decision = event_log.as_decision(record)
            claimed = seal.fault(root, record) or claims.by_itself(decision)
            if decision.by == claims.STANDING and not claimed:
                claimed = standing_approval.fault(decision, [*_stored_decisions(root), *valid])
            valid.append(decision.model_copy(update={"claimed": claimed}))
    return valid


def _overlay(root: str, new: "list[Decision]", stored: Mapping[str, Document]) -> Mapping[str, Document]:
    from learnloop.learn.lessons.decisions import effective_decisions, held_decisions, replay

    all_decisions = decisions(root)
    in_force, held = effective_decisions(all_decisions), held_decisions(all_decisions)
    lessons_by_id = dict(stored)
    for key in _touched(new, all_decisions):
        own = [decision for decision in in_force if key in decision.lesson_ids]
        claims = [decision for decision in held if key in decision.lesson_ids]
        document = replay(lessons_by_id.get(key) or {}, own, lessons_by_id.get, claims)
        if document:
            lessons_by_id[key] = document
        else:
            lessons_by_id.pop(key, None)
    return lessons_by_id


def _touched(new_decisions: "list[Decision]", all_decisions: "list[Decision]") -> set[str]:
    """The lessons that new decisions name, by themselves or through the decision that they undo or redo."""
    by_id = {decision.id: decision for decision in all_decisions}
    touched: set[str] = set()
    for decision in new_decisions:
        named = by_id.get(str(decision.args.get("decision", "")))
        touched.update(decision.lesson_ids, named.lesson_ids if named else ())
    return touched


def _pending_signature(root: str) -> _Signature:
    places = (
        paths.journal(root), paths.spool(root), journal.runtime_spool(root), paths.events(root), root,
        f"{paths.store(root)}/state.json", f"{paths.store(root)}/decisions.json",
    )  # fmt: skip
    return tuple(_stamp(place) for place in places)


def _stamp(path: str) -> _Signature:
    """The identity, size and time of a file, which change when it does; empty if there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116  a key press pays for this
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
