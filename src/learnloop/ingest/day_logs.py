"""The logs of days, made of the store when asked for, and kept as files where a person names a folder.

The folder gets the logs of the last seven days that are over: each when something of these days changed. So
late events, missed days and another time zone need no more care. Quiet days have logs that say so, for six
days after the last task.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import Refused
from learnloop.ingest import stored_tasks, task_history
from learnloop.ingest.tellings import TELLINGS
from learnloop.learn.experiments import counts, experiment_findings, replay
from learnloop.learn.tasks import day_summary, days
from learnloop.models.task import DayLog, Task
from learnloop.store import files, foreign
from learnloop.store.document_table import DayEntry, Span
from learnloop.store.store import Store
from learnloop.store.task_table import TaskTable
from learnloop.wire import clock, paths, text

Doc = dict[str, Any]
_MADE, _OPEN = ".made", ".open"
_COMPLAINTS = ("revision", "cancellation")
_TITLE = 80
_MOST_BYTES = 4 << 20


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
        self._told = [doc for doc in store.documents("lessons").values() if doc.get(TELLINGS)]
        self._moments = list(store.all_documents("moments", Span(*around)))
        self._experiments = replay.experiments(store.decisions()) if self._moments else {}

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


def past_days(root: str, zone: tzinfo | None = None) -> list[str]:
    """The local days on which tasks began, newest first; today is not among them."""
    with task_history.current(root, task_history.WITHIN_S, task_history.WITHIN_S) as (connection, _):
        began = TaskTable(connection).quarters()
    every = {datetime.fromtimestamp(at * 900, UTC).astimezone(zone).date().isoformat() for at in began}
    return sorted(every - {days.local_day(clock.iso(clock.now_ms()), zone)}, reverse=True)


def refresh(root: str, now_ms: int, zone: tzinfo | None = None) -> None:
    """Keep the logs of the last days where a person wants them; Unreadable for invalid settings."""
    today, section = days.local_day(clock.iso(now_ms), zone), settings.load(environment=False).log
    stored = Store(root).turn_days()
    files.ensure(Path(paths.days(root)))
    for former in Path(paths.days(root)).glob("*.md"):  # of a program that kept a copy of each day here
        former.unlink(missing_ok=True)
    folder = Path(section.folder).expanduser() if section.folder else None
    if folder and folder.is_dir():
        _keep_week(root, folder, stored, today, zone, front_matter=section.front_matter)
    _keep_open(root, stored if section.at_start else [], zone)


def _keep_week(
    root: str,
    folder: Path,
    stored: Sequence[DayEntry],
    today: str,
    zone: tzinfo | None,
    *,
    front_matter: bool,
) -> None:
    """Write the logs of the seven days before today anew if one of those that they rest on changed."""
    *week, _ = days.span(days.before(today, 7), today)
    first, last = days.around(days.week_of(week[0]), today)
    near = [each for each in stored if first <= each.day <= last]
    made_of = (today, days.offset(today, zone), str(folder), front_matter, near)
    state = hashlib.sha256(repr(made_of).encode()).hexdigest().encode()
    if files.read(Path(paths.days(root), _MADE)) == state:
        return
    logs = Logs(root, week[0], week[-1], zone)
    for day in week:
        page = day_summary.page(logs.of(day), front_matter=front_matter) if logs.is_recent(day) else ""
        with contextlib.suppress(Refused, OSError):  # a folder that takes nothing must not stop the ingest
            _keep(folder, f"{day}.md", page.encode("utf-8", "replace"))
    files.replace(Path(paths.days(root), _MADE), [state], sync=False)


def _keep(folder: Path, name: str, page: bytes) -> None:
    """Put a page in the place of an earlier one, or remove that; what a person wrote stays."""
    before = foreign.read(folder, name, _MOST_BYTES)
    if before == (page or None) or (before is not None and not _is_ours(before)):
        return
    foreign.replace(folder, name, page) if page else foreign.remove(folder, name)


def _is_ours(data: bytes) -> bool:
    return data.startswith((b"---\n", b"<!-- ")) and day_summary.MARK.encode() in data[:1000]


def _keep_open(root: str, stored: Sequence[DayEntry], zone: tzinfo | None) -> None:
    """Keep what the last day with tasks left open, for the hook that says it at the start of the next one."""
    file = Path(paths.days(root), _OPEN)
    if not stored:
        file.unlink(missing_ok=True)
    elif _json(file).get("of") != stored[-1].digest:
        last = stored[-1].day
        every = stored_tasks.tasks_by_day(Store(root), *days.around(last, last), zone)
        day = max(every, default="")
        left = [task.title for task in every.get(day, ()) if task.outcome in day_summary.LEFT_OPEN]
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        words = f"“{text.cut(left[0], _TITLE)}”{more}" if left else ""
        kept = {"of": stored[-1].digest, "day": day, "words": words}
        files.replace(file, [json.dumps(kept).encode()], sync=False)


def _json(file: Path) -> Doc:
    try:
        state = json.loads(files.read(file) or b"{}")
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}
