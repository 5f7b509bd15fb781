"""The logs of days, to be listed and printed."""

from typing import NamedTuple

from learnloop.ingest import day_logs
from learnloop.learn.tasks import day_summary, days
from learnloop.models.task import DayLog
from learnloop.service.workspace import Workspace
from learnloop.wire import clock


def today() -> str:
    """The day that it is here: `2026-01-31`."""
    return days.local_day(clock.iso(clock.now_ms()))


class PastDay(NamedTuple):
    """A day before today with a task."""

    id: str
    """Its date."""


def past_days(ws: Workspace) -> list[PastDay]:
    """The days before today with a task, newest first."""
    return [*map(PastDay, day_logs.past_days(ws.root))]


def logs(
    ws: Workspace, first: str, last: str, project: str | None = None, *, joined: bool = False
) -> list[DayLog]:  # fmt: skip
    """The logs of some local days, or one of all of them; of one project if named."""
    reading = day_logs.Logs(ws.root, first, last, project=project)
    return [reading.of(last, first)] if joined else [*map(reading.of, days.span(first, last))]


page = day_summary.page
"""The text of a log, in Markdown."""
