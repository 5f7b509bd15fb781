"""The workspace: the folder of the data, and its settings. Opening it reads nothing.

Texts that people type or files bring are cleaned and redacted by its settings, as by hooks.
"""

import contextlib
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from learnloop.wire import clock, paths, redact

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnloop.ingest.run import IngestReport
    from learnloop.settings import Settings


@dataclass(frozen=True)
class Workspace:
    """A data root, and who works on it."""

    root: str
    by: str = "cli"
    """`console` or `cli`; part of every decision."""

    @cached_property
    def settings(self) -> "Settings":
        """The settings, read at first use; raises Unreadable for an invalid file or variable."""
        from learnloop import settings

        with contextlib.suppress(OSError):  # a full or read-only disk, which doctor reports
            settings.keep_prohibitions(self.root)
        return settings.load()


def open_workspace(root: str | None = None, by: str = "cli") -> Workspace:
    """The workspace of a data root, by default of the environment's."""
    return Workspace(root or paths.root(), by)


def announce_waits(announce: "Callable[[str, str], None]") -> None:
    """Call a function with the reason of each wait for another process, and the way out of it."""
    from learnloop.store import locks

    locks.ON_WAIT.set(announce)


def are_settings_touched() -> bool:
    """Whether there is a settings file or a variable that may be a setting; else all are defaults."""
    if os.path.lexists(paths.config_file()):
        return True
    return any(name.startswith("LEARNLOOP_") and name not in _NO_SETTINGS for name in os.environ)


_NO_SETTINGS = (
    "LEARNLOOP_HOME", "LEARNLOOP_PAGER", "LEARNLOOP_DISABLE", "LEARNLOOP_NESTED", "LEARNLOOP_BACKGROUND",
)  # fmt: skip
"""Variables of Learnloop that are no settings."""


def ingest(ws: Workspace, wait_s: float = 0.0) -> "IngestReport":
    """Fold the journal and turn new events into documents; wait `wait_s` for another process's ingest.

    Raises Busy where that takes longer, and at the end Unreadable for a journal that nobody can write to.
    """
    from learnloop.ingest.run import ingest as run

    report = run(ws.root, wait_s=wait_s)
    check_journal(ws)
    return report


def check_journal(ws: Workspace) -> None:
    """Raises Unreadable for a journal that nobody can write to."""
    from learnloop.errors import Unreadable
    from learnloop.store import pending

    for obstacle in pending.obstacles(ws.root):
        raise Unreadable(obstacle, "look at it, then move it away")


def retire(ws: Workspace) -> None:
    """Remove what was recorded longer ago than the settings let it be kept; write the logs of past days."""
    from learnloop.ingest import day_logs, retention

    retention.retire(ws.root)
    day_logs.refresh(ws.root, clock.now_ms())


def is_of_earlier_program(ws: Workspace) -> bool:
    """Whether the store is one of an earlier program, which is taken in before it is read."""
    from learnloop.store import former

    return former.is_due(ws.root)


def take_in_store(ws: Workspace, on_file: "Callable[[int, int], object]") -> None:
    """Make a store of an earlier program one of this; what is in the way now, the next opening tells."""
    from learnloop.errors import LearnloopError
    from learnloop.store import former, locks, repair

    with contextlib.suppress(LearnloopError), locks.held(repair.lock(ws.root), wait_s=5.0, what="the store"):
        former.convert(ws.root, on_file)


def catch_up(ws: Workspace) -> str:
    """Ingest what waits; says how many events are not read yet and why, empty where all are."""
    from learnloop.errors import LearnloopError
    from learnloop.store import pending

    count = pending.unread(ws.root)
    try:
        if not count or not ingest(ws).busy:
            return ""
        why = "another process is reading them"
    except LearnloopError as error:
        why = error.message
    except OSError as error:
        why = (error.strerror or "the store cannot be written").lower()
    return f"{count} event{'s are' if count > 1 else ' is'} not read yet: {why}"


DEEPEST = 50
"""Levels of lists and objects; no document of Learnloop has more than a handful."""


def redacted(ws: "Workspace", value: Any, _level: int = 0) -> Any:
    """A JSON value with every text and name cleaned and without secrets, those of the person's own included.

    Deeper levels than `DEEPEST` become None.
    """
    if isinstance(value, str):
        return redact.cleaned(value, ws.settings.redaction.extras)
    if _level >= DEEPEST and isinstance(value, dict | list | tuple):
        return None
    if isinstance(value, dict):
        return {redacted(ws, name): redacted(ws, inner, _level + 1) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(ws, inner, _level + 1) for inner in value]
    return value


def one_line(ws: "Workspace", words: str) -> str:
    """A redacted text with its white space folded to single blanks."""
    return " ".join(str(redacted(ws, words)).split())
