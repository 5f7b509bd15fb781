"""The settings files that our hooks are in, and their earlier state: `install.json` below the root."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from learnloop.store import files, locks
from learnloop.wire import regular


@dataclass(frozen=True)
class Registration:
    """What uninstalling needs to restore a settings file."""

    host: str = "claude"
    scope: str = "user"
    python: str = ""
    """The interpreter that the hooks name."""
    existed: bool = True
    backup: str = ""
    """The earlier file, below the backups; empty where it cannot be restored byte for byte."""
    after: str = ""
    """Digest of the file after the install; where it still matches, the backup is restored."""
    hooks: bool = True
    """Whether it had a `hooks` object."""
    events: tuple[str, ...] = ()
    """The events that it had lists for."""
    deny: tuple[str, ...] = ()
    """The deny rules that were added."""
    deny_lists: tuple[str, ...] = ()
    """Which of `permissions` and its `deny` came with them."""
    folders: tuple[str, ...] = ()
    """Folders that were made for it, innermost first."""


def path_of(root: str) -> Path:
    """The path of the register."""
    return Path(root, "install.json")


def load(root: str) -> dict[str, Registration]:
    """The registrations by path; none of a damaged register, since hooks are recognised without it."""
    try:
        stored = json.loads(regular.content(str(path_of(root))) or b"{}")
    except (OSError, ValueError):
        return {}
    return (
        {path: _registration(fields) for path, fields in stored.items()} if isinstance(stored, dict) else {}
    )


@contextmanager
def changing(root: str) -> Iterator[dict[str, Registration]]:
    """The registrations under a lock, written when the block ends without an error; raises Busy."""
    with locks.held(Path(root, "install.lock"), wait_s=10.0, what="the register of hooks"):
        registrations = load(root)
        yield registrations
        rows = {path: asdict(row) for path, row in registrations.items()}
        files.replace(path_of(root), [json.dumps(rows, indent=1).encode()])


def _registration(stored: Any) -> Registration:
    """A registration as stored; a missing or wrong field gets its default."""
    stored = stored if isinstance(stored, dict) else {}
    fields: dict[str, Any] = {}
    for name, default in asdict(Registration()).items():
        value = tuple(stored[name]) if isinstance(stored.get(name), list) else stored.get(name)
        if type(value) is type(default):
            fields[name] = value
    return Registration(**fields)
