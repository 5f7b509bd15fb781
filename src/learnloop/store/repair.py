"""Repair: an unreadable file is set aside, replaced by its last good (rolling) copy, and reported."""

import contextlib
from pathlib import Path

from learnloop import errors
from learnloop.store import files, locks, quarantine, tinydb_file
from learnloop.wire import clock, paths

RESTORED = "restored from a backup"
REBUILT = "rebuilt from events"
LOCK_WAIT_S = 1.0
"""How long a reader waits for the lock before it reads the last good copy."""


class Repaired(errors.Unreadable):
    """A file was unreadable and has been repaired; the caller has to start again."""


def lock(root: str) -> Path:
    """The lock file of the store."""
    return Path(root, "store.lock")


def repair(root: str, name: str) -> None:
    """Set a damaged file aside and restore the last good copy; the caller holds the store's lock.

    The state is removed too, so the next ingest starts over and brings the file up to date: documents are
    upserts, and a file skips the segments up to its own cursor. A readable file is left alone.
    """
    file = tinydb_file.path(root, name)
    data = files.read(file)
    if data is None:
        return
    with contextlib.suppress(tinydb_file.DamagedError):
        tinydb_file.decode(data)
        return
    good = last_good(root, name)
    quarantine.keep(root, f"store/{name}.json", data, REBUILT if good is None else RESTORED)
    if good is None:
        file.unlink(missing_ok=True)
    else:
        files.replace(file, [good])
    tinydb_file.path(root, "state").unlink(missing_ok=True)
    files.sync_folder(Path(paths.store(root)))


def load(root: str, name: str) -> tinydb_file.Tables:
    """The tables of a file for a reader; a damaged file is repaired, or read from its last good copy."""
    file = tinydb_file.path(root, name)
    try:
        return _load(file) or {}
    except tinydb_file.DamagedError:
        try:
            with locks.held(lock(root), wait_s=LOCK_WAIT_S, what="the store"):
                repair(root, name)
            return _load(file) or {}
        except (errors.Busy, tinydb_file.DamagedError):
            good = last_good(root, name)
            return tinydb_file.decode(good) if good is not None else {}


def _load(file: Path) -> tinydb_file.Tables | None:
    try:
        return tinydb_file.load(file)
    except OSError as error:
        raise errors.Unreadable(f"{file} cannot be read ({error.strerror})", "run: learn doctor") from None


def damage(root: str) -> list[str]:
    """What was unreadable in the store and how it was repaired, a line each."""
    return [
        f"{entry.source} was unreadable and was {entry.reason}; its content is in quarantine/{entry.name}"
        for entry in quarantine.listing(root)
        if entry.reason in (RESTORED, REBUILT)
    ]


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
