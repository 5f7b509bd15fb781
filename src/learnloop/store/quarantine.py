"""The quarantine: unreadable content is stored byte for byte, under a name that says whence and why."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from learnloop.store import files
from learnloop.wire import paths

_LONGEST = 100
_UNSAFE = str.maketrans({"/": "-", "\0": "-", "\n": "-"})


@dataclass(frozen=True)
class QuarantinedFile:
    """One file that was set aside."""

    name: str
    source: str
    """The file that it comes from, relative to the root, with `-` for `/`."""
    reason: str
    bytes: int
    lines: int
    at_ms: int


def keep(root: str, name: str, data: bytes, reason: str) -> None:
    """Store bytes of the file `name`; the same bytes for the same reason are stored once."""
    digest = hashlib.sha256(data).hexdigest()[:12]
    stored_name = f"{name.translate(_UNSAFE)[-_LONGEST:]}~{digest}~{reason.translate(_UNSAFE)[:_LONGEST]}"
    path = Path(paths.quarantine(root), stored_name)
    if not path.exists():
        files.replace(path, [data])


def listing(root: str) -> list[QuarantinedFile]:
    """Everything set aside, oldest first, including files that somebody else put there."""
    entries = []
    for path in files.listing(Path(paths.quarantine(root)), ""):
        data = files.read(path) if path.suffix != files.TEMPORARY else None
        if data is not None:
            origin, _, reason = path.name.rpartition("~")
            lines = sum(1 for line in data.split(b"\n") if line)
            at_ms = path.stat().st_mtime_ns // 1_000_000
            source = origin.rpartition("~")[0] or path.name
            entries.append(
                QuarantinedFile(path.name, source, reason if origin else "", len(data), lines, at_ms)
            )
    return sorted(entries, key=lambda entry: (entry.at_ms, entry.name))
