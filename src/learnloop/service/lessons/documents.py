"""Lessons as the store has them, with every verdict applied that ingest has not seen yet.

Both are kept between calls and read again only when a file of theirs changed, so that a list of 2,000 lessons
costs no parse on a key press. What is returned is shared: look, never change.
"""

import contextlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.wire import journal, paths

if TYPE_CHECKING:
    from learnloop.models import Decision

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
_overlaid: dict[str, tuple[Mapping[str, Document], "list[Decision]", Mapping[str, Document]]] = {}


def lessons(root: str) -> Mapping[str, Document]:
    """Every lesson's document by id, with verdicts that are not ingested yet applied.

    The same mapping while nothing changes, and the same document while that one does not.
    """
    new = pending(root)  # before the store: what is ingested between the two must not be missed
    stored = _stored_lessons(root)
    if not new:
        return stored
    kept = _overlaid.get(root)
    if kept is None or kept[0] is not stored or kept[1] is not new:
        kept = _overlaid[root] = (stored, new, _overlay(root, new, stored))
    return kept[2]


def _stored_lessons(root: str) -> Mapping[str, Document]:
    signature = _store_signature(root, "lessons.json")
    kept = _lessons.get(root)
    if kept is None or kept.signature != signature:
        again = _read_again(root, signature, kept) if kept else None
        kept = _lessons[root] = again or _read(root, signature)
    return kept.documents


def _read(root: str, signature: _Signature) -> _Stored:
    from learnloop.store import repair

    return _Stored(signature, repair.load(root, "lessons").get("lessons", {}), {})


def _read_again(root: str, signature: _Signature, before: _Stored) -> _Stored | None:
    """The documents of the file, those whose line is as it was taken over; None where it is not in lines."""
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


def _unless_same(before: _Stored, key: str, line: "tiny.Line", stamp: int) -> Document:
    """The document of a line, or the one that was there before where they are equal."""
    if before.stamps.get(key) == stamp:
        return before.documents[key]
    document, old = line.parsed(), before.documents.get(key)
    return old if old is not None and old == document else document


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
        from learnloop.store import tinydb_file

        records = waiting.records(root, tinydb_file.cursor(root), kinds=("decision",))
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


def _overlay(root: str, new: "list[Decision]", stored: Mapping[str, Document]) -> Mapping[str, Document]:
    """The documents with what decisions that are not ingested yet make of them."""
    from learnloop.learn.lessons.decisions import live, replay

    every = decisions(root)
    in_force = live(every)
    found = dict(stored)
    for key in _touched(new, every):
        mine = [decision for decision in in_force if key in decision.lesson_ids]
        document = replay(found.get(key) or {}, mine, found.get)
        if document:
            found[key] = document
        else:
            found.pop(key, None)
    return found


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
