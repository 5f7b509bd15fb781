"""The tasks of the catalogue, by what filters ask of them.

A task has a number for each trait, and one index has all of them: so a filter tests each value that there is
once, and then looks at numbers alone.
"""

import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from learnloop.models.task import TaskPlace, TaskTraits

TraitTest = tuple[str, Callable[[Any], bool]]
"""The name of a trait, and what its value has to pass."""
_FIELDS = TaskTraits._fields
_COLUMNS = ", ".join(_FIELDS)
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS tasks
  (no INTEGER PRIMARY KEY, day TEXT, at INTEGER, id TEXT, source TEXT, places TEXT, run INTEGER, {_COLUMNS});
CREATE INDEX IF NOT EXISTS tasks_listed ON tasks (at, run, {_COLUMNS});
CREATE TABLE IF NOT EXISTS traits (no INTEGER PRIMARY KEY, field TEXT, value, UNIQUE (field, value));
"""
_AT_ONCE = 500
"""So many are read at once: who looks at them for long keeps nobody from writing."""
INSERT = f"""
INSERT INTO tasks (day, at, id, source, places, run, {_COLUMNS})
VALUES (?, ?, ?, ?, ?, ?, {", ".join("?" * len(_FIELDS))})
"""


class Numbers:
    """The numbers of values, while the tasks of a day are replaced."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._known: dict[tuple[str, object], int] = {}
        self._left: set[tuple[str, int]] = set()

    def leave(self, day: str) -> None:
        """Note which values the tasks of a day have, before these go."""
        rows = self._run(f"SELECT {_COLUMNS} FROM tasks WHERE day = ?", (day,))
        self._left.update(entry for row in rows for entry in zip(_FIELDS, row, strict=True))

    def numbers(self, traits: TaskTraits) -> list[int]:
        """The numbers of a task's values, new ones among them."""
        return [self._number(field, value) for field, value in traits._asdict().items()]

    def _number(self, field: str, value: str | int) -> int:
        entry = (field, encodable(value) if isinstance(value, str) else value)
        if entry not in self._known:
            self._run("INSERT OR IGNORE INTO traits (field, value) VALUES (?, ?)", entry)
            query = "SELECT no FROM traits WHERE field = ? AND value = ?"
            (self._known[entry],) = self._run(query, entry).fetchone()
        return self._known[entry]

    def drop_unused(self) -> None:
        """Remove the values that no task has any more."""
        used = {(field, number) for (field, _), number in self._known.items()}
        for field, number in self._left - used:
            if not self._run(f"SELECT 1 FROM tasks WHERE {field} = ? LIMIT 1", (number,)).fetchone():
                self._run("DELETE FROM traits WHERE no = ?", (number,))


def matching(
    connection: sqlite3.Connection, tests: Iterable[TraitTest], runs: bool, day: str
) -> Iterator[TaskPlace]:
    """The tasks, of one day if named, of which some traits pass their tests, newest first."""
    conditions = [f"run <= {int(runs)}", *(["day = ?"] if day else []), *passing(connection, tests)]
    where = f"INDEXED BY tasks_{'day' if day else 'listed'} WHERE {' AND '.join(conditions)}"
    query = (
        f"SELECT id, day, places, at, no FROM tasks {where} AND (at, no) < (?, ?) ORDER BY at DESC, no DESC"
    )
    last = (sys.maxsize, 0)
    while rows := connection.execute(
        f"{query} LIMIT {_AT_ONCE}", (*([day] if day else []), *last)
    ).fetchall():
        yield from (TaskPlace._make(row[:3]) for row in rows)
        last = rows[-1][3:]


def passing(connection: sqlite3.Connection, tests: Iterable[TraitTest]) -> Iterator[str]:
    """What holds of the tasks whose traits pass some tests, in SQL."""
    for field, test in tests:
        rows = connection.execute("SELECT no, value FROM traits WHERE field = ?", (field,)).fetchall()
        numbers = [str(number) for number, value in rows if test(value)]
        if len(numbers) < len(rows):
            yield f"{field} IN ({', '.join(numbers)})"


def encodable(text: str) -> str:
    """A text as SQLite takes it: captured ones may have half a sign."""
    return text.encode("utf-8", "replace").decode()
