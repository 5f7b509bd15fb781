"""The index of earlier tasks, a log-structured merge tree (LSM) brought up to date in the background.

A part of the index holds the tasks of some UTC days that follow each other. The newest day is a part of its
own, and each part is much larger than the next, so that the cost follows what is new. A part is named after
its days and after a digest of their tables: it never changes, and one whose days have changed is made anew.
"""

import contextlib
import hashlib
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path

from learnloop.errors import Busy, LearnloopError, Refused, Unreadable
from learnloop.ingest import task_history, task_vectors
from learnloop.ingest.task_vectors import Progress
from learnloop.models.task import Task
from learnloop.recall import task_index
from learnloop.store import files, locks
from learnloop.store.document_table import DayEntry
from learnloop.store.store import Store
from learnloop.store.task_table import TaskTable
from learnloop.wire import earlier, index, paths

LOCK = "earlier.lock"
_FORMAT = "4"
_GROWTH = 4
"""A part that is more than a quarter of the one before it joins it."""
_REPORTED = 50
"""Progress is reported after so many tasks."""

Part = list[DayEntry]


def refresh(
    root: str, *, wait_s: float = 0.0, model: str = "", progress: Progress = lambda _done, _total: None
) -> bool:
    """Bring the index up to date; False where another process is at it, or the database cannot be used.

    `model`: the folder of a sentence model. New tasks get their vectors too, which takes seconds.
    """
    try:
        with locks.held(Path(root, LOCK), wait_s=wait_s, what="the index of earlier tasks"):
            _refresh(root, model, progress)
    except (Busy, Unreadable, Refused):
        return False
    return True


def is_used(root: str) -> bool:
    """Whether somebody has asked for earlier tasks, so that there is an index to keep."""
    return Path(paths.earlier_tasks(root), earlier.LIST).exists()


def damaged(root: str) -> list[Path]:
    """The files that cannot be read, or that are of days that this store does not have."""
    folder = Path(paths.earlier_tasks(root))
    stored = [each.day for each in Store(root).turn_days()]
    return [
        folder / name
        for name in _names(folder)
        if not _is_unchanged(folder / name) or not any(name[:10] <= day <= name[11:21] for day in stored)
    ]


def mend(root: str, model: str = "") -> None:
    """Write what is damaged anew; raises Busy where another process is at it for long."""
    for path in damaged(root):
        path.unlink(missing_ok=True)
    refresh(root, wait_s=2.0, model=model)


def _is_whole(path: Path) -> bool:
    opened = index.read(str(path))
    return opened is not None and task_index.is_index(opened)


def _is_unchanged(path: Path) -> bool:
    opened = index.read(str(path))
    return opened is not None and task_index.is_index(opened) and task_index.is_unchanged(opened)


def _refresh(root: str, model: str, progress: Progress) -> None:
    folder = Path(paths.earlier_tasks(root))
    with task_history.current(root, wait_s=0.0) as (connection, _):
        table = TaskTable(connection)
        stored = table.days()
        parts = {_name(part): part for part in _planned(stored, _present(folder, stored))}
        made = {
            name: table.of_days(part[0].day, part[-1].day)
            for name, part in parts.items()
            if not _is_whole(folder / name)
        }
    names = [*parts]
    on_record = _reporting(progress, made.values())
    for name, tasks in made.items():
        files.replace(folder / name, [task_index.compile_tasks(tasks, on_record)], sync=False)
    if made or _names(folder) != names:
        files.replace(folder / earlier.LIST, ["\n".join(names).encode()], sync=False)
        for path in files.listing(folder, ""):
            if path.name not in (*names, earlier.LIST):
                path.unlink(missing_ok=True)
    if names and model:
        with contextlib.suppress(LearnloopError):  # the doctor says what is in its way
            task_vectors.refresh(root, model)


def _reporting(progress: Progress, made: Iterable[list[Task]]) -> Callable[[], None]:
    """What counts the tasks of some parts as they are written, and reports now and then."""
    total = sum(len(group) for tasks in made for group in task_index.by_project(tasks).values())
    done = itertools.count(1)

    def on_record() -> None:
        if (count := next(done)) % _REPORTED == 0:
            progress(count, total)

    return on_record


def _name(part: Part) -> str:
    return f"{part[0].day}_{part[-1].day}-{_digest(part)}"


def _digest(part: Part) -> str:
    return hashlib.sha256(repr((_FORMAT, part)).encode()).hexdigest()[:16]


def _names(folder: Path) -> list[str]:
    return (files.read(folder / earlier.LIST) or b"").decode("utf-8", "replace").split()


def _present(folder: Path, stored: list[DayEntry]) -> list[Part]:
    """The parts that hold what their days hold now."""
    listed = [
        (name, [each for each in stored if name[:10] <= each.day <= name[11:21]]) for name in _names(folder)
    ]
    return [part for name, part in listed if part and _name(part) == name]


def _planned(stored: list[DayEntry], present: list[Part]) -> list[Part]:
    """The parts that there should be, oldest first."""
    part_by_day = {each.day: part for part in present for each in part}
    parts: list[Part] = []
    for each in stored[:-1]:
        part = part_by_day.get(each.day)
        if part is None or part[-1].day == stored[-1].day:
            parts.append([each])
        elif part[0] == each:
            parts.append(part)
    joined: list[Part] = []
    for part in parts:
        joined.append(part)
        while len(joined) > 1 and _GROWTH * _size(joined[-1]) > _size(joined[-2]):
            last = joined.pop()
            joined[-1] = joined[-1] + last
    return [*joined, *([stored[-1:]] if stored else [])]


def _size(part: Part) -> int:
    return sum(each.size for each in part)
