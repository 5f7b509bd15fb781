"""One line of the doctor's report, and what a check yields before the doctor names it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from learnloop.models.base import Document

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

Level = Literal["ok", "warn", "fail"]
WEEK_MS = 7 * 86_400_000
"""Checks of recent events look this far back, milliseconds."""


class Check(Document):
    """One result of the doctor."""

    name: str
    level: Level
    message: str
    hint: str = ""
    """What to do about it."""


class Result(NamedTuple):
    """What a check reports."""

    level: Level
    message: str
    hint: str = ""
    """What to do about it."""


Checker = Callable[["Workspace", bool], Iterator[Result]]
"""A check of a workspace; with True it also repairs what is safe to repair."""


def ok(message: str) -> Result:
    """Nothing to do."""
    return Result("ok", message)


def warn(message: str, hint: str) -> Result:
    """Learnloop works, but not fully."""
    return Result("warn", message, hint)


def fail(message: str, hint: str) -> Result:
    """Something does not work."""
    return Result("fail", message, hint)
