"""The log of a day: what was asked for, how it went, what stands out."""

from pydantic import Field

from learnloop.models.agent import Interval
from learnloop.models.base import Document
from learnloop.models.task import HowKnown, TaskKind, TaskOutcome


class SuccessPattern(Document):
    """Work of one kind with the same files or commands that succeeded three times or more."""

    kind: TaskKind
    names: tuple[str, ...]
    """The files and commands, at most four."""
    count: int
    tasks: tuple[str, ...]


class RepeatedError(Document):
    """A class of errors that came in two tasks or more."""

    error_class: str
    count: int
    tasks: tuple[str, ...]
    fixes: tuple[str, ...] = ()
    """What was changed or run between the failure and the first success of the same target."""


class DayMetrics(Document):
    """The figures of some tasks. Runs of subagents are counted apart, because nobody judges them."""

    total: int = 0
    by_outcome: dict[TaskOutcome, int] = Field(default_factory=dict)
    judged: int = 0
    """All but the unknown ones."""
    success_rate: float | None = None
    """Of the judged; null where none is."""
    interval: Interval | None = None
    median_duration_ms: int | None = None
    by_kind: dict[str, int] = Field(default_factory=dict)
    by_agent: dict[str, int] = Field(default_factory=dict)
    subagent_runs: int = 0
    subagent_failures: int = 0


class LoggedTask(Document):
    """A task as a line of the log."""

    id: str
    title: str
    outcome: TaskOutcome
    known: HowKnown
    kind: TaskKind
    agent: str
    duration_ms: int
    turns: int
    continues: str | None = None


class DayLog(Document):
    """One day of one project, in the person's time zone."""

    date: str
    project: str
    timezone: str
    """The offset from UTC at the beginning of the day, as `+01:00`."""
    summary: str
    metrics: DayMetrics
    tasks: tuple[LoggedTask, ...] = ()
    insights: tuple[str, ...] = ()
    successes: tuple[SuccessPattern, ...] = ()
    """Over the week that ends with the day."""
    errors: tuple[RepeatedError, ...] = ()
    """Over the same seven days."""
