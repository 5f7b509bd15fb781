"""The catalogue of memories, brought up to date day by day, the newest day first."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path

from learnloop.errors import Busy
from learnloop.ingest import stored_tasks
from learnloop.ingest.stored_tasks import StoredDay
from learnloop.learn.tasks import memory_kinds
from learnloop.models.memory import MemoryPiece, MemorySource
from learnloop.models.task import Task, TaskPlace, TaskTraits
from learnloop.store import locks, memory_catalog
from learnloop.store.memory_catalog import MemoryCatalog, Said, TaskEntry
from learnloop.store.store import Store

_LOCK, _FORMAT = "memories.lock", "6"
_MEANT = 1_000
"""So many tasks, the newest, say what words of a project mean."""


def refresh(root: str, within_s: float = float("inf"), wait_s: float = 0.0) -> list[str]:
    """Bring the catalogue up to date, as far as the time allows; return the days that it lacks, newest first.

    Where another process is at it, it stays as it is. Raises Unreadable for damage.
    """
    until = time.monotonic() + within_s
    try:
        with (
            locks.held(Path(root, _LOCK), wait_s=wait_s, what="the catalogue of memories"),
            memory_catalog.opened(root) as catalog,
        ):
            return _refresh(root, catalog, lambda: time.monotonic() > until)
    except Busy:
        with memory_catalog.opened(root) as catalog:
            return [each.day for each in _behind(stored_tasks.stored_days(root, _FORMAT), catalog.days())]


def _refresh(root: str, catalog: MemoryCatalog, is_late: Callable[[], bool]) -> list[str]:
    stored = stored_tasks.stored_days(root, _FORMAT)
    present = catalog.days()
    gone = present.keys() - {each.day for each in stored}
    for day in gone:
        catalog.replace_day(day, "", ())
    behind = _behind(stored, present)
    left = list(behind)
    while left and not (len(left) < len(behind) and is_late()):
        catalog.replace_day(left[0].day, left[0].digest, _entries(Store(root), left[0]))
        del left[0]
    if gone or behind:
        catalog.replace_meanings(memory_kinds.meanings(catalog.sources(_MEANT)))
    return [each.day for each in left]


def _behind(stored: Sequence[StoredDay], present: Mapping[str, str]) -> list[StoredDay]:
    """The days that are stored otherwise than the catalogue has them, the newest first."""
    return [each for each in reversed(stored) if present.get(each.day) != each.digest]


def _entries(store: Store, day: StoredDay) -> Iterator[TaskEntry]:
    return starmap(entry, stored_tasks.placed(store, day))


def entry(task: Task, place: TaskPlace) -> TaskEntry:
    """What the catalogue has of a task."""
    traits = TaskTraits(
        task.outcome, task.known, task.kind, "\n".join(task.tags), task.project, task.agent, task.branch,
        "\n".join(task.error_classes), place.day, task.calls, len(task.turns),
    )  # fmt: skip
    said = _said(task)
    texts = (task.title, task.input, *task.files, *task.commands, *(_texts(*said) if said else ()))
    return TaskEntry(place, task.started, bool(task.parent), traits, texts, said)


def _texts(source: MemorySource, pieces: Iterable[MemoryPiece]) -> Iterator[str]:
    """What words are looked for in of memories."""
    yield from (*source.files, *source.about)
    for piece in pieces:
        yield from (piece.text, piece.file)


def _said(task: Task) -> Said | None:
    """What a task says; None where that is nothing, or it cannot be told."""
    try:
        pieces = () if task.parent else memory_kinds.pieces(task)
        return (memory_kinds.source(task), pieces) if pieces else None
    except Exception:  # one task must not hide the others
        return None
