"""The turn: one prompt and all that followed it."""

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
