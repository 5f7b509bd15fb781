"""A transaction: fresh instances under one lock; each changed file in order, then the database, the head."""

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import tinydb

from learnloop import errors
from learnloop.store import files, former, history, repair, seal, tinydb_file
from learnloop.store.document_table import AFTER_ALL, Documents, DocumentTable, Intake, Position, copied
from learnloop.store.tinydb_file import META, Tables, decode, encode, unread


class _Storage(tinydb.Storage):
    """A TinyDB storage whose one write replaces the file; documents are read when asked for."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self.written = b""

    @cached_property
    def _tables(self) -> Tables:
        data = files.read(self._path)
        return {} if data is None else unread(data) or decode(data)

    def read(self) -> Tables:
        """All tables of the file, as they were read."""
        return self._tables

    def write(self, data: Tables) -> None:
        """Put the tables in place of the file; the folder is left to be synced."""
        self.written = encode(data)
        files.replace(self._path, [self.written], sync=False)


_LAST = ("health", "decisions", "lessons")


class Table:
    """The documents of one file, with the changes that this transaction makes to them."""

    def __init__(self, root: str, name: str, intake: Intake | None = None) -> None:
        self.name, self.intake = name, intake or Intake()
        self._root = root
        self._storage = _opened(root, name)
        self._stored: dict[str, Any] = self._storage.read().get(name, {})
        self._documents = dict(self._stored)
        self._meta: tinydb_file.Doc = self._storage.read().get(META, {}).get(META, {})
        self._puts: dict[str, tinydb_file.Doc] = {}
        self._removed: set[str] = set()
        self._seals: dict[str, str] = {}
        self._ids_by_text: dict[str, set[str]] = {}
        self.cursor = str(self._meta.get("cursor", ""))
        """The last segment that this file has taken in."""

    @property
    def is_ahead(self) -> bool:
        """Whether the file has the events that are taken in, so that nothing changes it."""
        return self.cursor >= self.intake.segment

    def get(self, doc_id: str) -> tinydb_file.Doc | None:
        """A copy of a document, or None; changes to it count once they are `put`."""
        document: tinydb_file.Doc | None = copied(self.peek(doc_id))
        return document

    def peek(self, doc_id: str) -> tinydb_file.Doc | None:
        """A document, not copied: to be read only; None where there is none."""
        document = self._documents.get(doc_id)
        if isinstance(document, tinydb_file.Unread):
            try:
                document = self._documents[doc_id] = tinydb_file.parsed(document)
            except tinydb_file.DamagedError:
                raise _repaired(self._root, self.name) from None
        if document is not None and seal.DOCUMENT in document:
            self._seals[doc_id] = str(document[seal.DOCUMENT])
            document = self._documents[doc_id] = seal.unsealed(document)
        return document

    def is_sealed(self, doc_id: str) -> bool:
        """Whether a document is as Learnloop wrote it."""
        document = self.peek(doc_id)
        return self._seals.get(doc_id) == seal.mac(self._root, document)

    def put(self, doc_id: str, document: tinydb_file.Doc) -> None:
        """Put a document, which is the table's from now on; an equal one that is there is no change."""
        if self.peek(doc_id) != document and not self.is_ahead:
            self._puts[doc_id] = self._documents[doc_id] = document
            self._removed.discard(doc_id)

    def remove(self, doc_id: str) -> None:
        """Remove a document, if it is there."""
        if doc_id in self._documents and not self.is_ahead:
            del self._documents[doc_id]
            self._puts.pop(doc_id, None)
            self._removed.add(doc_id)

    def replace_all(self, documents: Mapping[str, tinydb_file.Doc]) -> None:
        """Put these documents in place of all there are."""
        for doc_id in self._documents.keys() - documents.keys():
            self.remove(doc_id)
        for doc_id, document in documents.items():
            self.put(doc_id, document)

    def all(self) -> dict[str, tinydb_file.Doc]:
        """All documents by id, not copied: to be read only."""
        return {doc_id: self.peek(doc_id) or {} for doc_id in self._documents}

    def containing(self, texts: Sequence[str]) -> dict[str, tinydb_file.Doc]:
        """The documents that contain one of some texts, and those that were changed: to be read only."""
        matching = self._puts.keys() | set().union(*map(self._stored_with, texts))
        return {doc_id: self.peek(doc_id) or {} for doc_id in self._documents if doc_id in matching}

    def _stored_with(self, text: str) -> set[str]:
        """The ids of stored documents that contain a text, and of those that were never unread."""
        if text not in self._ids_by_text:
            needle, stored = json.dumps(text)[1:-1].encode("ascii"), self._stored.items()
            self._ids_by_text[text] = {
                key for key, doc in stored if not isinstance(doc, tinydb_file.Unread) or needle in doc
            }
        return self._ids_by_text[text]

    @property
    def meta(self) -> tinydb_file.Doc:
        """What the head of the file says."""
        return dict(self._meta)

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._documents

    @property
    def is_changed(self) -> bool:
        """Whether anything in the file is different now."""
        return bool(self._puts or self._removed)

    @property
    def is_older(self) -> bool:
        """Whether an older program wrote the file."""
        return bool(self._meta.get("version", tinydb_file.VERSION) != tinydb_file.VERSION)

    def write(self, cursor: str, more: Mapping[str, Any] | None = None) -> Path:
        """Replace the file, with `more` in its head; returns its folder, which is left to be synced."""
        self.cursor = max(self.cursor, cursor)  # a file that is ahead has taken its segments in
        meta = {"version": tinydb_file.VERSION, "cursor": self.cursor, **(more or {})}
        if self.name in seal.TABLES:
            self._puts = {key: seal.sealed(self._root, doc) for key, doc in self._puts.items()}
        documents = {key: doc for key, doc in self._stored.items() if key not in self._removed} | self._puts
        self._storage.write({META: {META: meta}, self.name: documents})
        return tinydb_file.path(self._root, self.name).parent

    def seal_all(self) -> None:
        """Seal every document as it is now, at the next write."""
        for doc_id, document in self.all().items():
            self._puts[doc_id] = document

    @property
    def content(self) -> bytes:
        """The file as it was written last."""
        return self._storage.written


def _opened(root: str, name: str) -> _Storage:
    file = tinydb_file.path(root, name)
    database = tinydb.TinyDB(str(file), storage=_Storage)
    storage: _Storage = database.storage  # type: ignore[assignment]  # annotated with the abstract storage
    try:
        storage.read()
    except tinydb_file.DamagedError:
        raise _repaired(root, name) from None
    except OSError as error:
        raise errors.Unreadable(f"{file} cannot be read ({error.strerror})", "run: learn doctor") from None
    return storage


def _repaired(root: str, name: str) -> repair.Repaired:
    repair.repair(root, name)
    return repair.Repaired(
        f"store/{name}.json was unreadable and has been repaired", "run the same command again"
    )


class Transaction:
    """What one holder of the store's lock reads and changes."""

    def __init__(self, root: str, resources: contextlib.ExitStack) -> None:
        self.root = root
        self._resources = resources
        self.intake = Intake()
        self._tables: dict[str, Table] = {}
        former.convert(root)
        self._head = _head(root)
        self._head.remove("state")  # which an earlier program kept there
        self.written = {name: self._head.meta.get(name) for name in ("written", "detector")}

    @cached_property
    def history(self) -> Documents:
        """The documents of the history database, which is opened when it is first asked for."""
        return Documents(self._resources.enter_context(history.opened(self.root)), self.intake)

    @cached_property
    def _position(self) -> Position:
        return self.history.position() if self._head.cursor else self.history.start_over()

    @property
    def cursor(self) -> str:
        """The last segment taken in; set it before the transaction ends."""
        return self._position.cursor

    @cursor.setter
    def cursor(self, segment: str) -> None:
        self._position.cursor = segment

    @property
    def state(self) -> dict[str, Any]:
        """What ingest keeps between runs."""
        return self._position.state

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self._position.state = state

    @contextlib.contextmanager
    def taking_in(self, segment: str) -> Iterator[None]:
        """Take in the events of a segment: what has them already stays as it is."""
        self.intake.segment = segment
        yield
        self.intake.segment = AFTER_ALL

    def documents(self, kind: str) -> DocumentTable:
        """The documents of a kind that follow from events."""
        return self.history.table(kind)

    def table(self, name: str) -> Table:
        """A table of a file, read when first asked for."""
        if name == "state":
            raise ValueError("the state is not a table of this transaction")
        if name not in self._tables:
            self._tables[name] = Table(self.root, name, self.intake)
        return self._tables[name]

    def commit(self) -> None:
        """Write every changed file, then the database, then the head of all of them.

        How far ingest is stands in the database. Files that are ahead of it have their segments.
        """
        changed = [table for table in self._tables.values() if table.is_changed]
        changed.sort(key=lambda table: (table.name in _LAST and _LAST.index(table.name) + 1, table.name))
        for folder in {table.write(self.cursor) for table in changed}:
            files.sync_folder(folder)
        if "history" in self.__dict__:
            self.history.write(self._position)
        written, cursor = {**self.written, "written": seal.file_stamps(self.root)}, self._head.cursor
        if "_position" in self.__dict__ or written != self.written:
            written["detector"], cursor = self.state.get("detector"), self.cursor
        is_new = cursor != self._head.cursor or written != self.written or self._head.is_older
        if changed or is_new or self._head.is_changed:
            files.sync_folder(self._head.write(cursor, written))
        for table in changed:
            repair.save(self.root, table.name, table.content)


def _head(root: str) -> Table:
    """The head of the store's files; one that cannot be read is set aside, and ingest starts over."""
    with contextlib.suppress(repair.Repaired):
        return Table(root, "state")
    return Table(root, "state")
