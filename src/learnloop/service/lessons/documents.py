"""The stored lessons and decisions.

Both are cached and read again only when one of their files changed, so a list of 2,000 lessons costs no parse
per key press. Documents are shared: callers must not change them.
"""

import contextlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.models import ids
from learnloop.wire import paths

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
_shorts: list[tuple[Mapping[str, Document], Mapping[str, str]]] = []
"""The documents that short ids were worked out for last, and those."""


def lessons(root: str) -> Mapping[str, Document]:
    """Every lesson's document by id.

    The same mapping while nothing changes, and the same document while that one does not.
    """
    signature = _stamp(f"{paths.store(root)}/lessons.json")
    cached = _lessons.get(root)
    if cached is None or cached.signature != signature:
        from learnloop.store.store import Store

        changed = _read_changed(root, signature, cached) if cached else None
        cached = changed or _Stored(signature, Store(root).documents("lessons"), {})
        _lessons[root] = cached
    return cached.documents


def short(root: str, lesson_id: str) -> str:
    """The id of a lesson as lists show it: as many characters as no other lesson begins with."""
    return short_in(lessons(root), lesson_id)


def short_in(docs: Mapping[str, Document], lesson_id: str) -> str:
    """The same among the documents that `lessons` gave."""
    if not _shorts or _shorts[0][0] is not docs:
        _shorts[:] = [(docs, ids.short_ids(docs))]
    return _shorts[0][1].get(lesson_id) or lesson_id[: ids.SHORTEST]


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
    """Every decision ever made, oldest first."""
    signature = _stamp(f"{paths.store(root)}/decisions.json")
    cached = _decisions.get(root)
    if cached is None or cached[0] != signature:
        from learnloop.store.store import Store

        cached = _decisions[root] = (signature, Store(root).decisions())
    return cached[1]


def _stamp(path: str) -> _Signature:
    """The identity, size and time of a file, which change when it does; empty if there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116  a key press pays for this
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
