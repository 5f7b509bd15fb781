"""The tasks of a store, made of its turns and their traces."""

from collections.abc import Iterator
from datetime import tzinfo

from learnloop.learn.tasks import assembly, days
from learnloop.models.task import Task
from learnloop.store.store import EVER, Days, Store


def tasks(store: Store, utc_days: Days = EVER) -> list[Task]:
    """Return the tasks of some UTC days, newest first, each followed by its subagents' runs."""
    return assembly.tasks(_pieces(store, utc_days))


def tasks_of_utc_days(store: Store, utc_days: Days) -> list[Task]:
    """Return the tasks of some UTC days; what goes on on another day is a task of its own."""
    return assembly.tasks(_pieces(store, utc_days), _utc_day)


def newest(root: str) -> Iterator[Task]:
    """The tasks of each UTC day, newest first, out of the store's own files."""
    for each in reversed(Store(root).turn_days()):
        yield from tasks_of_utc_days(Store(root), (each.day, each.day))


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
