"""The logs of days, to be printed."""

from learnloop.ingest import day_logs
from learnloop.learn.tasks import day_page, days
from learnloop.models.day_log import DayLog
from learnloop.service.workspace import Workspace
from learnloop.wire import clock


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


def page(log: DayLog) -> str:
    """The text of a log's file, in Markdown."""
    return day_page.page(log)
