"""Which settings files carry our hooks, and what those files were before: `install.json` below the root."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from learnloop.wire import paths


@dataclass(frozen=True)
class Entry:
    """What it takes to put a settings file back as it would have been."""

    host: str = "claude"
    scope: str = "user"
    existed: bool = True
    backup: str = ""
    """The file before, below the backups; empty where it cannot be put back byte for byte."""
    after: str = ""
    """Digest of the file as we left it: unchanged since, the backup is put back."""
    hooks: bool = True
    """Whether it had a place for hooks."""
    events: tuple[str, ...] = ()
    """The events that it had a place for."""
    folders: tuple[str, ...] = ()
    """Folders that were made for it, innermost first."""


def path_of(root: str) -> Path:
    """Where the register is."""
    return Path(root, "install.json")


def load(root: str) -> dict[str, Entry]:
    """The entries by path; a damaged register is as good as none: our hooks are recognised without it."""
    try:
        found = json.loads(path_of(root).read_bytes() or b"{}")
    except (OSError, ValueError):
        return {}
    return {path: _entry(kept) for path, kept in found.items()} if isinstance(found, dict) else {}


@contextmanager
def changing(root: str) -> Iterator[dict[str, Entry]]:
    """The entries for changing, one process at a time; written where the block ends well."""
    paths.ensure_dir(root)
    fd = os.open(f"{root}/install.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, paths.FILE_MODE)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        entries = load(root)
        yield entries
        _write(path_of(root), {path: asdict(entry) for path, entry in entries.items()})
    finally:
        os.close(fd)


def _write(path: Path, entries: dict[str, Any]) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.touch(paths.FILE_MODE)
    temporary.write_text(json.dumps(entries, indent=1))
    temporary.replace(path)


def _entry(kept: Any) -> Entry:
    """An entry as it was written; what is missing or wrong in it counts as not known."""
    kept = kept if isinstance(kept, dict) else {}
    fields: dict[str, Any] = {}
    for name, default in asdict(Entry()).items():
        value = tuple(kept[name]) if isinstance(kept.get(name), list) else kept.get(name)
        if type(value) is type(default):
            fields[name] = value
    return Entry(**fields)
