"""The logs of days, made from the store: files under `days/`, and in the folder that a person names.

`days/.made.json` says of which state of the store the files are made: a digest of each UTC day's tables. A
day is made anew where that has changed. A project's quiet days have logs that say so, for six days after its
last task. So late events, missed days and another time zone need no more care.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta, tzinfo
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from learnloop import settings
from learnloop.errors import Refused
from learnloop.ingest import stored_tasks
from learnloop.ingest.tellings import TELLINGS
from learnloop.learn.experiments import counts, experiment_findings, replay
from learnloop.learn.tasks import day_page, day_summary, days
from learnloop.models.day_log import DayLog
from learnloop.store import files, foreign
from learnloop.store.store import Store
from learnloop.wire import clock, paths

Doc = dict[str, Any]
_MADE = ".made.json"
_TABLES = ("turns", "tasks", "moments")
_COMPLAINTS = ("revision", "cancellation")
_WEEK = 7
_MOST_BYTES = 4 << 20
_NO_PROJECT = "no-project"


class Logs:
    """The logs of some local days, from one reading of the store."""

    def __init__(self, root: str, first: str, last: str, zone: tzinfo | None = None) -> None:
        store = Store(root)
        around = days.around(first, last)
        self._zone = zone
        self._tasks = stored_tasks.tasks_by_day(store, days.week_of(first), last, zone)
        self._feedback = [
            item
            for item in store.feedback(days=around)
            if item.event_type in _COMPLAINTS and not item.inferred
        ]
        self._lessons = [lesson.as_json() for lesson in store.lessons()]
        self._told = store.told()
        near = [
            name for name in store.shards("moments") if around[0] <= name.partition("/")[2][:10] <= around[1]
        ]
        self._moments = [doc for name in near for doc in store.documents(name).values()]
        self._experiments = replay.experiments(store.decisions()) if near else {}

    def projects(self, day: str) -> list[str]:
        """The projects with tasks on a day, by name."""
        return sorted({task.project for task in self._tasks.get(day, ())})

    def recent_projects(self, day: str) -> list[str]:
        """The projects with tasks in the seven days up to a day, by name."""
        week = days.span(days.week_of(day), day)
        return sorted({task.project for each in week for task in self._tasks.get(each, ())})

    def of(self, day: str, project: str) -> DayLog:
        """The log of a day and project; one without tasks says so."""
        by_day = {
            each: [task for task in self._tasks.get(each, ()) if task.project == project]
            for each in days.span(days.week_of(day), day)
        }
        sessions = {task.session_id for task in by_day[day]}
        own = [lesson for lesson in self._lessons if _is_of(lesson, project, sessions)]
        heeded = [
            str(doc["id"])
            for doc in self._told
            if any(doc[TELLINGS].get(session) == "heeded" for session in sessions)
        ]
        facts = day_summary.DayFacts(
            date=day, project=project, timezone=days.offset(day, self._zone), tasks=by_day[day],
            week=[task for tasks in by_day.values() for task in tasks],
            corrections=[
                item for item in self._feedback
                if item.project_path == project and self._day(item.timestamp) == day
            ],
            drafted=[lesson for lesson in own if self._day(lesson["created"]) == day],
            approved=[
                lesson for lesson in own
                if lesson["status"] == "active" and self._day(lesson["reviewed_at"] or "") == day
            ],
            heeded=heeded,
            experiments=self._counted({turn for task in by_day[day] for turn in task.turns}),
        )  # fmt: skip
        return day_summary.write(facts)

    def _counted(self, turns: set[str]) -> list[str]:
        """What the experiments with moments in some turns counted, in words."""
        counted = counts.count(doc for doc in self._moments if doc["id"] in turns)
        return [
            experiment_findings.of_a_day(self._experiments[key], arms)
            for key, arms in counted.items()
            if key in self._experiments
        ]

    def _day(self, ts: str) -> str:
        return days.local_day(ts, self._zone)


def _is_of(lesson: Doc, project: str, sessions: set[str]) -> bool:
    said_in = {item["session_id"] for item in lesson["evidence"]}
    return lesson["project"] == project or bool(said_in & sessions)


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
        data = json.dumps({"today": today, "days": over}).encode()
        files.replace(Path(paths.days(root), _MADE), [data], sync=False)


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
        projects = logs.recent_projects(day)
        for project in projects:
            _keep(places, logs.of(day, project))
        names = {_name(day, project) for project in projects}
        for place in places:
            _remove_others(place, day, names)


def keep(root: str, log: DayLog) -> None:
    """Write one log to where the logs are, if it has tasks."""
    if log.metrics.total:
        _keep(_places(root), log)


class _Place(NamedTuple):
    """A folder of logs; in one that a person named other files may lie."""

    folder: Path
    is_own: bool


def _places(root: str) -> list[_Place]:
    own = Path(paths.days(root))
    files.ensure(own)
    named = settings.load(environment=False).log.folder
    theirs = Path(named).expanduser() if named else None
    return [_Place(own, True), *([_Place(theirs, False)] if theirs and theirs.is_dir() else [])]


def _keep(places: list[_Place], log: DayLog) -> None:
    name, data = _name(log.date, log.project), day_page.page(log).encode("utf-8", "replace")
    for place in places:
        with contextlib.suppress(Refused, OSError):  # a folder that takes nothing must not stop the ingest
            if place.is_own:
                files.ensure(Path(place.folder, name).parent)
            before = foreign.read(place.folder, name, _MOST_BYTES)
            if before != data and (before is None or _is_ours(before)):
                foreign.replace(place.folder, name, data)


def _remove_others(place: _Place, day: str, names: set[str]) -> None:
    """Remove logs of a day that has no tasks of their project any more."""
    for file in place.folder.glob(f"*/{day}.md"):
        name = f"{file.parent.name}/{file.name}"
        with contextlib.suppress(Refused, OSError):
            if name not in names and _is_ours(foreign.read(place.folder, name, _MOST_BYTES) or b""):
                foreign.remove(place.folder, name)


def _is_ours(data: bytes) -> bool:
    return data.startswith(b"---\n") and day_page.MARK.encode() in data[:1000]


def _name(day: str, project: str) -> str:
    """`shop-1a2b3c/2026-01-31.md`: projects of the same name in different folders stay apart."""
    if not project:
        return f"{_NO_PROJECT}/{day}.md"
    name = re.sub(r"[^\w.-]+", "-", project.rstrip("/").rpartition("/")[2])[:40].lstrip(".-")
    digest = hashlib.sha256(project.encode("utf-8", "replace")).hexdigest()[:6]
    return f"{name}-{digest}/{day}.md"


def _made(root: str) -> Doc:
    """What the last refresh left; nothing where that cannot be read."""
    try:
        state = json.loads(files.read(Path(paths.days(root), _MADE)) or b"{}")
    except ValueError:
        return {}
    return state if isinstance(state, dict) and isinstance(state.get("days", {}), dict) else {}


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
