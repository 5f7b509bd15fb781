"""The tasks of a store, made of its turns and their traces."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

from learnloop.learn.tasks import assembly, days
from learnloop.models.task import Task
from learnloop.store import files
from learnloop.store.store import EVER, Days, Store
from learnloop.wire import paths

_TABLES = ("turns", "tasks")


class StoredDay(NamedTuple):
    """A UTC day as it is stored."""

    day: str
    digest: str
    size: int


def tasks(store: Store, utc_days: Days = EVER) -> list[Task]:
    """Return the tasks of some UTC days, newest first, each followed by its subagents' runs."""
    return assembly.tasks(_pieces(store, utc_days))


def tasks_of_utc_days(store: Store, utc_days: Days) -> list[Task]:
    """Return the tasks of some UTC days; what goes on on another day is a task of its own."""
    return assembly.tasks(_pieces(store, utc_days), lambda ts: ts[:10])


def stored_days(root: str, derived_as: str) -> list[StoredDay]:
    """The UTC days with tasks, oldest first; digests differ where the format of what is derived does."""
    digests: dict[str, tuple[list[str], int]] = {}
    for table in _TABLES:
        for name, stat in files.stats(Path(paths.store(root), table), ".json"):
            if days.is_day(day := name[:10]):
                seen, size = digests.get(day, ([derived_as], 0))
                seen.append(f"{table}/{name} {stat.st_size} {stat.st_mtime_ns}")
                digests[day] = seen, size + stat.st_size
    return [StoredDay(day, digest(seen), size) for day, (seen, size) in sorted(digests.items())]


def digest(texts: Iterable[str]) -> str:
    """A short name of some texts."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def days_holding(
    store: Store, needles: Sequence[bytes], holds: Callable[[Iterable[bool]], bool] = all
) -> Iterator[str]:
    """The UTC days whose tables contain all, or any, of some bytes in lower case, newest first."""
    by_day: dict[str, list[str]] = {}
    for table in _TABLES:
        for name in store.shards(table):
            by_day.setdefault(name.partition("/")[2][:10], []).append(name)
    for day, names in sorted(by_day.items(), reverse=True):
        data = b"".join(map(store.data, names if needles else ())).lower()
        if holds(needle in data for needle in needles):
            yield day


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
