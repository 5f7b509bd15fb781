"""What installing, reading back and doctor know of a host; what its hooks know is in `wire/hosts`."""

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from learnloop.errors import Refused
from learnloop.hosts import hook_settings
from learnloop.hosts.agent_files import HOSTS
from learnloop.hosts.transcript_lines import Record
from learnloop.wire import regular
from learnloop.wire.hosts import description

SCOPES = ("user", "local")
_MOST = 4 << 20


class Transcripts(Protocol):
    """A module that reads the transcripts of a host."""

    def files(self, _home: Path, /) -> list[Path]:
        """The transcripts of sessions below the host's folder, the oldest first; of a file those in it."""
        return []

    def is_transcript(self, _path: Path, /) -> bool:
        """Whether a file is one; raises OSError."""
        return False

    def folder(self, _path: Path, /) -> str:
        """The folder that a session began in, empty where no line names it; raises OSError."""
        return ""

    def events(self, _path: Path, /, extras: Sequence[str] = (), home: str = "") -> list[Record]:  # noqa: ARG002
        """The events that hooks would have recorded, by time; raises OSError."""
        return []


class NoTranscripts(Transcripts):
    """Stands for the transcripts of a host of which the form is not known."""


@dataclass(frozen=True)
class Host:
    """A host: its client, its settings file and its transcripts."""

    name: str
    program: str
    oldest: tuple[int, ...]
    """The oldest version whose hooks get all that is needed; empty where that is not known."""
    settings: str
    """The file that its hooks stand in, below the person's folder of the host."""
    transcripts: Transcripts
    matchers: Mapping[str, str] = field(default_factory=dict)
    """Which tools or kinds an event is registered for, where not for all."""
    local: str = ""
    """The file of a project that is not committed; empty where the host has none."""
    timeout: int = 10
    """In the unit that the host takes; three times that at the end of a turn, which may wait for a model."""
    off: tuple[str, str, bool] = ("", "", False)
    """The file below its folder, the key with dots and the value that switch all hooks off."""
    approval: str = ""
    """What the person still has to do before the hooks run."""
    shadowed_by: str = ""
    """A file of the same folder, with events at its top, that the host reads instead unless it is empty."""
    new: str = "{}\n"
    """The text of a settings file that has nothing in it."""
    handler: Callable[[str, str], dict[str, Any]] | None = None
    """What is registered for a command and an event, where that is no group as Claude Code has them."""
    plugin: Path | None = None
    """The JavaScript that hands events on, where the host runs no commands; `settings` is then all ours."""
    plugin_folders: tuple[str, ...] = ()
    """Where it loads plugins from: below the person's folder of the host, and below a project."""
    not_run: bool = False
    """Whether it was built from documents alone; the title says so too."""

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """Its name for people."""
        return description(self.name)["title"]

    @property
    def events(self) -> Mapping[str, str]:
        """The events that are registered, each with its matcher."""
        return {event: self.matchers.get(event, "") for event in description(self.name)["events"]}

    @property
    def home(self) -> Path:
        """The person's folder of the host."""
        folders = next(folders for folders in HOSTS if folders.host == self.name)
        named = os.environ.get(folders.variable) if folders.variable else None
        return Path(named) if named else Path.home() / folders.home

    @property
    def is_off(self) -> bool:
        """Whether the person's settings of the host switch all hooks off."""
        name, key, value = self.off
        try:
            settings = _content(self.home / name)
            for part in key.split("."):
                settings = settings[part]
        except (OSError, ValueError, RecursionError, LookupError, TypeError):
            return False
        return bool(settings is value)

    def plugins(self, project: str) -> list[Path]:
        """Our plugins that it loads in a project, of which there should be one."""
        folders = (Path(project if name.startswith(".") else self.home, name) for name in self.plugin_folders)
        every = (path for folder in folders for path in folder.glob("*.[jt]s"))
        return [path for path in every if hook_settings.holds_ours(path)]

    def path_of(self, scope: str, project: str | None) -> Path:
        """The settings file of a scope; raises Refused for one that the host does not have."""
        if scope == "user":
            return self.home / (self.shadowed_by if self.is_shadowed else self.settings)
        if scope == "local" and self.local:
            return Path(project or os.getcwd()).absolute() / self.local  # noqa: PTH109
        scopes = " or ".join(f"--scope {each}" for each in SCOPES if each == "user" or self.local)
        raise Refused(f"no hooks of {self.title} in the scope {scope!r}", f"use {scopes}")

    @property
    def is_shadowed(self) -> bool:
        """Whether the host reads another file than that of its settings."""
        path = self.home / self.shadowed_by
        try:
            return bool(self.shadowed_by) and path.is_file() and _content(path) != {}
        except (OSError, ValueError, RecursionError):
            return True

    def under(self, path: Path) -> str:
        """The name that events stand under in a file; empty where they stand at its top."""
        return "" if path.name == self.shadowed_by else "hooks"

    def groups(self, command: str) -> dict[str, Any]:
        """The groups that are registered, by event; of a plugin its whole text."""
        if self.plugin:
            return {hook_settings.WHOLE: hook_settings.text_of(self.plugin, command)}
        if self.handler:
            return {event: self.handler(command, event) for event in self.events}
        handler = {"type": "command", "command": command}
        ends = description(self.name)["events"]
        return {
            event: {
                **({"matcher": matcher} if matcher else {}),
                "hooks": [{**handler, "timeout": self.timeout * (3 if ends[event] == "Stop" else 1)}],
            }
            for event, matcher in self.events.items()
        }


def _content(path: Path) -> Any:
    """What a settings file says; raises OSError, ValueError or RecursionError."""
    text = regular.read(str(path), _MOST, follows=True).decode("utf-8-sig")
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
