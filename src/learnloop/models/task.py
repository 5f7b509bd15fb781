"""The task: what a person asked for, with the turns that only went on with it; or one run of a subagent.

The log of a day says what is left open, what was corrected, what came again, and what was worked on.
"""

from typing import Literal, NamedTuple

from pydantic import Field

from learnloop.models.base import Document

TaskOutcome = Literal["success", "failed", "revised", "cancelled", "unknown"]
HowKnown = Literal["said", "inferred", "none"]
StepResult = Literal["done", "failed", "refused"]
TaskKind = Literal["code", "docs", "test", "ops", "research", "other"]


MOST_STEPS, FIRST_STEPS = 60, 20
"""Of more calls the first so many stay, and the newest."""


class TracedSteps(Document):
    """The calls of one agent, in order: `[tool, target]`, or besides `refused`, or `failed` and a class."""

    id: str
    started: str
    ended: str | None = None
    busy_ms: int = 0
    """Time at work: a gap of more than five minutes between two events does not count."""
    calls: int = 0
    """All calls; `steps` leaves out the middle of many."""
    steps: tuple[tuple[str, ...], ...] = ()


class TracedRun(TracedSteps):
    """One run of a subagent within a turn."""

    agent: str
    agent_id: str = ""
    """The client's name of the run, which its later events have."""


class TaskTrace(TracedSteps):
    """What a turn adds to a task besides the turn's own document, as it is stored beside it."""

    session_id: str
    host: str = ""
    project: str = ""
    branch: str = ""
    title: str = ""
    attended: bool = False
    """Whether a person typed its prompt: no machine's, and not below another client or in print mode."""
    prerequisites: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    error: str = ""
    """What the client said when the turn ended in an error."""
    continues: str = ""
    """The turn that this one goes on with."""
    versions: tuple[str, ...] = ()
    """Programs with the versions that they printed, as `node 20.11.1`."""
    runs: tuple[TracedRun, ...] = ()
    set_aside: bool = False
    """Whether it could not be read: it is in the quarantine, and no task is made of it."""


class TaskStep(Document):
    """One call of a tool."""

    tool: str
    target: str = ""
    """The file or command, or the kind of subagent."""
    result: StepResult = "done"
    error_class: str = ""


class TaskTraits(NamedTuple):
    """What filters ask of a task, named as they name it; of several values each is a line."""

    outcome: str
    known: str
    kind: str
    tag: str
    project: str
    agent: str
    branch: str
    error: str
    started: str
    """Its UTC day."""
    calls: int
    turns: int


class Task(Document):
    """What was asked for, what was done, and how it went."""

    id: str
    """Of its first turn, or of the first event of a subagent's run."""
    title: str
    input: str = ""
    attended: bool = False
    """Whether a person typed it."""
    corrections: tuple[str, ...] = ()
    """What the person had otherwise, in their words, oldest first."""
    steps: tuple[TaskStep, ...] = ()
    calls: int = 0
    """All calls; `steps` leaves out the middle of many."""
    outcome: TaskOutcome = "unknown"
    known: HowKnown = "none"
    """Whether a person said the outcome, or it was inferred."""
    error: str = ""
    error_class: str = ""
    """The error without numbers, paths and hashes."""
    started: str
    ended: str | None = None
    duration_ms: int = Field(default=0, ge=0)
    """The time of its turns; pauses between them do not count."""
    busy_ms: int = Field(default=0, ge=0)
    """Of that the time at work: a gap of more than five minutes between two events does not count."""
    agent: str
    session_id: str
    project: str
    branch: str = ""
    host: str
    files: tuple[str, ...] = ()
    """The files that it wrote, in order."""
    commands: tuple[str, ...] = ()
    kind: TaskKind = "other"
    tags: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    quality: float | None = Field(default=None, ge=0, le=1)
    """From outcome and feedback; null where nothing is known."""
    versions: tuple[str, ...] = ()
    """Programs with the versions that they printed, as `node 20.11.1`."""
    told: tuple[str, ...] = ()
    """Ids of the lessons that were recalled in it."""
    turns: tuple[str, ...] = ()
    """Its turns: the first, and those that only went on."""
    continues: str | None = None
    """The task that it goes on with, where that one began on an earlier day or is gone."""
    parent: str | None = None
    """The task that a subagent ran for."""

    @property
    def error_classes(self) -> tuple[str, ...]:
        """Its own error class and those of its steps, each once."""
        steps = (step.error_class for step in self.steps)
        return tuple(dict.fromkeys(filter(None, (self.error_class, *steps))))


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
