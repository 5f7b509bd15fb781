"""What could not be read is kept byte for byte, under a name that says where it was and why."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from learnloop.store import files
from learnloop.wire import paths

_UNSAFE = str.maketrans({"/": "-", "\0": "-", "\n": "-"})


@dataclass(frozen=True)
class Kept:
    """One thing set aside."""

    name: str
    source: str
    """The file it stood in, relative to the root, with `-` for `/`."""
    reason: str
    bytes: int
    lines: int
    at_ms: int


def keep(root: str, name: str, data: bytes, reason: str) -> str:
    """Keep bytes of the file `name`; keeping the same bytes for the same reason again changes nothing.

    Returns the name under which they stand in the quarantine folder.
    """
    digest = hashlib.sha256(data).hexdigest()[:12]
    kept = f"{name.translate(_UNSAFE)}~{digest}~{reason.translate(_UNSAFE)}"
    path = Path(paths.quarantine(root), kept)
    if not path.exists():
        files.replace(path, [data])
    return kept


def listing(root: str) -> list[Kept]:
    """Everything set aside, oldest first."""
    found = []
    for path in files.listing(Path(paths.quarantine(root)), ""):
        source, _, rest = path.name.rpartition("~")[0].rpartition("~")
        data = None if path.name.endswith(files.TEMPORARY) or not rest else files.read(path)
        if data is not None:
            lines = sum(1 for line in data.split(b"\n") if line)
            at_ms = path.stat().st_mtime_ns // 1_000_000
            found.append(Kept(path.name, source, path.name.rpartition("~")[2], len(data), lines, at_ms))
    return sorted(found, key=lambda kept: (kept.at_ms, kept.name))
