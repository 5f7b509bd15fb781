"""Lessons as they stand: the store's documents, every verdict laid over that ingest has not seen yet.

Both parts are kept between calls and read again only when a file of theirs changed, so that a list of 10,000
lessons costs no parse on a key press. What is returned is shared: look, never change.
"""

import contextlib
import os
from typing import TYPE_CHECKING, Any

from learnloop.wire import journal, paths

if TYPE_CHECKING:
    from learnloop.models import Decision

Document = dict[str, Any]
_Signature = tuple[Any, ...]

_lessons: dict[str, tuple[_Signature, dict[str, Document]]] = {}
_decisions: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_pending: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_overlaid: dict[str, tuple[_Signature, dict[str, Document]]] = {}


def lessons(root: str) -> dict[str, Document]:
    """Every lesson's document by id, verdicts that are not ingested yet laid over."""
    signature = (_store_signature(root, "lessons.json"), _pending_signature(root))
    kept = _overlaid.get(root)
    if kept is None or kept[0] != signature:
        kept = _overlaid[root] = (signature, _overlay(root))
    return kept[1]


def stored_lessons(root: str) -> dict[str, Document]:
    """Every lesson's document by id as the store has it."""
    signature = _store_signature(root, "lessons.json")
    kept = _lessons.get(root)
    if kept is None or kept[0] != signature:
        from learnloop.store import repair

        kept = _lessons[root] = (signature, repair.load(root, "lessons").get("lessons", {}))
    return kept[1]


def decisions(root: str) -> "list[Decision]":
    """Every decision ever made, oldest first, those that are not ingested yet among them."""
    stored = _stored_decisions(root)
    known = {decision.id for decision in stored}
    return [*stored, *(decision for decision in pending(root) if decision.id not in known)]


def pending(root: str) -> "list[Decision]":
    """The decisions that ingest has not turned into documents yet, oldest first."""
    signature = _pending_signature(root)
    kept = _pending.get(root)
    if kept is None or kept[0] != signature:
        from learnloop.store import pending as waiting
        from learnloop.store import tiny

        records = waiting.records(root, tiny.cursor(root), kinds=("decision",))
        kept = _pending[root] = (signature, _as_decisions(records))
    return kept[1]


def _stored_decisions(root: str) -> "list[Decision]":
    signature = _store_signature(root, "decisions.json")
    kept = _decisions.get(root)
    if kept is None or kept[0] != signature:
        from learnloop.store.store import Store

        ordered = sorted(Store(root).decisions(), key=lambda decision: decision.ts)
        kept = _decisions[root] = (signature, ordered)
    return kept[1]


def _as_decisions(records: list[Document]) -> "list[Decision]":
    """Records as decisions; one that makes no sense is skipped here and quarantined by ingest."""
    if not records:
        return []
    from pydantic import ValidationError

    from learnloop.models import Decision

    found = []
    for record in records:
        with contextlib.suppress(ValidationError, KeyError, TypeError):
            found.append(Decision(id=record["id"], ts=record["ts"], **record["payload"]))
    return found


def _overlay(root: str) -> dict[str, Document]:
    """What is pending is read first: between two looks it can be ingested, and must not be missed then."""
    new = pending(root)
    stored = stored_lessons(root)
    if not new:
        return stored
    from learnloop.learn.decisions import live, replay

    every = decisions(root)
    told = live(every)
    docs = dict(stored)
    for lesson_id in _touched(new, every):
        mine = [decision for decision in told if lesson_id in decision.lesson_ids]
        made = replay(docs.get(lesson_id) or {}, mine, docs.get)
        if made:
            docs[lesson_id] = made
        else:
            docs.pop(lesson_id, None)
    return docs


def _touched(new: "list[Decision]", every: "list[Decision]") -> set[str]:
    """The lessons that new decisions name, by themselves or through the decision that they undo or redo."""
    by_id = {decision.id: decision for decision in every}
    touched: set[str] = set()
    for decision in new:
        named = by_id.get(str(decision.args.get("decision", "")))
        touched.update(decision.lesson_ids, named.lesson_ids if named else ())
    return touched


def exists(path: str) -> bool:
    """Whether there is a file of that name."""
    return bool(_stamp(path))


def _store_signature(root: str, name: str) -> _Signature:
    return _stamp(f"{paths.store(root)}/{name}")


def _pending_signature(root: str) -> _Signature:
    places = (
        paths.journal(root), paths.spool(root), journal.runtime_spool(root), paths.events(root), root,
        f"{paths.store(root)}/state.json", f"{paths.store(root)}/decisions.json",
    )  # fmt: skip
    return tuple(_stamp(place) for place in places)


def _stamp(path: str) -> _Signature:
    """What changes when a file does: its identity, size and time."""
    try:
        found = os.stat(path)  # noqa: PTH116  a key press pays for this
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns
