"""The tasks of a store, made of its turns and their traces."""

import contextlib
import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from functools import lru_cache
from pathlib import Path

from learnloop.learn.tasks import assembly, days
from learnloop.models.task import Task
from learnloop.store.store import EVER, Days, Store
from learnloop.store.task_table import DayEntry
from learnloop.wire import paths

_TABLES = ("turns", "tasks")
_SETTLED_NS = 2_000_000_000
"""Two changes so near to each other may have one time."""


def tasks(store: Store, utc_days: Days = EVER) -> list[Task]:
    """Return the tasks of some UTC days, newest first, each followed by its subagents' runs."""
    return assembly.tasks(_pieces(store, utc_days))


def tasks_of_utc_days(store: Store, utc_days: Days) -> list[Task]:
    """Return the tasks of some UTC days; what goes on on another day is a task of its own."""
    return assembly.tasks(_pieces(store, utc_days), _utc_day)


def newest(root: str) -> Iterator[Task]:
    """The tasks of each UTC day, newest first, out of the store's own files."""
    for each in reversed(stored_days(root, "")):
        yield from tasks_of_utc_days(Store(root), (each.day, each.day))


def stored_days(root: str, derived_as: str) -> list[DayEntry]:
    """The UTC days with tasks, oldest first; digests differ where the format of what is derived does.

    Every write renames a file into its folder. So a folder that has not changed is not listed again.
    """
    folders = [Path(paths.store(root), table) for table in _TABLES]
    changed = tuple(folder.stat().st_mtime_ns if folder.exists() else 0 for folder in folders)
    is_settled = max(changed) < time.time_ns() - _SETTLED_NS
    return (_listed if is_settled else _listed.__wrapped__)(root, derived_as, changed)


@lru_cache(maxsize=4)
def _listed(root: str, derived_as: str, _changed: tuple[int, ...]) -> list[DayEntry]:
    words, sizes = dict[str, list[str]](), Counter[str]()
    for table in _TABLES:
        with contextlib.suppress(FileNotFoundError), os.scandir(f"{paths.store(root)}/{table}") as every:
            for entry in (each for each in every if each.name.endswith(".json")):
                day, stat = entry.name[:10], entry.stat()
                words.setdefault(day, []).append(f"{table}/{entry.name} {stat.st_size} {stat.st_mtime_ns}")
                sizes[day] += stat.st_size
    whole = (day for day in sorted(words) if days.is_day(day))
    return [DayEntry(day, digest([derived_as, *sorted(words[day])]), sizes[day]) for day in whole]


def digest(texts: Iterable[str]) -> str:
    """A short name of some texts."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def _utc_day(ts: str) -> str:
    return ts[:10]


def tasks_by_day(store: Store, first: str, last: str, zone: tzinfo | None = None) -> dict[str, list[Task]]:
    """Return the tasks of some local days by the day that they began on, subagents' runs with their task."""
    by_day: dict[str, list[Task]] = {}
    day_by_id: dict[str, str] = {}
    pieces = _pieces(store, days.around(first, last))
    for task in assembly.tasks(pieces, lambda ts: days.local_day(ts, zone)):
        day = day_by_id[task.id] = day_by_id.get(task.parent or "") or days.local_day(task.started, zone)
        if first <= day <= last:
            by_day.setdefault(day, []).append(task)
    return by_day


def _pieces(store: Store, utc_days: Days) -> list[assembly.TaskTurn]:
    traces = {trace.id: trace for trace in store.traces(utc_days)}
    turns = store.turns(days=utc_days)
    return [assembly.TaskTurn(turn, traces[turn.id]) for turn in turns if turn.id in traces]
