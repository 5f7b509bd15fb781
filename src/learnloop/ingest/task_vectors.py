"""The vectors of earlier tasks, in the history database.

A row is used again as long as model, task and text stay the same. In the background only so much time goes to
new ones. What the model of before made is made anew when a person asks for it.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from learnloop.errors import LearnloopError
from learnloop.ingest import task_history
from learnloop.recall import task_index
from learnloop.store import history, locks
from learnloop.store.task_table import TaskTable
from learnloop.store.vector_table import VectorTable, key_of
from learnloop.vectors import model_folder, opening
from learnloop.vectors.model_folder import ModelFolder

LOCK = "vectors.lock"
BACKGROUND_S = 5.0
_AT_ONCE = 128
Progress = Callable[[int, int], object]
"""Called with what is done of a day's new tasks or of the days, and how many there are."""


def remove(root: str) -> None:
    """Remove all rows: nobody asks for them any more."""
    with contextlib.suppress(LearnloopError):
        if history.is_used(root):
            with history.opened(root) as connection:
                VectorTable(connection).clear()


def refresh(root: str, folder: str) -> None:
    """Give new tasks their vectors; raises Busy, and Refused where the model cannot be used."""
    with (
        locks.held(Path(root, LOCK), wait_s=0.0, what="the vectors of tasks"),
        history.opened(root) as opened,
    ):
        work = _Work(opened, model_folder.read(folder), time.monotonic() + BACKGROUND_S)
        work.run(VectorTable(opened).due(), lambda *_: None)


def rebuild(root: str, folder: str, progress: Progress) -> int:
    """Give every task a vector of this model; how many have one then. Raises as `refresh` does."""
    with (
        locks.held(Path(root, LOCK), wait_s=BACKGROUND_S, what="the vectors of tasks"),
        task_history.current(root) as (connection, _),
    ):
        model, table = model_folder.read(folder), VectorTable(connection)
        _Work(connection, model, float("inf")).run(table.due(model.digest), progress)
        counts = table.counts(model.digest)
        return counts.read - counts.odd


class _Work:
    """The reading of tasks with one model, until a time."""

    def __init__(self, connection: sqlite3.Connection, model: ModelFolder, until: float) -> None:
        self._table, self._tasks = VectorTable(connection), TaskTable(connection)
        self._digest, self._until = model.digest, until
        self._embedder = opening.embedder(model)

    def run(self, days: Sequence[str], progress: Progress) -> None:
        """Bring days up to date, the first ones first."""
        for done, day in enumerate(days):
            self._read(day, progress)
            progress(done + 1, len(days))
            if time.monotonic() > self._until:
                break

    def _read(self, day: str, progress: Progress) -> None:
        texts = {task.id: task_index.asked_and_wrote(task) for task in self._tasks.listed(day)}
        keyed = {name: key_of(name, text) for name, text in texts.items()}
        rows = self._table.rows(day, self._digest)
        unread = [name for name in reversed(texts) if keyed[name] not in rows]
        for first in range(0, len(unread), _AT_ONCE):
            if time.monotonic() > self._until:
                break
            chunk = unread[first : first + _AT_ONCE]
            vectors = self._embedder.embed([texts[name] for name in chunk])
            rows.update(zip(map(keyed.__getitem__, chunk), (row.tobytes() for row in vectors), strict=True))
            progress(first + len(chunk), len(unread))
        self._table.put(day, self._digest, 4 * self._embedder.dim, keyed, rows)
