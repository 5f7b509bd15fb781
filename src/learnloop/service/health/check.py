"""One line of the doctor's report, as a check yields it; the doctor names it."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from learnloop.models.base import Document
from learnloop.service.workspace import Workspace

Level = Literal["ok", "warn", "fail"]
WEEK_MS = 7 * 86_400_000
"""Checks of recent events look this far back, milliseconds."""


class Check(Document):
    """One result of the doctor."""

    name: str = ""
    """The doctor fills it in."""
    level: Level
    message: str
    hint: str = ""
    """What to do about it."""


Test = Callable[[Workspace, bool], Iterator[Check]]
"""What is wrong with a workspace; with True it also repairs what is safe to repair."""


class Row(NamedTuple):
    """One check of the doctor."""

    name: str
    test: Test
    fine: str = ""
    """Said where the test finds nothing to say."""


def ok(message: str) -> Check:
    """Nothing to do."""
    return Check(level="ok", message=message)


def warn(message: str, hint: str) -> Check:
    """Learnloop works, but not fully."""
    return Check(level="warn", message=message, hint=hint)


def fail(message: str, hint: str) -> Check:
    """Something does not work."""
    return Check(level="fail", message=message, hint=hint)
