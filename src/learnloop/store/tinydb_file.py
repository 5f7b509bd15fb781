"""TinyDB as the store uses it: string ids, one file read once, one atomic replace for all changes to it.

Every file is ordinary TinyDB JSON with two tables: the documents, and `meta` with one document
`{"version", "cursor", …}`. `meta` stands first, so that it can be read without reading the documents. Each
document has a line of its own, so that a rewrite takes over the lines of those that did not change.
"""

import contextlib
import gc
import json
import sys
from collections.abc import Mapping
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
_PREFIX = '{"meta":{"meta":'


class DamagedError(Exception):
    """A file whose content is no TinyDB file of ours."""


Unread = bytes
"""A document that nobody has asked for yet: its JSON."""


def parsed(unread_document: Unread) -> Doc:
    """The document; raises DamagedError."""
    try:
        value = _parsed(unread_document)
    except (ValueError, RecursionError) as error:
        raise DamagedError(str(error)) from None
    if not isinstance(value, dict):
        raise DamagedError("not a document")
    return value


def path(root: str, name: str) -> Path:
    """The file of a table: `lessons`, `state`."""
    if not name or name.startswith((".", "/")) or ".." in name:
        raise ValueError(f"no table name: {name!r}")
    return Path(paths.store(root), name + ".json")


def public_fields(doc: Doc) -> Doc:
    """A stored document without the private fields that ingest adds to it."""
    return {name: value for name, value in doc.items() if name[0] != "_"}


def encode(tables: Tables) -> bytes:
    """Compact ASCII JSON, each document but `meta` on a line; one that is unread is taken over as it is."""
    data = bytearray(b"{")
    for number, (name, table) in enumerate(tables.items()):
        data += b"%s%s:" % (b"," if number else b"", _json(name))
        if name == META:
            data += _json(table)
        else:
            _write(data, table)
    return bytes(data + b"}")


def _write(data: bytearray, table: Mapping[str, Doc | Unread]) -> None:
    """Add line after line: a list of all lines would need the memory of a large store three times."""
    data += b"{"
    for number, (doc_id, document) in enumerate(table.items()):
        text = document if isinstance(document, Unread) else _json(document)
        data += b"%s%s:%s" % (b",\n" if number else b"\n", _json(doc_id), text)
    data += b"\n}" if table else b"}"


def unread(data: bytes) -> Tables | None:
    """The tables of a file that `encode` wrote, its documents unread; None where it is written otherwise."""
    head, _, rest = data.partition(b"\n")
    body, _, tail = rest.rpartition(b"\n")
    try:
        tables, name = _frame(head + tail)
        return {META: tables[META], name: dict(map(_line, body.split(b",\n") if body else ()))}
    except ValueError:
        return None


def _line(line: bytes) -> tuple[str, Unread]:
    """The id and the document of a line; raises ValueError where it is none of ours."""
    name, is_there, document = line.partition(b'":{')
    is_plain = name[:1] == b'"' and b'"' not in name[1:] and b"\\" not in name
    if not (is_there and is_plain and document[-1:] == b"}") or b"\n" in line:
        raise ValueError(f"no document: {line[:80]!r}")
    return name[1:].decode("ascii"), b"{" + document


def _frame(around: bytes) -> tuple[Tables, str]:
    """What surrounds the documents, and their table's name; raises ValueError unless `encode` wrote it."""
    tables = json.loads(around)
    names = [name for name in tables if name != META] if _is_tables(tables) else []
    version = tables.get(META, {}).get(META, {}).get("version")
    if len(names) != 1 or tables[names[0]] or version not in ALIKE:
        raise ValueError("not a file of ours")
    return tables, names[0]


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
    """Parse JSON, by pydantic's faster parser where that is loaded anyway: it knows no half of a sign."""
    if pydantic_core := sys.modules.get("pydantic_core"):
        with contextlib.suppress(ValueError):
            return pydantic_core.from_json(data)
    return _parsed_slowly(data)


def _parsed_slowly(data: bytes) -> Any:
    """Parse without the garbage collector, which would traverse the new objects again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
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
