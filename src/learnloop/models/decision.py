"""The decision: a human verdict, recorded as an event of kind `decision`."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from learnloop.models.base import Document

Action = Literal[
    "promote", "reject", "archive", "restore", "edit", "scope", "pause", "resume", "add", "patch", "confirm",
    "dismiss", "trust", "gate", "rate", "merge", "replace", "keep", "mute", "unmute", "undo", "redo",
    "accept", "discard", "facts", "experiment", "priming", "memory",
]  # fmt: skip


def settled(args: Mapping[str, Any]) -> dict[str, str]:
    """The drafts that a decision settles beside its own, each with the lesson that stands for it."""
    also = args.get("also")
    parts = also.items() if isinstance(also, dict) else ()
    return {
        str(name): lesson_id
        for lesson_id, part in parts
        if isinstance(part, dict) and isinstance(part.get("lessons"), list)
        for name in part["lessons"]
    }


class DecisionPlace(Document):
    """Where a decision was made, without arguments of any process."""

    terminal: str = ""
    """The controlling terminal, as `pts/3`; empty where there is none."""
    parents: tuple[str, ...] = ()
    """The names of the processes above, the nearest first."""
    agent: str = ""
    """The sign of an agent above it or in its environment; empty where there is none."""
    session: str = ""
    """The agent's session."""
    attended: bool = False
    """Whether a person sits there: a terminal of its own, no agent above it, no program that plays one."""
    since_ms: int = 0
    """When the terminal's session began."""


class Decision(Document):
    """One verdict over one or more lessons."""

    id: str
    """The id of its event."""
    ts: str
    action: Action
    lesson_ids: tuple[str, ...] = ()
    args: dict[str, Any] = Field(default_factory=dict)
    """By action: edit {field: value}, reject {reason}, archive {reason}, scope {scope, project, path},
    promote {statement?, scope?, also {lesson: {lessons, beliefs {id: mark}, patches}}?; by a standing
    approval project and those of patch}, replace {keep, statement?}, merge {keep}, add {lesson},
    patch {did, patches, results}, confirm and dismiss {belief}, trust {project, trusted},
    facts {project, mode, imports?} or {project, turns}, priming {project, on}, memory {mark, memory},
    undo and redo {decision}, accept and discard {decisions}, experiment {experiment}, which other actions may
    carry too. Mute and unmute have no effect any more."""
    by: str = "cli"
    """`console` or `cli`; `facts` for the standing approval of a project."""
    door: str = ""
    """The way it came in: `console`, `cli`, or `plugin` for a command typed to an agent."""
    place: DecisionPlace | None = None
    """Where it was made; None for what earlier versions wrote, and for upkeep."""
    prev: str = ""
    """The seal of the decision before, as its writer saw it."""
    seal: str = ""
    claimed: str = ""
    """Why it has no effect until a person accepts it; empty for a decision in effect."""
    undone: bool = False

    @property
    def settled(self) -> dict[str, str]:
        """The drafts that it settles beside its own, each with the lesson that stands for it."""
        return settled(self.args)

    @property
    def touched(self) -> tuple[str, ...]:
        """All lessons that it changes."""
        return (*self.lesson_ids, *self.settled)


class DecisionClock:
    """When decisions were made by a clock that never goes back along their chain: for sorting alone."""

    def __init__(self) -> None:
        self._by_seal: dict[str, str] = {}

    def time(self, doc: Mapping[str, Any]) -> str:
        """The time of a stored decision, no earlier than that of the one that its writer saw last."""
        ts, prev, seal = (str(doc.get(name, "")) for name in ("ts", "prev", "seal"))
        latest = max(ts, self._by_seal.get(prev, ""))
        if seal:
            self._by_seal[seal] = latest
        return latest

    def times(self, docs: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        """The times of all stored decisions, which are in the order of the journal, by id."""
        return {name: self.time(doc) for name, doc in docs.items()}
