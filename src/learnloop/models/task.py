"""The task: what a person asked for, with the turns that only went on with it; or one run of a subagent."""

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
    host: str
    project: str
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
