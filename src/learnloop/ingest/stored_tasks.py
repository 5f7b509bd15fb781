"""The tasks of a store, made of its turns and their traces."""

import hashlib
import os
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import tzinfo
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

from learnloop.learn.tasks import assembly, days
from learnloop.models.task import Task, TaskPlace
from learnloop.store import files, tinydb_file
from learnloop.store.store import EVER, Days, Store
from learnloop.wire import paths

_TABLES = ("turns", "tasks")


class StoredDay(NamedTuple):
    """A UTC day as it is stored."""

    day: str
    digest: str
    size: int
    numbers: tuple[str, ...]
    """Of its files."""


def tasks(store: Store, utc_days: Days = EVER) -> list[Task]:
    """Return the tasks of some UTC days, newest first, each followed by its subagents' runs."""
    return assembly.tasks(_pieces(store, utc_days))


def tasks_of_utc_days(store: Store, utc_days: Days) -> list[Task]:
    """Return the tasks of some UTC days; what goes on on another day is a task of its own."""
    return assembly.tasks(_pieces(store, utc_days), _utc_day)


def stored_days(root: str, derived_as: str) -> list[StoredDay]:
    """The UTC days with tasks, oldest first; digests differ where the format of what is derived does."""
    seen: dict[str, list[tuple[str, os.stat_result]]] = {}
    for table in _TABLES:
        for name, stat in files.stats(Path(paths.store(root), table), ".json"):
            seen.setdefault(name[:10], []).append((f"{table}/{name}", stat))
    return [_stored_day(derived_as, day, seen[day]) for day in sorted(seen) if days.is_day(day)]


def _stored_day(derived_as: str, day: str, seen: Sequence[tuple[str, os.stat_result]]) -> StoredDay:
    words = [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in seen]
    numbers = tuple(name[17:-5] for name, _ in seen if name.startswith("turns/"))
    return StoredDay(day, digest([derived_as, *words]), sum(stat.st_size for _, stat in seen), numbers)


def digest(texts: Iterable[str]) -> str:
    """A short name of some texts."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def days_holding(store: Store, needles: Sequence[bytes]) -> Iterator[str]:
    """The UTC days whose tables contain all of some bytes in lower case, newest first."""
    return (day for day, turns in turns_holding(store, needles) if all(turns))


def turns_holding(
    store: Store, needles: Sequence[bytes], days: Container[str] | None = None
) -> Iterator[tuple[str, list[set[str]]]]:
    """The UTC days, newest first, with the turns that contain each of some bytes in lower case.

    Only some days are read if they are named.
    """
    by_day: dict[str, list[str]] = {}
    for table in _TABLES:
        for name in store.shards(table):
            if days is None or name.partition("/")[2][:10] in days:
                by_day.setdefault(name.partition("/")[2][:10], []).append(name)
    for day, names in sorted(by_day.items(), reverse=True):
        data = [store.data(name).lower() for name in names] if needles else []
        yield day, [{turn for each in data for turn in _turns_in(each, needle)} for needle in needles]


def _turns_in(data: bytes, needle: bytes) -> Iterator[str]:
    """The ids at the beginnings of the lines that contain some bytes; "" for what is no line of ours."""
    at = data.find(needle)
    while at >= 0:
        begin = data.rfind(b"\n", 0, at) + 1
        try:
            yield tinydb_file.id_of(data, begin)
        except ValueError:
            yield ""
        end = data.find(b"\n", at)
        at = data.find(needle, end) if end >= 0 else -1


def placed(store: Store, day: StoredDay) -> list[tuple[Task, TaskPlace]]:
    """The tasks of a UTC day, newest first, each followed by its subagents' runs, and where they are."""
    pieces, number_by_turn = list[assembly.TaskTurn](), dict[str, str]()
    for number in day.numbers:
        traced = store.traced_turns(f"{day.day}-{number}")
        pieces += starmap(assembly.TaskTurn, traced)
        number_by_turn |= {turn.id: number for turn, _ in traced}
    tasks, places = assembly.tasks(pieces, _utc_day), dict[str, str]()
    for task in tasks:
        turns = " ".join(f"{number_by_turn[turn]}/{turn}" for turn in task.turns)
        places[task.id] = places[task.parent] if task.parent else turns
    return [(task, TaskPlace(task.id, day.day, places[task.id])) for task in tasks]


def at(store: Store, places: Sequence[TaskPlace]) -> list[Task]:
    """The tasks in some places, in this order; those that are not there any more are left out."""
    turns_by_shard: dict[str, set[str]] = {}
    for place in places:
        for turn in place.turns.split():
            number, _, turn_id = turn.partition("/")
            turns_by_shard.setdefault(f"{place.day}-{number}", set()).add(turn_id)
    pieces = (turn for shard, ids in turns_by_shard.items() for turn in store.traced_turns(shard, ids))
    by_id = {task.id: task for task in assembly.tasks(starmap(assembly.TaskTurn, pieces), _utc_day)}
    return [by_id[place.id] for place in places if place.id in by_id]


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
