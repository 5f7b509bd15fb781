"""The memory: one thing that tasks taught, derived from them whenever it is read."""

from typing import Literal

from pydantic import Field

from learnloop.models.base import Document

MemoryType = Literal["episodic", "procedural", "semantic", "technical", "context"]
LONGEST_TEXT = 600


class Memory(Document):
    """What one task taught, or several that say the same; its id is the type and the first task."""

    id: str
    type: MemoryType
    text: str
    task: str
    """The first task that it comes from."""
    tasks: tuple[str, ...] = ()
    """All of them, the newest first, at most twenty."""
    session_id: str
    agent: str
    ts: str
    """When its newest task began."""
    project: str
    files: tuple[str, ...] = ()
    confidence: float = Field(ge=0, le=1)
    """How surely the outcome is known: 0.9 a person said it, 0.6 inferred, 0.4 nobody knows."""
    relevance: tuple[str, ...] = ()
    """Areas and identifiers that it is about."""
    expires: str | None = None
    """When its events go, and it with them; a pinned one stays."""
    seen: int = Field(default=1, ge=1)
    """How many tasks say the same."""
    pinned: bool = False
    hidden: bool = False
    """A person wants it told no more, nor its tasks."""
