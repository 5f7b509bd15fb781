"""The workspace: where the data is and how it is set. Opening it reads nothing."""

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from learnloop.wire import paths

if TYPE_CHECKING:
    from learnloop.ingest.run import IngestReport
    from learnloop.settings import Settings


@dataclass(frozen=True)
class Workspace:
    """A data root, and who works on it."""

    root: str
    by: str = "cli"
    """`console` or `cli`: stands on every decision."""

    @cached_property
    def settings(self) -> "Settings":
        """The settings, read at first use; raises Unreadable where the file makes no sense."""
        from learnloop import settings

        return settings.load()


def open_workspace(root: str | None = None, by: str = "cli") -> Workspace:
    """The workspace of a data root, by default the one that the environment names."""
    return Workspace(root or paths.root(), by)


def are_settings_touched() -> bool:
    """Whether there can be anything but defaults: a settings file, or a variable that may be a setting."""
    if os.path.lexists(paths.config_file()):
        return True
    return any(name.startswith("LEARNLOOP_") and name not in _NO_SETTINGS for name in os.environ)


_NO_SETTINGS = ("LEARNLOOP_HOME", "LEARNLOOP_PAGER", "LEARNLOOP_DISABLE", "LEARNLOOP_NESTED")
"""Variables that belong to us and set nothing."""


def ingest(ws: Workspace, wait_s: float = 0.0) -> "IngestReport":
    """Fold the journal and turn new events into documents, waiting so long for another process's ingest."""
    from learnloop.ingest.run import ingest as run

    return run(ws.root, wait_s=wait_s)
