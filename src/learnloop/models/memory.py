"""The memory: one thing that tasks taught, joined from the pieces that each task says of it."""

from typing import Literal, NamedTuple

from pydantic import Field

from learnloop.models.base import Document
from learnloop.models.task import HowKnown, TaskOutcome

MemoryType = Literal["episodic", "procedural", "semantic", "technical", "context"]
LONGEST_TEXT = 600


class Memory(Document):
    """What one task taught, or several that say the same; its id is the type and the first task."""

    id: str
    key: str = ""
    """What it says, as a hash: it stays the same when its first task goes. Empty for imported ones."""
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
    trust: Literal["own", "external"] = "own"
    """External ones were imported: agents are told nothing of them."""
    pinned: bool = False
    hidden: bool = False
    """A person wants it told no more, nor its tasks."""


class MemorySource(NamedTuple):
    """What memories say of a task."""

    id: str
    started: str
    session_id: str
    agent: str
    project: str
    outcome: TaskOutcome
    known: HowKnown
    title: str
    files: tuple[str, ...]
    """As sessions of the project name them."""
    about: tuple[str, ...]
    """Areas and identifiers that it is about."""


class MemoryPiece(NamedTuple):
    """What one task says: pieces with one key are one memory."""

    type: MemoryType
    key: str
    text: str
    file: str = ""
    """The file that it is about, where that is one."""


class JoinedPieces(NamedTuple):
    """The pieces with one key."""

    newest: MemoryPiece
    source: MemorySource
    """The task of the newest."""
    texts: tuple[str, ...]
    """Of the newest tasks, the newest first."""
    tasks: tuple[str, ...]
    """The ids of those tasks."""
    first: str
    """The id of the first of all its tasks."""
    number: int
    """Which of the first task's pieces of this type it is."""
    seen: int
    known: HowKnown
    """How the outcome is known where it is known best."""
