"""The log of a day: what is left open, what was corrected, what came again, and what was worked on."""

from pydantic import Field

from learnloop.models.base import Document
from learnloop.models.task import HowKnown, TaskKind, TaskOutcome


class RepeatedError(Document):
    """A class of errors that came in two tasks or more."""

    error_class: str
    count: int
    tasks: tuple[str, ...]
    fixes: tuple[str, ...] = ()
    """What was changed or run between the failure and the first success of the same target."""


class DayMetrics(Document):
    """The figures of some tasks."""

    total: int = 0
    by_outcome: dict[TaskOutcome, int] = Field(default_factory=dict)
    judged: int = 0
    """All but the unknown ones."""
    success_rate: float | None = None
    """Of the judged; null where that is less than half, or than three."""
    median_duration_ms: int | None = None
    by_kind: dict[str, int] = Field(default_factory=dict)


class LoggedTask(Document):
    """A piece of work as a line of the log."""

    id: str
    title: str
    outcome: TaskOutcome
    known: HowKnown
    kind: TaskKind
    agent: str
    project: str
    started: str
    duration_ms: int
    turns: int
    error: str = ""
    """Of the last test or build, where it failed."""
    continues: str | None = None


class DayCorrection(Document):
    """What a person had otherwise."""

    words: str
    project: str
    lesson: str = ""
    """The draft or lesson that came of it."""
    status: str = ""
    """Of that one: `draft`, `active`, `archived` or `rejected`."""


class DayLog(Document):
    """One day, or several that follow each other, over all projects in the person's time zone."""

    date: str
    """The last day."""
    first: str
    project: str = ""
    """Where only one was asked for."""
    timezone: str
    """The offset from UTC at the beginning of the day, as `+01:00`."""
    summary: str
    metrics: DayMetrics
    open: tuple[LoggedTask, ...] = ()
    """What was stopped, or ended with a test or build that failed."""
    corrections: tuple[DayCorrection, ...] = ()
    errors: tuple[RepeatedError, ...] = ()
    """Over the seven days that end with the day, where the day saw them again."""
    tasks: tuple[LoggedTask, ...] = ()
    insights: tuple[str, ...] = ()
    """Lessons that were told and heeded, and what experiments counted."""
