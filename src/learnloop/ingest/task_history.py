"""Tasks and memories in the history database, brought up to date day by day, the newest day first."""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import Busy
from learnloop.ingest import stored_tasks
from learnloop.learn.tasks import memory_kinds
from learnloop.models.memory import MemoryPiece, MemorySource
from learnloop.models.task import Task, TaskTraits
from learnloop.store import history, locks
from learnloop.store.document_table import DayEntry, turn_days
from learnloop.store.memory_table import MemoryTable
from learnloop.store.store import Store
from learnloop.store.task_table import Said, TaskEntry, TaskTable

LOCK = "history.lock"
WITHIN_S, WAIT_S = 0.5, 10.0
"""How long a list that is drawn waits, and how long one that has to be whole waits for another process."""
_MANY_DAYS = 30
_MEANT = 1_000
"""So many tasks, the newest, say what words of a project mean."""


class Current(NamedTuple):
    """The database, and how many UTC days with tasks it lacks."""

    connection: sqlite3.Connection
    behind: int


@contextlib.contextmanager
def current(root: str, within_s: float = float("inf"), wait_s: float = WAIT_S) -> Iterator[Current]:
    """The database with all days that can be read in some time, and waits for another process for some.

    Where that is at it, the database stays as it is. Raises Unreadable for damage, Refused for a newer one.
    """
    until = time.monotonic() + within_s
    with history.opened(root) as connection:
        try:
            with locks.held(Path(root, LOCK), wait_s=wait_s, what="the history database"):
                behind = _refresh(root, connection, lambda: time.monotonic() > until)
        except Busy:
            behind = len(_behind(turn_days(connection), TaskTable(connection).days()))
        yield Current(connection, behind)


def refresh(root: str, wait_s: float = 0.0) -> int:
    """Bring tasks and memories up to date; return how many days they lack then. Raises as `current` does."""
    with current(root, wait_s=wait_s) as (_, behind):
        return behind


def _behind(stored: Sequence[DayEntry], present: Iterable[DayEntry]) -> list[DayEntry]:
    """The days that are stored otherwise than the database has them, the newest first."""
    held = set(present)
    return [day for day in reversed(stored) if day not in held]


def _refresh(root: str, connection: sqlite3.Connection, is_late: Callable[[], bool]) -> int:
    table, memories = TaskTable(connection), MemoryTable(connection)
    stored, present = turn_days(connection), table.days()
    gone = {each.day for each in present} - {each.day for each in stored}
    behind = _behind(stored, present)
    with connection:
        for day in gone:
            memories.remove(table.drop_day(day))
        if gone:
            table.purge()
    left = list(behind)
    while left and not (len(left) < len(behind) and is_late()):
        with connection:
            _replace_day(root, table, memories, left.pop(0))
    if gone or behind:
        with connection:
            memories.replace_meanings(memory_kinds.meanings(memories.sources(_MEANT)))
    if len(behind) > _MANY_DAYS and not left:
        connection.execute("VACUUM")  # rows that come newest first leave pages half empty
    return len(left)


def _replace_day(root: str, table: TaskTable, memories: MemoryTable, day: DayEntry) -> None:
    every = stored_tasks.tasks_of_utc_days(Store(root), (day.day, day.day))
    change = table.replace_day(day, [entry(task, day.day) for task in every])
    memories.remove(change.removed)
    for no, added in change.added:
        if added.said:
            memories.add(no, added.said)


def entry(task: Task, day: str) -> TaskEntry:
    """What the database has of a task."""
    traits = TaskTraits(
        task.outcome, task.known, task.kind, "\n".join(task.tags), task.project, task.agent, task.branch,
        "\n".join(task.error_classes), day, task.calls, len(task.turns),
    )  # fmt: skip
    said = _said(task)
    texts = (task.input, task.title, *task.files, *task.commands, *(_texts(*said) if said else ()))
    return TaskEntry(task, traits, _once(texts), said)


def _once(texts: Iterable[str]) -> str:
    """Texts without those that others before them contain."""
    every = ""
    for text in texts:
        every += "" if text in every else f"\n{text}"
    return every


def _texts(source: MemorySource, pieces: Iterable[MemoryPiece]) -> tuple[str, ...]:
    """What words are looked for in of memories."""
    return (*source.files, *source.about, *(text for piece in pieces for text in (piece.text, piece.file)))


def _said(task: Task) -> Said | None:
    """What a task says; None where that is nothing, or it cannot be told."""
    try:
        pieces = () if task.parent else tuple(memory_kinds.pieces(task))
        return (memory_kinds.source(task), pieces) if pieces else None
    except Exception:  # one task must not hide the others
        return None
