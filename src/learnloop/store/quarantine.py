"""What could not be read is kept byte for byte, under a name that says where it was and why."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from learnloop.store import files
from learnloop.wire import paths

_LONGEST = 100
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
    kept = f"{name.translate(_UNSAFE)[-_LONGEST:]}~{digest}~{reason.translate(_UNSAFE)[:_LONGEST]}"
    path = Path(paths.quarantine(root), kept)
    if not path.exists():
        files.replace(path, [data])
    return kept


def listing(root: str) -> list[Kept]:
    """Everything set aside, oldest first; a file that somebody else put there among it."""
    folder = Path(paths.quarantine(root))
    found = [_look(path) for path in files.listing(folder, "") if path.suffix != files.TEMPORARY]
    return sorted((kept for kept in found if kept), key=lambda kept: (kept.at_ms, kept.name))


def _look(path: Path) -> Kept | None:
    """What a file of the quarantine holds; None where it is gone by now."""
    data = files.read(path)
    if data is None:
        return None
    source, _, rest = path.name.rpartition("~")
    lines = sum(1 for line in data.split(b"\n") if line)
    at_ms = path.stat().st_mtime_ns // 1_000_000
    return Kept(
        path.name, source.rpartition("~")[0] or path.name, rest if source else "", len(data), lines, at_ms
    )
