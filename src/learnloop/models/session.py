"""The session: one conversation with an agent."""

from pydantic import Field

from learnloop.models.base import Document


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
