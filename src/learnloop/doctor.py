"""The doctor: every check says whether it is well, and if not, what to do."""

from typing import TYPE_CHECKING, Literal

from learnloop.models.base import Document

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


class Check(Document):
    """One thing looked at."""

    name: str
    level: Literal["ok", "warn", "fail"]
    message: str
    hint: str = ""
    """What to do about it."""


def examine(ws: "Workspace", *, fix: bool = False) -> list[Check]:
    """Every check, in the order in which things depend on each other."""
    return []
