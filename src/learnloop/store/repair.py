"""Repair: an unreadable file is set aside, replaced by its last good copy, and reported."""

import contextlib
from pathlib import Path

from learnloop import errors
from learnloop.store import backups, files, locks, quarantine, tinydb_file
from learnloop.wire import paths

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
    good = backups.last_good(root, name)
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
            good = backups.last_good(root, name)
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
