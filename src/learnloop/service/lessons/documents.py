"""Lessons as they stand: the store's documents, every verdict laid over that ingest has not seen yet.

Both parts are kept between calls and read again only when a file of theirs changed, so that a list of 10,000
lessons costs no parse on a key press. A process that lives long keeps where each lesson stands in the file
and what was asked of it, a short one the lessons themselves. What is returned is shared: look, never change.
"""

import contextlib
import os
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Set, ValuesView
from typing import TYPE_CHECKING, Any, TypeVar

from learnloop.errors import Unreadable
from learnloop.store.indexed import Indexed, InTurn
from learnloop.store.tinydb_file import DamagedError
from learnloop.wire import journal, paths

if TYPE_CHECKING:
    from learnloop.models import Decision

Document = dict[str, Any]
T = TypeVar("T")
Teller = Callable[[str, Document], Any]
"""Tells something of a document, from its id and itself."""
_Signature = tuple[Any, ...]


class Lessons(Mapping[str, Document]):
    """Documents by id: those of a file, with others laid over (None: it is gone)."""

    def __init__(self, stored: Mapping[str, Document], laid: Mapping[str, Document | None]) -> None:
        self._stored = stored
        self._laid = laid
        self._new = [key for key, doc in laid.items() if doc is not None and key not in stored]
        self._gone = sum(doc is None and key in stored for key, doc in laid.items())
        self._told: dict[Teller, dict[str, Any]] = {}

    def __getitem__(self, key: str) -> Document:
        found = self._laid[key] if key in self._laid else self._read(key)
        if found is None:
            raise KeyError(key)
        return found

    def _read(self, key: str) -> Document:
        try:
            return self._stored[key]
        except DamagedError as error:
            raise _unreadable(error) from None

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str) and key in self._laid:
            return self._laid[key] is not None
        return key in self._stored

    def __iter__(self) -> Iterator[str]:
        laid = self._laid
        if laid:
            yield from (key for key in self._stored if laid.get(key, laid) is not None)
        else:
            yield from self._stored
        yield from self._new

    def __len__(self) -> int:
        return len(self._stored) + len(self._new) - self._gone

    def each(self, tell: Callable[[str, Document], T]) -> dict[str, T]:
        """What a function tells of each document, by id; of one that is as it was it is not asked again.

        The dict is the teller's, who may put what it prefers to have there.
        """
        found = self._told.get(tell)
        if found is None:
            found = self._told[tell] = {key: tell(key, doc) for key, doc in self.items()}
        return found

    def tell(self, first: Iterable[Teller], before: "Lessons | None") -> None:
        """Take over what was told of documents that are as they were, and tell of the others, each read once.

        What `first` tells is told from the beginning. Raises Unreadable where a document cannot be read.
        """
        kept = before._told if before else {}
        same = self._same_as(before) if before else ()
        tellers = dict.fromkeys((*first, *kept))
        told = {tell: kept.get(tell, {}) for tell in tellers}
        self._told = {tell: {key: told[tell][key] for key in same if key in told[tell]} for tell in tellers}
        missing = {key for key in self if any(key not in known for known in self._told.values())}
        for key, doc in self._chosen(missing):
            for tell, known in self._told.items():
                if key not in known:
                    known[key] = tell(key, doc)

    def _chosen(self, keys: Set[str]) -> Iterator[tuple[str, Document]]:
        """Some documents; where they are many, all are read in turn."""
        if len(keys) * _MANY > len(self):
            return ((key, doc) for key, doc in self.read() if key in keys)
        return ((key, self[key]) for key in keys)

    def read(self) -> Iterator[tuple[str, Document]]:
        """All documents with their ids."""
        try:
            for key, doc in self._stored.items():
                found = self._laid.get(key, doc)
                if found is not None:
                    yield key, found
        except DamagedError as error:
            raise _unreadable(error) from None
        yield from ((key, self[key]) for key in self._new)

    def items(self) -> ItemsView[str, Document]:
        """All documents with their ids, read one after the other."""
        return InTurn(self)

    def values(self) -> ValuesView[Document]:
        """All documents, read one after the other."""
        return _Values(self)

    def _same_as(self, before: "Lessons") -> Set[str]:
        """The ids of documents that are known to be as they were."""
        now, then, laid = self._stored, before._stored, self._laid.keys() | before._laid.keys()
        if now is then:
            return now.keys() - laid
        if isinstance(now, Indexed) and isinstance(then, Indexed):
            return {key for key in now if now.stamp(key) == then.stamp(key)} - laid
        return frozenset()


def _unreadable(error: DamagedError) -> Unreadable:
    return Unreadable(f"the lessons cannot be read: {error}", "try again, or run: learn doctor")


class _Values(ValuesView[Document]):
    _mapping: Lessons

    def __iter__(self) -> Iterator[Document]:
        return (doc for _, doc in self._mapping.read())


_MANY = 8
"""From so small a share on, reading every document in turn is the shorter way to some of them."""
_sparing: dict[str, tuple[Teller, ...]] = {}
_lessons: dict[str, tuple[_Signature, Mapping[str, Document]]] = {}
_decisions: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_pending: dict[str, tuple[_Signature, "list[Decision]"]] = {}
_overlaid: dict[str, tuple[_Signature, Lessons]] = {}


def lessons(root: str) -> Lessons:
    """Every lesson's document by id, verdicts that are not ingested yet laid over."""
    signature = (_store_signature(root, "lessons.json"), _pending_signature(root))
    kept = _overlaid.get(root)
    if kept is None or kept[0] != signature:
        kept = _overlaid[root] = (signature, _overlay(root, kept and kept[1]))
    return kept[1]


def stored_lessons(root: str) -> Mapping[str, Document]:
    """Every lesson's document by id as the store has it."""
    signature = _store_signature(root, "lessons.json")
    kept = _lessons.get(root)
    if kept is None or kept[0] != signature:
        kept = _lessons[root] = (signature, _read(root))
    return kept[1]


def spare_memory(root: str, *told: Teller) -> None:
    """From now on lessons are read when they are looked at: for a process that lives long.

    What is told of each, for as long as it stays as it is, is told when it is first read.
    """
    _sparing[root] = told


def _read(root: str) -> Mapping[str, Document]:
    from learnloop.store import indexed

    found = indexed.read(root, "lessons") if root in _sparing else None
    return _whole(root) if found is None else found


def _whole(root: str) -> Mapping[str, Document]:
    """All that stands in the file, read at once; a damaged one is repaired."""
    from learnloop.store import repair

    return repair.load(root, "lessons").get("lessons", {})


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


def _overlay(root: str, before: Lessons | None) -> Lessons:
    """What is pending is read first: between two looks it can be ingested, and must not be missed then."""
    new = pending(root)
    made = _with(root, new, stored_lessons(root))
    if root in _sparing:
        try:
            made.tell(_sparing[root], before)
        except Unreadable:
            return _with(root, new, _whole(root))
    return made


def _with(root: str, new: "list[Decision]", stored: Mapping[str, Document]) -> Lessons:
    return Lessons(stored, _laid(root, new, stored) if new else {})


def _laid(root: str, new: "list[Decision]", stored: Mapping[str, Document]) -> dict[str, Document | None]:
    """What decisions that are not ingested yet make of the lessons they touch."""
    from learnloop.learn.lessons.decisions import effective_decisions, replay

    every = decisions(root)
    told = effective_decisions(every)
    found: dict[str, Document | None] = {}

    def now(key: str) -> Document | None:
        return found[key] if key in found else stored.get(key)

    for key in _touched(new, every):
        mine = [decision for decision in told if key in decision.lesson_ids]
        found[key] = replay(now(key) or {}, mine, now) or None
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
