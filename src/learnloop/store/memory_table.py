"""The memories of the history database: a memory is all pieces with one key, joined as it is read.

So tasks are replaced by themselves, and a page costs what it shows. A piece has the number of its task, and
so its place in time.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import get_args

from learnloop.models.memory import JoinedPieces, MemoryPiece, MemorySource, MemoryType
from learnloop.models.task import HowKnown
from learnloop.store.task_table import Said, TaskTable, TraitTest, encodable

_TABLES = ("sources", "pieces")
SCHEMA = """
CREATE TABLE sources (no INTEGER PRIMARY KEY, source TEXT);
CREATE TABLE pieces (no INTEGER, type TEXT, number INTEGER, key TEXT, text TEXT, file TEXT, known INTEGER);
CREATE INDEX pieces_no ON pieces (no);
CREATE INDEX pieces_key ON pieces (key, no, known);
CREATE INDEX pieces_semantic ON pieces (type) WHERE type = 'semantic';
"""
_MOST_JOINED = 20
_HOW_KNOWN: tuple[HowKnown, ...] = get_args(HowKnown)
"""The surest first; the table has the places."""
_NEWEST = """
SELECT type, p.key, text, file, number, p.known, source, (SELECT count(*) FROM pieces WHERE key = p.key)
FROM pieces p CROSS JOIN sources USING (no)
WHERE {tests} AND NOT EXISTS (SELECT 1 FROM pieces WHERE key = p.key AND no > p.no) ORDER BY p.no DESC
"""
_OF_KEY = "SELECT text, id, number FROM pieces JOIN tasks USING (no) WHERE key = ? ORDER BY no"
_HOLDS = "(instr(lower(text || source), ?) OR type = 'context')"
_OF_TASKS = "(p.no IN (SELECT rowid FROM words WHERE words MATCH ?) OR type IN ('context', 'semantic'))"
"""What semantic pieces say is no text of their task."""
_COUNTED = "SELECT key, count(*) AS seen FROM pieces GROUP BY key"
_ALL_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
_PLAIN = re.compile(r'[^\x80-\U0010ffff"\\]+')
"""Words that JSON has as they are."""


class MemoryTable:
    """The memories of an open database; who changes them begins and ends the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._tasks = TaskTable(connection)

    def remove(self, tasks: Iterable[int]) -> None:
        """Remove what some tasks say."""
        for no in tasks:
            for table in _TABLES:
                self._run(f"DELETE FROM {table} WHERE no = ?", (no,))

    def add(self, no: int, memory: Said) -> None:
        """Put in what a task says."""
        source, pieces = memory
        self._run(
            "INSERT INTO sources VALUES (?, ?)", (no, encodable(json.dumps(source, ensure_ascii=False)))
        )
        self._insert(no, source, pieces)

    def sources(self, most: int) -> list[MemorySource]:
        """The newest tasks that say something, newest first."""
        rows = self._run("SELECT source FROM sources ORDER BY no DESC LIMIT ?", (most,))
        return [_source(text) for (text,) in rows]

    def replace_meanings(self, every: Iterable[tuple[MemorySource, MemoryPiece]]) -> None:
        """Put these semantic pieces in the place of all others."""
        by_task: dict[str, tuple[MemorySource, list[MemoryPiece]]] = {}
        for source, piece in every:
            by_task.setdefault(source.id, (source, []))[1].append(piece)
        self._run("DELETE FROM pieces WHERE type = 'semantic'")
        for task_id, (source, pieces) in by_task.items():
            query = "SELECT no FROM task_names JOIN tasks USING (no) WHERE name = ? AND id = name"
            self._insert(self._run(query, (task_id,)).fetchone()[0], source, pieces)

    def _insert(self, no: int, source: MemorySource, pieces: Iterable[MemoryPiece]) -> None:
        counts: dict[str, int] = {}
        certainty = _HOW_KNOWN.index(source.known)
        for kind, key, text, file in pieces:
            number = counts[kind] = counts.get(kind, -1) + 1
            row = (no, kind, number, key, encodable(text), encodable(file), certainty)
            self._run("INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def newest(self, words: Iterable[str] = (), tests: Iterable[TraitTest] = ()) -> Iterator[JoinedPieces]:
        """Joined pieces, newest first; those that lack one of the words may be left out.

        `tests` are of the type, of how many tasks say it (`seen`), and of traits of its newest task.
        """
        plain = [word for word in words if _PLAIN.fullmatch(word)]
        sought = self._tasks.sought(plain)
        conditions = [
            "TRUE",
            *self._conditions(tests),
            *([_OF_TASKS] if sought else []),
            *[_HOLDS] * len(plain),
        ]
        query = _NEWEST.format(tests=" AND ".join(conditions))
        for row in self._run(query, [*filter(None, [sought]), *plain]):
            yield self._joined(*row)

    def _conditions(self, tests: Iterable[TraitTest]) -> Iterator[str]:
        traits: list[TraitTest] = []
        for name, test in tests:
            if name == "type":
                types = (f"'{kind}'" for kind in _ALL_TYPES if test(kind))
                yield f"type IN ({', '.join(types)})"
            elif name == "seen" and not test(1):
                every = self._run(f"SELECT DISTINCT seen FROM ({_COUNTED})")
                counts = (str(count) for (count,) in every if test(count))
                yield f"p.key IN (SELECT key FROM ({_COUNTED}) WHERE seen IN ({', '.join(counts)}))"
            elif name != "seen":
                traits.append((name, test))
        if passing := list(self._tasks.passing(traits)):
            yield f"p.no IN (SELECT no FROM tasks WHERE {' AND '.join(passing)})"

    def of_keys(self, keys: Iterable[str]) -> Iterator[JoinedPieces]:
        """Joined pieces with some keys, newest first."""
        names = list(keys)
        query = _NEWEST.format(tests=f"p.key IN ({', '.join('?' * len(names))})")
        for row in self._run(query, names):
            yield self._joined(*row)

    def says(self, key: str) -> bool:
        """Whether there are pieces with a key."""
        return bool(self._run("SELECT 1 FROM pieces WHERE key = ?", (key,)).fetchone())

    def beginning(self, kind: str, task: str) -> Iterator[JoinedPieces]:
        """Joined pieces of a type that a task with such an id says, among them those that it says first."""
        keys = "SELECT key FROM task_names JOIN pieces USING (no) WHERE name >= ? AND name < ? AND type = ?"
        query = _NEWEST.format(tests=f"p.key IN ({keys})")
        for row in self._run(query, (task, f"{task}\uffff", kind)):
            yield self._joined(*row)

    def _joined(
        self, kind: MemoryType, key: str, text: str, file: str, number: int, certainty: int, source: str,
        seen: int,
    ) -> JoinedPieces:  # fmt: skip
        newest, task = MemoryPiece(kind, key, text, file), _source(source)
        if seen == 1:
            return JoinedPieces(
                newest, task, (text,), (task.id,), task.id, number, seen, _HOW_KNOWN[certainty]
            )
        texts, tasks, _ = zip(*self._run(f"{_OF_KEY} DESC LIMIT ?", (key, _MOST_JOINED)), strict=True)
        _, first, first_number = self._run(f"{_OF_KEY} LIMIT 1", (key,)).fetchone()
        (certainty,) = self._run("SELECT min(known) FROM pieces WHERE key = ?", (key,)).fetchone()
        return JoinedPieces(newest, task, texts, tasks, first, first_number, seen, _HOW_KNOWN[certainty])


def _source(text: str) -> MemorySource:
    fields = [tuple(field) if isinstance(field, list) else field for field in json.loads(text)]
    return MemorySource._make(fields)
