"""The logs of days: written, listed, and read to be printed."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from learnloop.errors import Refused
from learnloop.ingest import day_logs
from learnloop.learn.tasks import day_summary, days
from learnloop.models.day_log import DayLog
from learnloop.service.workspace import Workspace
from learnloop.store import foreign
from learnloop.wire import clock, paths

_MOST_BYTES = 1 << 20


def today() -> str:
    """The day that it is here: `2026-01-31`."""
    return days.local_day(clock.iso(clock.now_ms()))


def logs(
    ws: Workspace, first: str, last: str, project: str | None = None, *, joined: bool = False
) -> list[DayLog]:  # fmt: skip
    """The logs of some local days, or one of all of them; of one project if named."""
    reading = day_logs.Logs(ws.root, first, last, project=project)
    return [reading.of(last, first)] if joined else [*map(reading.of, days.span(first, last))]


def write_past(ws: Workspace) -> None:
    """Write the logs of past days whose tasks have changed; Unreadable for invalid settings."""
    day_logs.refresh(ws.root, clock.now_ms())


class DayFile(NamedTuple):
    """The log of one past day, as it lies in a file."""

    id: str
    """Its name in the folder of logs."""
    date: str


def day_files(ws: Workspace) -> list[DayFile]:
    """The logs of past days with a task, newest first."""
    listed = (DayFile(file.name, file.stem) for file in Path(paths.days(ws.root)).glob("*.md"))
    return sorted((day for day in listed if not _is_quiet(ws, day)), reverse=True)


def _is_quiet(ws: Workspace, day: DayFile) -> bool:
    with suppress(Refused, OSError):
        return f"\n{day_summary.QUIET}\n" in read_day(ws, day)
    return False


def read_day(ws: Workspace, day: DayFile) -> str:
    """The text of a log; "" where it has gone."""
    return (foreign.read(Path(paths.days(ws.root)), day.id, _MOST_BYTES) or b"").decode("utf-8", "replace")


page = day_summary.page
"""The text of a log's file, in Markdown."""
