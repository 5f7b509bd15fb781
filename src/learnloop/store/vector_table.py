"""The vectors of the history database: those of a UTC day in one BLOB of float32, beside its tasks.

A search looks at every vector. A BLOB a day is read eight times as fast as one a task (measured with 100,000
of 384 numbers: 18 ms against 300).
"""

import hashlib
import json
import sqlite3
from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from learnloop.store.task_table import TaskTable

SCHEMA = """
CREATE TABLE vectors (
  day TEXT PRIMARY KEY, digest TEXT, model TEXT, held INTEGER, unread INTEGER, odd INTEGER,
  ids TEXT, keys BLOB, projects BLOB, rows BLOB
);
"""
_KEY, _MAPPED = 16, 1 << 31
_UNREAD = bytes(_KEY)


class VectorBlock(NamedTuple):
    """The vectors of a day, those of the oldest tasks first."""

    ids: str
    """As JSON: only those of the nearest are read."""
    projects: bytes
    """The number of each task's project, as an int32."""
    rows: bytes
    """A row of zeros where there is no vector."""


class Counts(NamedTuple):
    """How many tasks of the index there are, have been read, and for how many the model gave no numbers."""

    total: int
    read: int
    odd: int


class VectorTable:
    """The vectors of an open database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection, self._run = connection, connection.execute

    def due(self, model: str = "") -> list[str]:
        """The days with tasks that are not read, newest first; for a model also those that another read."""
        other = "OR vectors.model IS NOT ?" if model else ""
        query = f"""SELECT day FROM days LEFT JOIN vectors USING (day)
          WHERE vectors.digest IS NOT days.digest OR unread {other} ORDER BY day DESC"""
        return [day for (day,) in self._run(query, (model,) if model else ())]

    def rows(self, day: str, model: str) -> dict[bytes, bytes]:
        """What a model made of the tasks of a day, by their keys."""
        query = "SELECT keys, rows FROM vectors WHERE day = ? AND model = ? AND held"
        keys, rows = self._run(query, (day, model)).fetchone() or (b"", b"")
        width = len(rows) * _KEY // max(len(keys), 1)
        every = {
            keys[at * _KEY : (at + 1) * _KEY]: rows[at * width : (at + 1) * width]
            for at in range(len(keys) // _KEY)
        }
        every.pop(_UNREAD, None)
        return every

    def put(
        self, day: str, model: str, width: int, keyed: Mapping[str, bytes], rows: Mapping[bytes, bytes]
    ) -> None:  # fmt: skip
        """Put the rows of a day, so many bytes each, in place of what was there.

        `keyed`: the keys of its tasks, by id.
        """
        blank = bytes(width)
        keys = [key if key in rows else _UNREAD for key in keyed.values()]
        vectors = [rows.get(key, blank) for key in keyed.values()]
        unread = keys.count(_UNREAD)
        projects = TaskTable(self._connection).projects(day)
        numbers = array("i", [projects.get(task, 0) for task in keyed]).tobytes()
        (digest,) = self._run("SELECT digest FROM days WHERE day = ?", (day,)).fetchone() or ("",)
        row = (
            day, digest, model, len(keyed), unread, vectors.count(blank) - unread, json.dumps([*keyed]),
            b"".join(keys), numbers, b"".join(vectors),
        )  # fmt: skip
        with self._connection:
            self._run(f"INSERT OR REPLACE INTO vectors VALUES ({', '.join('?' * len(row))})", row)

    def blocks(self, model: str) -> Iterator[VectorBlock]:
        """What a model made, the oldest day first."""
        self._run(f"PRAGMA mmap_size = {_MAPPED}")
        query = "SELECT ids, projects, rows FROM vectors WHERE model = ? AND held ORDER BY day"
        return map(VectorBlock._make, self._run(query, (model,)))

    def counts(self, model: str) -> Counts:
        """How far a model is."""
        query = "SELECT total(held - unread), total(odd) FROM vectors WHERE model = ?"
        read, odd = map(int, self._run(query, (model,)).fetchone())
        return Counts(TaskTable(self._connection).listed_count(), read, odd)

    def clear(self) -> None:
        """Remove all of them."""
        if self._run("SELECT 1 FROM vectors").fetchone():
            with self._connection:
                self._run("DELETE FROM vectors")


def key_of(task: str, text: str) -> bytes:
    """The key of a task's row: the row is used again as long as id and text stay the same."""
    return hashlib.blake2b(f"{task} {text}".encode("utf-8", "surrogatepass"), digest_size=_KEY).digest()
