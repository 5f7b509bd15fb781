"""The tasks of the history database, by what filters ask of them and by their words.

A task has a number for each trait, so a filter tests each value that there is once and then looks at numbers
alone. Text is sought in a trigram index. Tasks are numbered by time, so that rows come newest first.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from learnloop.models.memory import MemoryPiece, MemorySource
from learnloop.models.task import Task, TaskTraits
from learnloop.store.document_table import DayEntry
from learnloop.wire import clock

TraitTest = tuple[str, Callable[[Any], bool]]
"""The name of a trait, and what its value has to pass."""
_FIELDS = TaskTraits._fields
_COLUMNS = ", ".join(_FIELDS)
SCHEMA = f"""
CREATE TABLE days (day TEXT PRIMARY KEY, digest TEXT, size INTEGER) WITHOUT ROWID;
CREATE TABLE tasks (no INTEGER PRIMARY KEY, id TEXT, day TEXT, run INTEGER, listed INTEGER, {_COLUMNS});
CREATE INDEX tasks_day ON tasks (day);
CREATE TABLE task_docs (no INTEGER PRIMARY KEY, doc BLOB);
CREATE TABLE task_names (name TEXT, no INTEGER, PRIMARY KEY (name, no)) WITHOUT ROWID;
CREATE TABLE traits (no INTEGER PRIMARY KEY, field TEXT, value, UNIQUE (field, value));
CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='trigram', detail=none, columnsize=0);
CREATE VIRTUAL TABLE trigrams USING fts5vocab (words, row);
"""
_INSERT = f"INSERT INTO tasks VALUES ({', '.join('?' * (5 + len(_FIELDS)))})"
_SLOT_MS, _LATEST_MS = 32, 1 << 52
"""Tasks that began within so short a time are numbered in the order in which they are put in."""
_GRAM, _MOST_GRAMS = 3, 60
_PADDING = "\n\n"
"""After the last character too a sequence begins: so each two of a text begin one."""


class TornTaskError(sqlite3.DatabaseError):
    """A row that is not as it was written."""


class TaskEntry(NamedTuple):
    """A task as it is put in."""

    task: Task
    traits: TaskTraits
    text: str
    """What words are looked for in."""
    said: "Said | None"
    """None where it says nothing."""


Said = tuple[MemorySource, tuple[MemoryPiece, ...]]
"""What one task says."""


class DayChange(NamedTuple):
    """What the replacement of a day changed."""

    removed: list[int]
    """The numbers of tasks that are gone, or that are put in anew."""
    added: list[tuple[int, TaskEntry]]


class TaskTable:
    """The tasks of an open database; who changes them begins and ends the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._numbers: dict[tuple[str, str | int], int] = {}

    def days(self) -> list[DayEntry]:
        """The days that are in it, oldest first."""
        return [DayEntry._make(row) for row in self._run("SELECT day, digest, size FROM days ORDER BY day")]

    def replace_day(self, day: DayEntry, entries: Iterable[TaskEntry]) -> DayChange:
        """Put the tasks of a day, newest first, in the place of what was there; equal ones stay.

        Rows go in by their numbers: a trigram index writes all that it holds at each that is not larger.
        """
        query = "SELECT id, no, doc FROM tasks JOIN task_docs USING (no) WHERE day = ?"
        before = {name: (no, doc) for name, no, doc in self._run(query, (day.day,))}
        every = [(entry, _packed(entry)) for entry in entries]
        after = {entry.task.id: doc for entry, doc in every}
        kept = {name: no for name, (no, doc) in before.items() if after.get(name) == doc}
        removed = self._remove(sorted(no for name, (no, _) in before.items() if name not in kept))
        last, added = 0, dict[int, tuple[TaskEntry, bytes]]()
        for entry, doc in every:
            if entry.task.id in kept:
                last = kept[entry.task.id]
            else:
                last = self._free(last - 1 if entry.task.parent else _number(entry.task.started), added)
                added[last] = entry, doc
        for no in sorted(added):
            self._insert(no, day.day, *added[no])
        self._run("INSERT OR REPLACE INTO days VALUES (?, ?, ?)", day)
        return DayChange(removed, [(no, added[no][0]) for no in sorted(added)])

    def drop_day(self, day: str) -> list[int]:
        """Remove a day; returns the numbers of its tasks."""
        for table in ("days", "vectors"):
            self._run(f"DELETE FROM {table} WHERE day = ?", (day,))
        return self._remove([no for (no,) in self._run("SELECT no FROM tasks WHERE day = ?", (day,))])

    def purge(self) -> None:
        """Remove the values that no task has any more, and what the trigram index kept of tasks that went."""
        for field in _FIELDS:
            query = f"DELETE FROM traits WHERE field = ? AND no NOT IN (SELECT {field} FROM tasks)"
            self._run(query, (field,))
        self._numbers.clear()
        self._run("INSERT INTO words (words) VALUES ('optimize')")

    def _insert(self, no: int, day: str, entry: TaskEntry, doc: bytes) -> None:
        task, traits = entry.task, (self._trait(*each) for each in entry.traits._asdict().items())
        is_listed = bool(task.project) and not (task.parent or task.continues)
        self._run(_INSERT, (no, task.id, day, bool(task.parent), is_listed, *traits))
        self._run("INSERT INTO task_docs VALUES (?, ?)", (no, doc))
        names = filter(None, (task.id, *task.turns, task.parent))
        for name in dict.fromkeys(names):
            self._run("INSERT INTO task_names VALUES (?, ?)", (name, no))
        self._run("INSERT INTO words (rowid, text) VALUES (?, ?)", (no, _text(entry)))

    def _remove(self, numbers: Iterable[int]) -> list[int]:
        removed = list(numbers)
        for no in removed:
            doc, text = self._doc(no)
            self._run("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", (no, text))
            for name in filter(None, (doc["id"], *doc.get("turns", ()), doc.get("parent"))):
                self._run("DELETE FROM task_names WHERE name = ? AND no = ?", (name, no))
            self._run("DELETE FROM task_docs WHERE no = ?", (no,))
            self._run("DELETE FROM tasks WHERE no = ?", (no,))
        return removed

    def _free(self, wanted: int, others: Container[int]) -> int:
        """The number that was asked for, or the next one below it that is free."""
        while wanted in others or self._run("SELECT 1 FROM tasks WHERE no = ?", (wanted,)).fetchone():
            wanted -= 1
        return wanted

    def _trait(self, field: str, value: str | int) -> int:
        entry = (field, encodable(value) if isinstance(value, str) else value)
        if entry not in self._numbers:
            self._run("INSERT OR IGNORE INTO traits (field, value) VALUES (?, ?)", entry)
            query = "SELECT no FROM traits WHERE field = ? AND value = ?"
            (self._numbers[entry],) = self._run(query, entry).fetchone()
        return self._numbers[entry]

    def newest(
        self, tests: Iterable[TraitTest] = (), words: Iterable[str] = (), *, runs: bool = False
    ) -> Iterator[Task]:
        """The tasks of which some traits pass their tests and that may have all words, newest first.

        Runs of subagents are among them if asked for.
        """
        sought = self.sought(words)
        conditions = " AND ".join([f"run <= {int(runs)}", *self.passing(tests)])
        query = f"SELECT no FROM tasks WHERE {conditions} ORDER BY no DESC"
        if sought:
            source = "words CROSS JOIN tasks ON no = words.rowid WHERE words MATCH ?"
            query = f"SELECT no FROM {source} AND {conditions} ORDER BY words.rowid DESC"
        for (no,) in self._run(query, (sought,) if sought else ()):
            yield self._task(no)

    def of_days(self, first: str, last: str) -> list[Task]:
        """The tasks of some UTC days, newest first, each followed by its subagents' runs."""
        rows = self._run("SELECT no FROM tasks WHERE day BETWEEN ? AND ? ORDER BY no DESC", (first, last))
        return [self._task(no) for (no,) in rows]

    def quarters(self) -> list[int]:
        """The quarter hours since the epoch in which tasks began."""
        query = "SELECT DISTINCT no * ? / ? FROM tasks"
        return [at for (at,) in self._run(query, (_SLOT_MS, 900_000))]

    def listed(self, day: str) -> list[Task]:
        """The tasks of a UTC day that the index of earlier tasks has, in its order."""
        rows = self._run("SELECT no FROM tasks WHERE day = ? AND listed", (day,)).fetchall()
        every = (self._task(no) for (no,) in rows)
        return sorted(every, key=lambda task: (task.started, task.id))

    def listed_count(self) -> int:
        """How many tasks the index of earlier tasks has."""
        return int(self._run("SELECT total(listed) FROM tasks").fetchone()[0])

    def projects(self, day: str) -> dict[str, int]:
        """The numbers of the projects of a UTC day's tasks, by id."""
        return dict(self._run("SELECT id, project FROM tasks WHERE day = ?", (day,)))

    def project_number(self, project: str) -> int:
        """The number of a project; 0 where no task has it."""
        query = "SELECT no FROM traits WHERE field = 'project' AND value = ?"
        (number,) = self._run(query, (encodable(project),)).fetchone() or (0,)
        return int(number)

    def named(self, beginning: str) -> list[Task]:
        """The tasks of which an id or that of a turn begins so, and the runs of subagents for such a task."""
        query = "SELECT DISTINCT no FROM task_names WHERE name >= ? AND name < ? ORDER BY no DESC"
        return [self._task(no) for (no,) in self._run(query, (beginning, f"{beginning}\U0010ffff"))]

    def passing(self, tests: Iterable[TraitTest]) -> Iterator[str]:
        """What holds of the tasks whose traits pass some tests, in SQL."""
        for field, test in tests:
            rows = self._run("SELECT no, value FROM traits WHERE field = ?", (field,)).fetchall()
            numbers = [str(number) for number, value in rows if test(value)]
            if len(numbers) < len(rows):
                yield f"{field} IN ({', '.join(numbers)})"

    def sought(self, words: Iterable[str]) -> str:
        """What the trigram index is asked for tasks with all words; empty where that is nothing.

        A word of two characters begins some of the sequences that the index has. So does a single one of a
        script without spaces.
        """
        every: dict[str, None] = {}
        for word in map(encodable, words):
            grams = [word[at : at + _GRAM] for at in range(len(word) - _GRAM + 1)][:_MOST_GRAMS]
            if grams:
                every.update((_quoted(gram), None) for gram in grams)
            elif len(word) > 1 or not word.isascii():
                query = "SELECT term FROM trigrams WHERE term >= ? AND term < ?"
                terms = [_quoted(term) for (term,) in self._run(query, (word, f"{word}\U0010ffff"))]
                every[f"({' OR '.join(terms or [_quoted(_NOWHERE)])})"] = None
        return " AND ".join(every)

    def _task(self, no: int) -> Task:
        return Task.model_validate(self._doc(no)[0])

    def _doc(self, no: int) -> tuple[Mapping[str, Any], str]:
        """A task as JSON, and what words are looked for in."""
        row = self._run("SELECT doc FROM task_docs WHERE no = ?", (no,)).fetchone()
        try:
            doc, _, text = zlib.decompress(row[0]).partition(b"\n")
            return json.loads(doc), text.decode()
        except (TypeError, ValueError, zlib.error) as error:
            raise TornTaskError(f"a task cannot be read ({error})") from None


_NOWHERE = "\x01\x01\x01"
"""What no text has."""


def encodable(text: str) -> str:
    """A text as SQLite takes it: captured ones may have half a sign, or an end in the middle."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _quoted(gram: str) -> str:
    return '"' + gram.replace('"', '""') + '"'


def _number(started: str) -> int:
    return min(max(clock.parse_ms(started), 0), _LATEST_MS) // _SLOT_MS


def _packed(entry: TaskEntry) -> bytes:
    doc = json.dumps(entry.task.model_dump(mode="json", exclude_defaults=True), separators=(",", ":"))
    return zlib.compress(f"{doc}\n{_text(entry)}".encode(), 1)


def _text(entry: TaskEntry) -> str:
    return encodable(entry.text).lower() + _PADDING
