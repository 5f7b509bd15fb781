"""Rolling copies of the files that events alone cannot restore: lessons, decisions, patches."""

import contextlib
from pathlib import Path

from learnloop.store import files, tinydb_file
from learnloop.wire import clock, paths

NAMES = ("lessons", "decisions", "patches")
KEPT = 5
INTERVAL_MS = 3_600_000


def save(root: str, name: str, content: bytes) -> None:
    """Copy what was just written, at most once an hour; five copies stay. A full disk costs only the copy."""
    if name not in NAMES:
        return
    for leftover in files.listing(_folder(root), files.TEMPORARY):
        leftover.unlink(missing_ok=True)
    now = clock.now_ms()
    present = listing(root, name)
    if present and abs(now - _ms(present[-1])) < INTERVAL_MS:
        return
    with contextlib.suppress(OSError):
        if present and files.read(present[-1]) == content:
            return
        newest = max([now, *(_ms(path) + 1 for path in present[-1:])])
        files.replace(_folder(root) / f"{name}-{newest:013d}.json", [content])
        for old in listing(root, name)[:-KEPT]:
            old.unlink(missing_ok=True)


def prune(root: str, before_ms: int) -> None:
    """Remove copies made before a time, but the newest of each file."""
    for name in NAMES:
        for path in listing(root, name)[:-1]:
            if _ms(path) < before_ms:
                path.unlink(missing_ok=True)


def listing(root: str, name: str) -> list[Path]:
    """The copies of a file, oldest first."""
    copies = files.listing(_folder(root), ".json")
    return [path for path in copies if path.name.rpartition("-")[0] == name]


def last_good(root: str, name: str) -> bytes | None:
    """The newest copy that can be read."""
    for path in reversed(listing(root, name)):
        data = files.read(path)
        with contextlib.suppress(tinydb_file.DamagedError):
            if data is not None:
                tinydb_file.decode(data)
                return data
    return None


def _folder(root: str) -> Path:
    return Path(paths.backups(root), "store")


def _ms(path: Path) -> int:
    digits = path.stem.rpartition("-")[2]
    return int(digits) if digits.isdigit() else 0
