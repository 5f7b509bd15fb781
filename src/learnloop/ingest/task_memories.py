"""The catalogue of memories, brought up to date day by day, the newest day first."""

import time
from collections.abc import Callable
from pathlib import Path

from learnloop.errors import Busy
from learnloop.ingest import stored_tasks
from learnloop.learn.tasks import memory_kinds
from learnloop.models.task import Task, TaskTraits
from learnloop.store import locks, memory_catalog
from learnloop.store.memory_catalog import MemoryCatalog, Said
from learnloop.store.store import Store

_LOCK, _FORMAT = "memories.lock", "2"
_MEANT = 1_000
"""So many tasks, the newest, say what words of a project mean."""


def refresh(root: str, within_s: float = float("inf"), wait_s: float = 0.0) -> int:
    """Bring the catalogue up to date, as far as the time allows; return how many days it lacks.

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
        return 1


def traits(root: str) -> dict[str, list[TaskTraits]]:
    """The traits of the tasks of each UTC day that the catalogue has as it is stored."""
    with memory_catalog.opened(root) as catalog:
        present, by_day = catalog.days(), catalog.traits()
    stored = stored_tasks.stored_days(root, _FORMAT)
    return {each.day: by_day[each.day] for each in stored if present.get(each.day) == each.digest}


def _traits(task: Task) -> TaskTraits:
    return TaskTraits(task.outcome, task.known, task.kind)


def _refresh(root: str, catalog: MemoryCatalog, is_late: Callable[[], bool]) -> int:
    stored = {each.day: each.digest for each in stored_tasks.stored_days(root, _FORMAT)}
    present = catalog.days()
    gone = present.keys() - stored.keys()
    for day in gone:
        catalog.replace_day(day, "", ())
    behind = sorted((day for day in stored if present.get(day) != stored[day]), reverse=True)
    left = list(behind)
    while left and not (len(left) < len(behind) and is_late()):
        day = left.pop(0)
        tasks = stored_tasks.tasks_of_utc_days(Store(root), (day, day))
        catalog.replace_day(day, stored[day], filter(None, map(_said, tasks)), map(_traits, tasks))
    if gone or behind:
        catalog.replace_meanings(memory_kinds.meanings(catalog.sources(_MEANT)))
    return len(left)


def _said(task: Task) -> Said | None:
    """What a task says; None where that is nothing, or it cannot be told."""
    try:
        pieces = () if task.parent else memory_kinds.pieces(task)
        return (memory_kinds.source(task), pieces) if pieces else None
    except Exception:  # one task must not hide the others
        return None
