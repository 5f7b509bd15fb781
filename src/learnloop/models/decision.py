"""The decision: a human verdict, recorded as an event of kind `decision`."""

from typing import Any, Literal

from pydantic import Field

from learnloop.models.base import Document

Action = Literal[
    "promote", "reject", "archive", "restore", "edit", "scope", "pause", "resume", "add", "patch", "confirm",
    "dismiss", "trust", "gate", "rate", "merge", "replace", "keep", "mute", "unmute", "undo", "redo",
]  # fmt: skip


class Decision(Document):
    """One verdict over one or more lessons."""

    id: str
    """The id of its event."""
    ts: str
    action: Action
    lesson_ids: tuple[str, ...] = ()
    args: dict[str, Any] = Field(default_factory=dict)
    """By action: edit {field: value}, reject {reason}, archive {reason}, scope {scope, project, path},
    promote {statement?}, replace {keep, statement?}, merge {keep}, add {lesson}, patch {did, patches,
    results}, confirm and dismiss {belief}, trust {project, trusted}, mute and unmute {rule},
    undo and redo {decision}."""
    by: str = "cli"
    """`console` or `cli`."""
    undone: bool = False
