"""The documents that follow from events: a table of the history database for each kind, a row for each.

A row is JSON in ASCII, so a search of the file's bytes finds what it says. A transaction writes all that it
changes in one commit, with the segment that it has taken in. For documents whose events retention has removed
the database is the record.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Doc = dict[str, Any]


class _Columns(NamedTuple):
    """The fields that a kind is sought by."""

    at: str = ""
    """When it was, by which documents come newest first."""
    owner: str = ""
    """What it belongs to: a session, or a task."""
    most: int = 0
    """So many are kept, the newest; all of them by default."""


VIEWS = "views"
"""The running views of sessions: with the state they are how far ingest is."""
KINDS = {
    "sessions": _Columns("last_seen", "id"),
    "turns": _Columns("started", "session_id"),
    "traces": _Columns("started"),
    "feedback": _Columns("timestamp", "session_id"),
    "moments": _Columns("started"),
    "primed": _Columns("ts", "task"),
    "sightings": _Columns(),
    VIEWS: _Columns("last_seen", most=500),
}
"""The kinds, by the names of their tables."""
_HEAD = """
CREATE TABLE head (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE turn_days (day TEXT PRIMARY KEY, digest TEXT, size INTEGER) WITHOUT ROWID;
"""
_TOUCH = """
CREATE TRIGGER {kind}_{change} AFTER {change} ON {kind} BEGIN
  INSERT INTO turn_days VALUES (substr({row}.at, 1, 10), hex(randomblob(8)), {more})
  ON CONFLICT (day) DO UPDATE SET digest = excluded.digest, size = size + excluded.size;
END;
"""
_CHANGES = (("INSERT", "new", 1), ("UPDATE", "new", 0), ("DELETE", "old", -1))
OWN = ("head", "turn_days", *KINDS)
"""The tables that only events can bring back."""
_KIND = """
CREATE TABLE {0} (id TEXT PRIMARY KEY, at TEXT, owner TEXT, doc TEXT);
CREATE INDEX {0}_at ON {0} (at);
CREATE INDEX {0}_owner ON {0} (owner) WHERE owner != '';
"""
VIEWS_SCHEMA = _KIND.format(VIEWS)
SCHEMA = (
    _HEAD
    + "".join(map(_KIND.format, KINDS))
    + "".join(
        _TOUCH.format(kind=kind, change=change, row=row, more=more * (kind == "turns"))
        for kind in ("turns", "traces")
        for change, row, more in _CHANGES
    )
)
_HEAD_VALUE = "SELECT value FROM head WHERE name = ?"
_PUT = """
INSERT INTO {} VALUES (?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET at = excluded.at, owner = excluded.owner, doc = excluded.doc
WHERE doc IS NOT excluded.doc
"""
_KEEP_NEWEST = "DELETE FROM {0} WHERE at < (SELECT at FROM {0} ORDER BY at DESC LIMIT 1 OFFSET ?)"


class Span(NamedTuple):
    """Which documents of a kind are asked for; all of them by default."""

    since: str = ""
    """A time, or a UTC day."""
    until: str = "~"
    """A UTC day, which is included."""
    owner: str = ""


EVERY = Span()


def newest(connection: sqlite3.Connection, kind: str, span: Span) -> Iterator[Doc]:
    """The documents of a kind, newest first."""
    owned = "AND owner = ?" if span.owner else ""
    query = f"SELECT doc FROM {kind} WHERE at >= ? AND at < ? {owned} ORDER BY at DESC, id DESC"
    places = (span.since, f"{span.until}~", *([_key(span.owner)] if span.owner else []))
    return (json.loads(text) for (text,) in connection.execute(query, places))


class DayEntry(NamedTuple):
    """A UTC day with turns."""

    day: str
    digest: str
    """Another one after each change of it."""
    size: int
    """How many turns it has."""


def turn_days(connection: sqlite3.Connection) -> list[DayEntry]:
    """The UTC days with turns, oldest first."""
    return [
        DayEntry._make(row)
        for row in connection.execute("SELECT * FROM turn_days WHERE size > 0 ORDER BY day")
    ]


AFTER_ALL = "~"
"""Sorts after the name of every segment."""


@dataclass
class Intake:
    """The segment whose events a transaction takes in: a table that has it already stays as it is."""

    segment: str = AFTER_ALL


class DocumentTable:
    """The documents of a kind, with the changes that a transaction makes to them."""

    def __init__(self, connection: sqlite3.Connection, kind: str, cursor: str, intake: Intake) -> None:
        self.name, self.cursor = kind, cursor
        """The last segment that the database has taken in."""
        self._connection, self._intake = connection, intake
        self._changes: dict[str, Doc | None] = {}

    @property
    def is_ahead(self) -> bool:
        """Whether the table has the events that are taken in, so that nothing changes it."""
        return self.cursor >= self._intake.segment

    def get(self, doc_id: str) -> Doc | None:
        """A copy of a document, or None; changes to it count once they are `put`."""
        if doc_id in self._changes:
            changed: Doc | None = copied(self._changes[doc_id])
            return changed
        query = f"SELECT doc FROM {self.name} WHERE id = ?"
        row = self._connection.execute(query, (_key(doc_id),)).fetchone()
        document: Doc | None = json.loads(row[0]) if row else None
        return document

    def put(self, doc_id: str, document: Doc) -> None:
        """Put a document, which is the table's from now on."""
        if not self.is_ahead:
            self._changes[doc_id] = document

    def remove(self, doc_id: str) -> None:
        """Remove a document, if it is there."""
        if not self.is_ahead:
            self._changes[doc_id] = None

    def all(self) -> dict[str, Doc]:
        """All documents by id: to be read only."""
        rows = self._connection.execute(f"SELECT id, doc FROM {self.name}")
        every = {json.loads(f'"{key}"'): json.loads(text) for key, text in rows} | self._changes
        return {key: document for key, document in every.items() if document is not None}

    def write(self) -> None:
        """Write what was changed; the caller commits."""
        rows = [_row(self.name, key, doc) for key, doc in self._changes.items() if doc is not None]
        gone = [(_key(key),) for key, doc in self._changes.items() if doc is None]
        self._connection.executemany(_PUT.format(self.name), rows)
        self._connection.executemany(f"DELETE FROM {self.name} WHERE id = ?", gone)
        self._changes.clear()
        if most := KINDS[self.name].most:
            self._connection.execute(_KEEP_NEWEST.format(self.name), (most - 1,))


@dataclass
class Position:
    """How far ingest is: the last segment that everything has, and what is kept between runs."""

    cursor: str = ""
    state: Doc = field(default_factory=dict)


def position(connection: sqlite3.Connection) -> Position:
    """How far ingest is with a database."""
    row = connection.execute(_HEAD_VALUE, ("position",)).fetchone()
    return Position(*json.loads(row[0])) if row else Position()


class Documents:
    """All kinds of documents of an open database, as the holder of the store's lock changes them."""

    def __init__(self, connection: sqlite3.Connection, intake: Intake | None = None) -> None:
        self._connection, self._intake = connection, intake or Intake()
        self.cursor: str = (connection.execute(_HEAD_VALUE, ("cursor",)).fetchone() or ("",))[0]
        """The last segment that the database has taken in."""
        self._tables: dict[str, DocumentTable] = {}

    def table(self, kind: str) -> DocumentTable:
        """The documents of a kind."""
        if kind not in self._tables:
            cursor = "" if kind == VIEWS else self.cursor
            self._tables[kind] = DocumentTable(self._connection, kind, cursor, self._intake)
        return self._tables[kind]

    def position(self) -> Position:
        """How far ingest is."""
        return position(self._connection)

    def start_over(self) -> Position:
        """Begin to take in all events again: what documents follow from them stays."""
        for key in (views := self.table(VIEWS)).all():
            views.remove(key)
        return Position()

    def write(self, reached: Position) -> None:
        """Commit what was changed, and how far ingest is then; documents that are ahead stay so."""
        self.cursor = max(self.cursor, reached.cursor)
        text = json.dumps([reached.cursor, reached.state], separators=(",", ":"))
        head = (("cursor", self.cursor), ("position", text))
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO head VALUES (?, ?)", head)
            for table in self._tables.values():
                table.write()


def copied(value: Any) -> Any:
    """A JSON value that changes to the given one leave alone."""
    if isinstance(value, dict):
        return {name: copied(inner) for name, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


def last_time(kind: str, doc: Doc) -> str:
    """When the last event of a document was; empty where it does not say."""
    if kind == "sightings":
        return max((str(item.get("ts", "")) for item in doc.get("sightings", ())), default="")
    return str(doc.get("ended") or doc.get(KINDS[kind].at) or "")


def _row(kind: str, key: str, doc: Doc) -> tuple[str, str, str, str]:
    columns = KINDS[kind]
    at = doc.get(columns.at) if columns.at else last_time(kind, doc)
    text = json.dumps(doc, separators=(",", ":"))
    return _key(key), _key(_text(at)), _key(_text(doc.get(columns.owner))), text


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _key(text: str) -> str:
    """An id as SQLite takes it whatever it is: captured ones may have half a sign."""
    return json.dumps(text)[1:-1]
