"""The logs of days, made from the store: files under `days/`, and in the folder that a person names.

`days/.made.json` says of which state of the store the files are made: a digest of each UTC day's tables. A
day is made anew where that has changed. Quiet days have logs that say so, for six days after the last task.
So late events, missed days and another time zone need no more care.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta, tzinfo
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from learnloop import settings
from learnloop.errors import Refused
from learnloop.ingest import stored_tasks
from learnloop.ingest.tellings import TELLINGS
from learnloop.learn.experiments import counts, experiment_findings, replay
from learnloop.learn.tasks import day_summary, days
from learnloop.models.day_log import DayLog
from learnloop.models.task import Task
from learnloop.store import files, foreign
from learnloop.store.store import Store
from learnloop.wire import clock, paths, text

Doc = dict[str, Any]
_MADE, _OPEN = ".made.json", ".open"
_TABLES = ("turns", "tasks", "moments")
_COMPLAINTS = ("revision", "cancellation")
_WEEK, _TITLE = 7, 80
_MOST_BYTES = 4 << 20
_FORMAT = 2


class Logs:
    """The logs of some local days over all projects, or of one, from one reading of the store."""

    def __init__(
        self, root: str, first: str, last: str, zone: tzinfo | None = None, project: str | None = None
    ) -> None:
        store = Store(root)
        around = days.around(first, last)
        self._zone, self._project = zone, project
        self._tasks = stored_tasks.tasks_by_day(store, days.week_of(first), last, zone)
        self._feedback = [
            item for item in store.feedback(days=around)
            if item.event_type in _COMPLAINTS and not item.inferred and self._is_of(item.project_path)
        ]  # fmt: skip
        self._lessons = [lesson.as_json() for lesson in store.lessons()]
        self._told = store.told()
        places = ((name, name.partition("/")[2][:10]) for name in store.shards("moments"))
        near = [name for name, day in places if around[0] <= day <= around[1]]
        self._moments = [doc for name in near for doc in store.documents(name).values()]
        self._experiments = replay.experiments(store.decisions()) if near else {}

    def is_recent(self, day: str) -> bool:
        """Whether there are tasks in the seven days up to a day."""
        return any(self._tasks.get(each) for each in days.span(days.week_of(day), day))

    def of(self, day: str, first: str = "") -> DayLog:
        """The log of a day, or of those from another one on; one without tasks says so."""
        span = [*days.span(first or day, day)]
        tasks, week = self._between(span), self._between(days.span(min(span[0], days.week_of(day)), day))
        sessions = {task.session_id for task in tasks}
        facts = day_summary.DayFacts(
            date=day, first=span[0], project=self._project or "", timezone=days.offset(day, self._zone),
            tasks=tasks, week=week, lessons=self._lessons,
            corrections=[item for item in self._feedback if self._day(item.timestamp) in span],
            heeded=[str(doc["id"]) for doc in self._told if "heeded" in map(doc[TELLINGS].get, sessions)],
            experiments=self._counted({turn for task in tasks for turn in task.turns}),
        )  # fmt: skip
        return day_summary.write(facts)

    def _between(self, span: Iterable[str]) -> list[Task]:
        every = [task for day in span for task in reversed(self._tasks.get(day, ()))]
        return [task for task in reversed(every) if self._is_of(task.project)]

    def _is_of(self, project: str) -> bool:
        return self._project in (None, project)

    def _counted(self, turns: set[str]) -> list[str]:
        """What the experiments with moments in some turns counted, in words."""
        counted = counts.count(doc for doc in self._moments if doc["id"] in turns)
        pairs = ((self._experiments.get(key), arms) for key, arms in counted.items())
        return [experiment_findings.of_a_day(each, arms) for each, arms in pairs if each]

    def _day(self, ts: str) -> str:
        return days.local_day(ts, self._zone)


def refresh(root: str, now_ms: int, zone: tzinfo | None = None) -> None:
    """Write the logs of past days whose tables have changed; Unreadable for invalid settings."""
    today = days.local_day(clock.iso(now_ms), zone)
    state, stamps = _made(root), _stamps(root, zone)
    # The tables of today change all day long, and may hold the end of yesterday: those are read once a day.
    over = {day: stamp for day, stamp in stamps.items() if day < days.around(today, today)[0]}
    is_new_day = state.get("today") != today
    before: dict[str, str] = state.get("days", {})
    changed = {day for day, stamp in over.items() if before.get(day) != stamp} | (
        before.keys() - stamps.keys()
    )
    changed |= stamps.keys() - over.keys() if is_new_day else set()
    if changed or is_new_day:
        # A day that is over has a log although nothing was done on it.
        missed = days.span(max(str(state.get("today", today)), days.week_of(today)), today)
        for run in _runs(sorted({*_touched(changed, today), *missed} - {today})):
            _write_run(root, run, zone)
        files.ensure(Path(paths.days(root)))
        data = json.dumps({"today": today, "days": over, "format": _FORMAT}).encode()
        files.replace(Path(paths.days(root), _MADE), [data], sync=False)
    _keep_open(root, stamps, zone)


def _keep_open(root: str, stamps: Mapping[str, str], zone: tzinfo | None) -> None:
    """Keep what the last day with tasks left open, for the hook that says it at the start of the next one."""
    file = Path(paths.days(root), _OPEN)
    if not stamps or not settings.load(environment=False).log.at_start:
        file.unlink(missing_ok=True)
        return
    last = max(stamps)
    if _json(file).get("of") != stamps[last]:
        every = stored_tasks.tasks_by_day(Store(root), *days.around(last, last), zone)
        day = max(every, default="")
        left = [task.title for task in every.get(day, ()) if task.outcome in day_summary.LEFT_OPEN]
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        words = f"“{text.cut(left[0], _TITLE)}”{more}" if left else ""
        kept = {"of": stamps[last], "day": day, "words": words}
        files.replace(file, [json.dumps(kept).encode()], sync=False)


def _touched(changed: Iterable[str], today: str) -> list[str]:
    """The past local days whose log a change of some UTC days may change: those near, and a week on."""
    touched = {
        (date.fromisoformat(day) + timedelta(days=at)).isoformat()
        for day in changed
        for at in range(-1, _WEEK + 1)
    }
    return sorted(day for day in touched if day < today)


def _runs(touched: list[str]) -> Iterator[list[str]]:
    """Split days into runs of days that follow each other: what lies between is not read."""
    place = {day: date.fromisoformat(day).toordinal() - at for at, day in enumerate(touched)}
    yield from (list(run) for _, run in groupby(touched, key=place.__getitem__))


def _write_run(root: str, run: list[str], zone: tzinfo | None) -> None:
    logs, places = Logs(root, run[0], run[-1], zone), _places(root)
    for day in run:
        is_kept = logs.is_recent(day)
        if is_kept:
            _keep(places, logs.of(day))
        for place in places:
            _remove_others(place, day, is_kept=is_kept)


class _Place(NamedTuple):
    """A folder of logs; in one that a person named other files may lie."""

    folder: Path
    front_matter: bool = True


def _places(root: str) -> list[_Place]:
    own = Path(paths.days(root))
    files.ensure(own)
    section = settings.load(environment=False).log
    theirs = Path(section.folder).expanduser() if section.folder else None
    return [_Place(own), *([_Place(theirs, section.front_matter)] if theirs and theirs.is_dir() else [])]


def _keep(places: list[_Place], log: DayLog) -> None:
    for place in places:
        name = f"{log.date}.md"
        data = day_summary.page(log, front_matter=place.front_matter).encode("utf-8", "replace")
        with contextlib.suppress(Refused, OSError):  # a folder that takes nothing must not stop the ingest
            before = foreign.read(place.folder, name, _MOST_BYTES)
            if before != data and (before is None or _is_ours(before)):
                foreign.replace(place.folder, name, data)


def _remove_others(place: _Place, day: str, *, is_kept: bool) -> None:
    """Remove the logs of a day of one project each, as they were once, and that of a day without a log."""
    names = [f"{file.parent.name}/{file.name}" for file in place.folder.glob(f"*/{day}.md")]
    for name in names if is_kept else (*names, f"{day}.md"):
        with contextlib.suppress(Refused, OSError):
            if _is_ours(foreign.read(place.folder, name, _MOST_BYTES) or b""):
                foreign.remove(place.folder, name)


def _is_ours(data: bytes) -> bool:
    return data.startswith((b"---\n", b"<!-- ")) and day_summary.MARK.encode() in data[:1000]


def _made(root: str) -> Doc:
    """What the last refresh left; nothing where that cannot be read."""
    state = _json(Path(paths.days(root), _MADE))
    is_whole = isinstance(state.get("days", {}), dict)
    return state if is_whole and state.get("format") == _FORMAT else {}


def _json(file: Path) -> Doc:
    try:
        state = json.loads(files.read(file) or b"{}")
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}


def _stamps(root: str, zone: tzinfo | None) -> dict[str, str]:
    """A digest of the tables of each UTC day, and of where the day begins for the person."""
    digests: dict[str, Any] = {}
    for table in _TABLES:
        for file in files.listing(Path(paths.store(root), table), ".json"):
            day = file.name[:10]
            if days.is_day(day):
                stat = file.stat()
                digest = digests.setdefault(day, hashlib.sha256(days.offset(day, zone).encode()))
                digest.update(f"{table}/{file.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return {day: digest.hexdigest()[:16] for day, digest in digests.items()}
