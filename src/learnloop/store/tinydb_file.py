"""TinyDB as the store uses it: string ids, one file read once, one atomic replace for all changes to it.

Every file is ordinary TinyDB JSON with two tables: the documents, and `meta` with one document
`{"version", "cursor", …}`. `meta` stands first, so that it can be read without reading the documents. Each
document has a line of its own, so that a rewrite takes over the lines of those that did not change.
"""

import contextlib
import gc
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from learnloop import errors
from learnloop.store import files
from learnloop.wire import paths, regular

Tables = dict[str, dict[str, Any]]
Doc = dict[str, Any]
META = "meta"
VERSION = 3
"""The format of the store. Files are alike in all formats: a program of the first loses tables of the second,
one of the second writes files that are tables of the history database now (`store.former`)."""
ALIKE = (1, 2, VERSION)
_HEAD = 8192
_SMALL = 1 << 20
"""Bytes that json reads sooner than pydantic's parser is loaded."""
_PREFIX = '{"meta":{"meta":'


class DamagedError(Exception):
    """A file whose content is no TinyDB file of ours."""


class Line:
    """A document that nobody has asked for yet: where its id and JSON are in the file's bytes."""

    __slots__ = ("_begin", "_data", "_end", "_start")

    def __init__(self, data: bytes, begin: int, start: int, end: int) -> None:
        """From `begin` the id, from `start` to `end` the document."""
        self._data = data
        self._begin, self._start, self._end = begin, start, end

    @property
    def raw(self) -> bytes:
        """Id and document as they are there."""
        return self._data[self._begin : self._end]

    def holds(self, text: bytes) -> bool:
        """Whether it contains a text."""
        return self._data.find(text, self._begin, self._end) >= 0

    def parsed(self) -> Doc:
        """The document; raises DamagedError."""
        try:
            value = _parsed(self._data[self._start : self._end])
        except (ValueError, RecursionError) as error:
            raise DamagedError(str(error)) from None
        if not isinstance(value, dict):
            raise DamagedError("not a document")
        return value


class Lines:
    """The documents of a file as they were read, and which of them contain a text: each is sought once."""

    def __init__(self, documents: Mapping[str, Doc | Line]) -> None:
        """From all documents of a file, before any of them is parsed."""
        self._others = {doc_id for doc_id, document in documents.items() if not isinstance(document, Line)}
        self._lines = {
            doc_id: document for doc_id, document in documents.items() if isinstance(document, Line)
        }
        self._ids_by_text: dict[str, set[str]] = {}

    def holding(self, texts: Iterable[str]) -> set[str]:
        """The ids of documents that contain one of some texts, and of those that were never lines."""
        return self._others.union(*map(self._sought, texts))

    def _sought(self, text: str) -> set[str]:
        if text not in self._ids_by_text:
            needle = json.dumps(text)[1:-1].encode("ascii")
            self._ids_by_text[text] = {key for key, line in self._lines.items() if line.holds(needle)}
        return self._ids_by_text[text]


def path(root: str, name: str) -> Path:
    """The file of a table: `lessons`, `state`."""
    if not name or name.startswith((".", "/")) or ".." in name:
        raise ValueError(f"no table name: {name!r}")
    return Path(paths.store(root), name + ".json")


def public_fields(doc: Doc) -> Doc:
    """A stored document without the private fields that ingest adds to it."""
    return {name: value for name, value in doc.items() if name[0] != "_"}


def encode(tables: Tables) -> bytes:
    """Compact ASCII JSON, each document but `meta` on a line; a `Line` is taken over as it is."""
    data = bytearray(b"{")
    for number, (name, table) in enumerate(tables.items()):
        data += b"%s%s:" % (b"," if number else b"", _json(name))
        if name == META:
            data += _json(table)
        else:
            _write(data, table)
    return bytes(data + b"}")


def _write(data: bytearray, table: Mapping[str, Doc | Line]) -> None:
    """Add line after line: a list of all lines would need the memory of a large store three times."""
    data += b"{"
    for number, (doc_id, document) in enumerate(table.items()):
        data += b",\n" if number else b"\n"
        data += document.raw if isinstance(document, Line) else b"%s:%s" % (_json(doc_id), _json(document))
    data += b"\n}" if table else b"}"


def unread(data: bytes) -> Tables | None:
    """The tables of a file that `encode` wrote, its documents unread; None where it is written otherwise."""
    first, last = data.find(b"\n"), data.rfind(b"\n")
    try:
        tables, name = _frame(data[: first + 1] + data[last:])
        return {META: tables[META], name: dict(_lines(data, first + 1, last))}
    except ValueError:
        return None


def _lines(data: bytes, at: int, last: int) -> Iterator[tuple[str, Line]]:
    """The ids and documents between two places; raises ValueError where a line is none of ours."""
    while at < last:
        end = data.find(b"\n", at)
        name, closes = id_of(data, at), b"},\n" if end < last else b"}\n"
        if not data.endswith(closes, at, end + 1):
            raise ValueError(f"no document: {data[at:end][:80]!r}")
        yield name, Line(data, at, at + len(name) + 3, end + 2 - len(closes))
        at = end + 1


def _frame(around: bytes) -> tuple[Tables, str]:
    """What surrounds the documents, and their table's name; raises ValueError unless `encode` wrote it."""
    tables = json.loads(around)
    names = [name for name in tables if name != META] if _is_tables(tables) else []
    if len(names) != 1 or tables.get(META, {}).get(META, {}).get("version") not in ALIKE:
        raise ValueError("not a file of ours")
    return tables, names[0]


def id_of(data: bytes, at: int = 0) -> str:
    """The id that a document's line begins with; raises ValueError for what is no line of ours."""
    end = data.index(b'":{', at)
    name = data[at + 1 : end]
    if data[at : at + 1] != b'"' or b'"' in name or b"\\" in name or b"\n" in name:
        raise ValueError(f"no document: {data[at : at + 80]!r}")
    return name.decode("ascii")


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def load(file: Path) -> Tables | None:
    """The tables of a file in the present format, None where there is no file; raises DamagedError."""
    data = files.read(file)
    return None if data is None else decode(data)


def decode(data: bytes) -> Tables:
    """The tables in a file's bytes; raises DamagedError, or Refused for a newer format."""
    try:
        tables = _parsed(data)
    except (ValueError, RecursionError) as error:
        raise DamagedError(str(error)) from None
    if not _is_tables(tables):
        raise DamagedError("not a TinyDB file of documents")
    version = tables.get(META, {}).get(META, {}).get("version", 0)
    if isinstance(version, int) and version > VERSION:
        raise errors.Refused(
            f"the store was written by a newer Learnloop (format {version}, this one knows {VERSION})",
            "update Learnloop, or point LEARNLOOP_HOME at another store",
        )
    if version not in ALIKE and tables.keys() - {META}:
        raise errors.Refused(f"nothing leads from store format {version}", "use an older Learnloop")
    return dict(tables)


def _parsed(data: bytes) -> Any:
    """Parse JSON without the garbage collector, which would traverse the new objects again and again.

    Pydantic's parser takes half the time, if there is enough to read to be worth loading it. What it
    refuses although JSON allows it (lone surrogates) is left to json.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        if len(data) > _SMALL or "pydantic_core" in sys.modules:
            with contextlib.suppress(ValueError):
                import pydantic_core

                return pydantic_core.from_json(data)
        return json.loads(data)
    finally:
        if collects:
            gc.enable()


def _is_tables(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(table, dict) and all(isinstance(doc, dict) for doc in table.values())
        for table in value.values()
    )


def meta(file: Path) -> Doc:
    """A file's meta document, from its first bytes if they contain it; {} if there is none."""
    try:
        head = regular.read(str(file), _HEAD).decode("utf-8", "replace")
        if head.startswith(_PREFIX):
            with contextlib.suppress(ValueError):
                document = json.JSONDecoder().raw_decode(head, len(_PREFIX))[0]
                return document if isinstance(document, dict) else {}
        return dict((load(file) or {}).get(META, {}).get(META, {}))
    except (OSError, DamagedError):
        return {}


def cursor(root: str) -> str:
    """The last segment that the whole store has taken in, by its head: the database may be behind it."""
    return str(meta(path(root, "state")).get("cursor", ""))
