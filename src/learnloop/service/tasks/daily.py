"""The logs of days: written, listed, and read to be printed."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import Refused
from learnloop.ingest import day_logs
from learnloop.learn.tasks import day_page, day_summary, days
from learnloop.models.day_log import DayLog
from learnloop.service.workspace import Workspace
from learnloop.store import foreign
from learnloop.wire import clock, paths

_MOST_BYTES = 1 << 20


def today() -> str:
    """The day that it is here: `2026-01-31`."""
    return days.local_day(clock.iso(clock.now_ms()))


def logs(ws: Workspace, first: str, last: str, project: str | None = None) -> list[DayLog]:
    """The logs of some local days, of one project if named; those of past days are written as files too.

    A day without tasks has one log that says so.
    """
    reading = day_logs.Logs(ws.root, first, last)
    every: list[DayLog] = []
    for day in days.span(first, last):
        projects = [project] if project is not None else reading.projects(day) or [""]
        every += (reading.of(day, each) for each in projects)
    now = today()
    for log in every:
        if log.date < now:
            day_logs.keep(ws.root, log)
    return every


def write_past(ws: Workspace) -> None:
    """Write the logs of past days whose tasks have changed; Unreadable for invalid settings."""
    day_logs.refresh(ws.root, clock.now_ms())


class DayFile(NamedTuple):
    """The log of one past day and project, as it lies in a file."""

    id: str
    """Where the file lies below the folder of logs."""
    date: str
    project: str
    """The last folder of the project."""


def day_files(ws: Workspace) -> list[DayFile]:
    """The logs of past days with a task, newest first."""
    listed = Path(paths.days(ws.root)).glob("*/*.md")
    every = (
        DayFile(f"{file.parent.name}/{file.name}", file.stem, file.parent.name.rpartition("-")[0])
        for file in listed
    )
    busy = (day for day in every if not _is_quiet(ws, day))
    return sorted(busy, key=lambda day: (day.date, day.project), reverse=True)


def _is_quiet(ws: Workspace, day: DayFile) -> bool:
    with suppress(Refused, OSError):
        return f"\n{day_summary.QUIET}\n" in read_day(ws, day)
    return False


def read_day(ws: Workspace, day: DayFile) -> str:
    """The text of a log; "" where it has gone."""
    return (foreign.read(Path(paths.days(ws.root)), day.id, _MOST_BYTES) or b"").decode("utf-8", "replace")


def page(log: DayLog) -> str:
    """The text of a log's file, in Markdown."""
    return day_page.page(log)
