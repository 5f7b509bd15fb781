"""The catalogue of tasks and memories, by UTC day, in one SQLite file that may go at any time.

It has what filters ask of each task, where the task is stored, and what it says. A memory is all pieces with
one key. It is joined when it is read: so a day is replaced by itself, and a page costs what it shows.
"""

import contextlib
import json
import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from learnloop.errors import Unreadable
from learnloop.models.memory import JoinedPieces, MemoryPiece, MemorySource, MemoryType
from learnloop.models.task import HowKnown, TaskPlace, TaskTraits
from learnloop.store import files, task_traits
from learnloop.store.task_traits import TraitTest
from learnloop.wire import clock, paths, regular

_BITS = 1 << 14


def word_bits(texts: Iterable[str]) -> bytes:
    """The bits of some texts."""
    numbers = {zlib.crc32(three.encode("utf-8", "replace")) % _BITS for three in _threes(texts)}
    bits = bytearray(_BITS // 8)
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bytes(bits)


def may_hold(bits: bytes, words: bytes) -> bool:
    """Whether texts with these bits may hold all words with those."""
    own, asked = int.from_bytes(bits, "big"), int.from_bytes(words, "big")
    return own & asked == asked


def _threes(texts: Iterable[str]) -> set[str]:
    threes: set[str] = set()
    for text in texts:
        low = text.lower()
        threes.update([low[at : at + 3] for at in range(len(low) - 2)])
    return threes


_FILE = "catalog.db"
_VERSION, _WAIT_S = 4, 5.0
_MOST_JOINED = 20
_LATEST_MS = 1 << 52
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS days (day TEXT PRIMARY KEY, digest TEXT, bits BLOB) WITHOUT ROWID;
{task_traits.SCHEMA}
CREATE INDEX IF NOT EXISTS tasks_day ON tasks (day);
CREATE INDEX IF NOT EXISTS tasks_id ON tasks (id);
CREATE TABLE IF NOT EXISTS pieces
  (task INTEGER, at INTEGER, type TEXT, number INTEGER, key TEXT, text TEXT, file TEXT, known INTEGER);
CREATE INDEX IF NOT EXISTS pieces_task ON pieces (task);
CREATE INDEX IF NOT EXISTS pieces_at ON pieces (at);
CREATE INDEX IF NOT EXISTS pieces_key ON pieces (key, at, known);
CREATE INDEX IF NOT EXISTS pieces_semantic ON pieces (type) WHERE type = 'semantic';
PRAGMA user_version = {_VERSION};
"""
_HOW_KNOWN: tuple[HowKnown, ...] = get_args(HowKnown)
"""The surest first; the catalogue has the places."""
_NEWEST = """
SELECT type, p.key, text, file, number, p.known, source, (SELECT count(*) FROM pieces WHERE key = p.key)
FROM pieces p CROSS JOIN tasks ON no = p.task
WHERE {tests} AND NOT EXISTS (SELECT 1 FROM pieces WHERE key = p.key AND at > p.at) ORDER BY p.at DESC
"""
_OF_KEY = "SELECT text, id, number FROM pieces JOIN tasks ON no = task WHERE key = ? ORDER BY pieces.at"
_HOLDS = "(instr(lower(text || source), ?) OR type = 'context')"
_IN_DAYS = "(p.task IN (SELECT no FROM tasks WHERE day IN ({})) OR type IN ('context', 'semantic'))"
"""What semantic pieces say is no text of their day."""
_COUNTED = "SELECT key, count(*) AS seen FROM pieces GROUP BY key"
_ALL_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
_PLAIN = re.compile(r'[^\x80-\U0010ffff"\\]+')
"""Words that JSON has as they are."""

Said = tuple[MemorySource, Sequence[MemoryPiece]]
"""What one task says."""


class TaskEntry(NamedTuple):
    """What the catalogue has of a task."""

    place: TaskPlace
    started: str
    is_run: bool
    """Whether it is the run of a subagent; such a one follows its task."""
    traits: TaskTraits
    texts: tuple[str, ...]
    """What words are looked for in."""
    said: Said | None
    """None where it says nothing."""


class MemoryCatalog:
    """An open catalogue."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def days(self) -> dict[str, str]:
        """The digests of the days that are in it."""
        return dict(self._connection.execute("SELECT day, digest FROM days"))

    def replace_day(self, day: str, digest: str, entries: Iterable[TaskEntry]) -> None:
        """Put the tasks of a day in the place of what was there; without a digest the day goes."""
        run, traits = self._connection.execute, task_traits.Numbers(self._connection)
        with self._connection:
            traits.leave(day)
            run("DELETE FROM pieces WHERE task IN (SELECT no FROM tasks WHERE day = ?)", (day,))
            run("DELETE FROM tasks WHERE day = ?", (day,))
            run("DELETE FROM days WHERE day = ?", (day,))
            at, texts = 0, set[str]()
            for place, started, is_run, values, words, said in entries:
                texts.update(words)
                at = at - 1 if is_run else _at(started, place.id)
                source = task_traits.encodable(json.dumps(said[0], ensure_ascii=False)) if said else None
                row = (day, at, place.id, source, place.turns, is_run, *traits.numbers(values))
                task = run(task_traits.INSERT, row).lastrowid
                if said:
                    self._insert(task, *said)
            traits.drop_unused()
            if digest:
                run("INSERT INTO days VALUES (?, ?, ?)", (day, digest, word_bits(texts)))

    def days_with(self, words: Iterable[str]) -> list[str]:
        """The days that may have all of some words in lower case."""
        asked, rows = word_bits(words), self._connection.execute("SELECT day, bits FROM days")
        return [day for day, bits in rows if may_hold(bits, asked)]

    def matching(
        self, tests: Iterable[TraitTest], *, runs: bool = False, day: str = ""
    ) -> Iterator[TaskPlace]:
        """The tasks, of one day if named, of which some traits pass their tests, newest first.

        Runs of subagents are among them if asked for.
        """
        return task_traits.matching(self._connection, tests, runs, day)

    def places(self, ids: Iterable[str]) -> Iterator[TaskPlace]:
        """Where the tasks with some ids are."""
        for task in ids:
            query = "SELECT id, day, places FROM tasks WHERE id = ?"
            yield from map(TaskPlace._make, self._connection.execute(query, (task,)))

    def sources(self, most: int) -> list[MemorySource]:
        """The newest tasks, newest first."""
        rows = self._connection.execute(
            "SELECT source FROM tasks WHERE source IS NOT NULL ORDER BY at DESC LIMIT ?", (most,)
        )
        return [_source(text) for (text,) in rows]

    def replace_meanings(self, every: Iterable[tuple[MemorySource, MemoryPiece]]) -> None:
        """Put these semantic pieces in the place of all others."""
        by_task: dict[str, tuple[MemorySource, list[MemoryPiece]]] = {}
        for source, piece in every:
            by_task.setdefault(source.id, (source, []))[1].append(piece)
        run = self._connection.execute
        with self._connection:
            run("DELETE FROM pieces WHERE type = 'semantic'")
            for task_id, (source, pieces) in by_task.items():
                task = run("SELECT no FROM tasks WHERE id = ?", (task_id,)).fetchone()[0]
                self._insert(task, source, pieces)

    def _insert(self, task: int | None, source: MemorySource, pieces: Iterable[MemoryPiece]) -> None:
        counts: dict[str, int] = {}
        at, known = _at(source.started, source.id), _HOW_KNOWN.index(source.known)
        for piece in pieces:
            number = counts[piece.type] = counts.get(piece.type, -1) + 1
            row = (
                task, at, piece.type, number, piece.key, task_traits.encodable(piece.text),
                task_traits.encodable(piece.file), known,
            )  # fmt: skip
            self._connection.execute("INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def newest(self, words: Iterable[str] = (), tests: Iterable[TraitTest] = ()) -> Iterator[JoinedPieces]:
        """Joined pieces, newest first; those that lack one of the words may be left out.

        `tests` are of the type, of how many tasks say it (`seen`), and of traits of its newest task.
        """
        plain = [word for word in words if _PLAIN.fullmatch(word)]
        days = self.days_with(plain) if plain else []
        in_days = [_IN_DAYS.format(", ".join("?" * len(days)))] if plain else []
        conditions = ["TRUE", *self._conditions(tests), *in_days, *[_HOLDS] * len(plain)]
        query = _NEWEST.format(tests=" AND ".join(conditions))
        for row in self._connection.execute(query, [*days, *plain]):
            yield self._joined(*row)

    def _conditions(self, tests: Iterable[TraitTest]) -> Iterator[str]:
        traits: list[TraitTest] = []
        for name, test in tests:
            if name == "type":
                types = (f"'{kind}'" for kind in _ALL_TYPES if test(kind))
                yield f"type IN ({', '.join(types)})"
            elif name == "seen" and not test(1):
                every = self._connection.execute(f"SELECT DISTINCT seen FROM ({_COUNTED})")
                counts = (str(count) for (count,) in every if test(count))
                yield f"p.key IN (SELECT key FROM ({_COUNTED}) WHERE seen IN ({', '.join(counts)}))"
            elif name != "seen":
                traits.append((name, test))
        if passing := list(task_traits.passing(self._connection, traits)):
            yield f"p.task IN (SELECT no FROM tasks INDEXED BY tasks_listed WHERE {' AND '.join(passing)})"

    def of_keys(self, keys: Iterable[str]) -> Iterator[JoinedPieces]:
        """Joined pieces with some keys, newest first."""
        names = list(keys)
        query = _NEWEST.format(tests=f"p.key IN ({', '.join('?' * len(names))})")
        for row in self._connection.execute(query, names):
            yield self._joined(*row)

    def says(self, key: str) -> bool:
        """Whether there are pieces with a key."""
        return bool(self._connection.execute("SELECT 1 FROM pieces WHERE key = ?", (key,)).fetchone())

    def beginning(self, kind: str, task: str) -> Iterator[JoinedPieces]:
        """Joined pieces of a type that a task with such an id says, among them those that it says first."""
        keys = "SELECT key FROM tasks JOIN pieces ON task = no WHERE id >= ? AND id < ? AND type = ?"
        query = _NEWEST.format(tests=f"p.key IN ({keys})")
        for row in self._connection.execute(query, (task, f"{task}\uffff", kind)):
            yield self._joined(*row)

    def _joined(
        self, kind: MemoryType, key: str, text: str, file: str, number: int, known: int, source: str,
        seen: int,
    ) -> JoinedPieces:  # fmt: skip
        newest, task = MemoryPiece(kind, key, text, file), _source(source)
        if seen == 1:
            return JoinedPieces(newest, task, (text,), (task.id,), task.id, number, seen, _HOW_KNOWN[known])
        run = self._connection.execute
        texts, tasks, _ = zip(*run(f"{_OF_KEY} DESC LIMIT ?", (key, _MOST_JOINED)), strict=True)
        _, first, first_number = run(f"{_OF_KEY} LIMIT 1", (key,)).fetchone()
        (known,) = run("SELECT min(known) FROM pieces WHERE key = ?", (key,)).fetchone()
        return JoinedPieces(newest, task, texts, tasks, first, first_number, seen, _HOW_KNOWN[known])


def _at(started: str, task: str) -> int:
    """The place of a task among all: by time, and by its id where two began at once."""
    ms = min(max(clock.parse_ms(started), 0), _LATEST_MS)
    return ms * 1000 + zlib.crc32(task.encode("utf-8", "replace")) % 1000


def _source(text: str) -> MemorySource:
    fields = [tuple(field) if isinstance(field, list) else field for field in json.loads(text)]
    return MemorySource._make(fields)


@contextlib.contextmanager
def opened(root: str) -> Iterator[MemoryCatalog]:
    """The catalogue; a new one in the place of one that is damaged or of another version.

    Raises Unreadable, with the catalogue removed, where damage shows later on.
    """
    file = Path(paths.memories(root), _FILE)
    try:
        with contextlib.closing(_connected(file)) as connection:
            yield MemoryCatalog(connection)
    except sqlite3.OperationalError as error:
        raise Unreadable(f"the catalogue of memories: {error}", "try again") from None
    except sqlite3.DatabaseError as error:
        file.unlink(missing_ok=True)
        raise Unreadable(f"the catalogue of memories was damaged: {error}", "it is made anew now") from None


def is_used(root: str) -> bool:
    """Whether somebody has asked for memories, so that there is a catalogue to keep."""
    return Path(paths.memories(root), _FILE).exists()


def _connected(file: Path) -> sqlite3.Connection:
    files.ensure(file.parent)
    while True:
        os.close(regular.opened(str(file), os.O_RDWR | os.O_CREAT))  # with the mode of our files
        connection = sqlite3.connect(file, timeout=_WAIT_S)
        try:
            if _is_ours(connection):
                return connection
        except sqlite3.OperationalError:
            connection.close()
            raise
        except sqlite3.DatabaseError:
            pass
        connection.close()
        file.unlink(missing_ok=True)


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file is of this version; an empty one becomes so."""
    connection.execute("PRAGMA secure_delete = ON")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    return version in (0, _VERSION)
