"""The session (one conversation), the turn (a prompt and what followed), and feedback on the turn before."""

from typing import Literal

from pydantic import Field

from learnloop.models.base import Document

Origin = Literal["human", "machine"]
End = Literal["done", "failed", "interrupted", "unfinished"]
Outcome = Literal["success", "revision", "cancellation", "unknown"]


class Failure(Document):
    """A tool call that failed."""

    tool: str
    error: str
    target: str = ""
    """The file or command it was called on."""


class Refusal(Document):
    """A tool call that the person refused, with what they said."""

    tool: str
    target: str = ""
    words: str = ""


class Turn(Document):
    """One prompt and all that followed it, as far as events tell."""

    id: str
    session_id: str
    host: str
    project: str
    started: str
    ended: str | None = None
    origin: Origin
    prompt: str
    prompt_id: str = ""
    steering: tuple[str, ...] = ()
    """What the person typed while the turn was running."""
    agents: tuple[str, ...] = ()
    """Agent types at work in it, `main` among them once it did something."""
    starts: dict[str, int] = Field(default_factory=dict)
    """Subagents started in it, by type."""
    files: tuple[str, ...] = ()
    """Files written, in order, each once."""
    commands: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    recalled: tuple[str, ...] = ()
    """Ids of lessons recalled in it."""
    tools: dict[str, int] = Field(default_factory=dict)
    """Calls by tool."""
    claim: str = ""
    """What the agent said at its end."""
    agent_used: str = "main"
    """Who the claim goes to."""
    background: int = 0
    """Background tasks still running at its end: then the claim waits."""
    end: End = "unfinished"
    outcome: Outcome = "unknown"
    inferred: bool = False
    """Nobody said anything of it: the outcome was concluded from what came next."""
    judged_by: str = ""
    """The model that read what was said of it; empty where rules did."""
    feedback_id: str | None = None


EventType = Literal["revision", "cancellation", "success", "explicit_preference"]
FeedbackCategory = Literal[
    "correction", "rejection", "clarification", "enhancement", "praise", "explicit_preference"
]


class Feedback(Document):
    """One prompt's one outcome."""

    id: str
    timestamp: str
    session_id: str
    turn_id: str
    """The turn that is judged; empty for a preference said before any turn."""
    project_path: str
    event_type: EventType
    feedback_category: FeedbackCategory
    confidence: float = Field(ge=0, le=1)
    probability: float = Field(default=1.0, ge=0, le=1)
    """How likely it was feedback of any kind."""
    reason: str
    """The rule or cues that decided, in words."""
    rule: str = ""
    inferred: bool = False
    """Concluded, not said: `user_message` is what was said next, or stands in [brackets]."""
    user_message: str
    original_task: str | None = None
    agent_used: str | None = None
    completion_claim: str | None = None
    extracted_lesson: str | None = None
    """Id of the draft that came of it."""
    event_id: str = ""


class PendingCompletion(Document):
    """What an agent claims to have done, not judged yet."""

    claimed_at: str
    task_description: str
    agent_used: str
    claim: str = ""


class TodoSnapshot(Document):
    """How far the agent's own list is."""

    total: int
    completed: int
    pending: int


class Session(Document):
    """One conversation with an agent, the running view of it."""

    id: str
    host: str
    project: str
    cwd: str = ""
    branch: str | None = None
    transcript_path: str = ""
    started: str
    last_seen: str
    ended: str | None = None
    recent_prompts: tuple[str, ...] = Field(default=(), max_length=10)
    pending_completion: PendingCompletion | None = None
    todo_snapshot: TodoSnapshot | None = None
    counts: dict[str, int] = Field(default_factory=dict)
    """Events by kind."""
