"""Stores of earlier programs: what follows from events was in files there, a folder of them for each kind.

They are read into the history database in one commit, then moved to the store's backups. So a conversion that
was cut off is made again. Where a transaction of that program was cut off, all events are read again.
"""

import shutil
from pathlib import Path

from learnloop.store import files, history, quarantine, repair, tinydb_file
from learnloop.store.document_table import Documents
from learnloop.wire import paths

_KIND_BY_FOLDER = {
    "sessions": "sessions", "turns": "turns", "tasks": "traces", "feedback": "feedback",
    "moments": "moments", "primed": "primed", "sightings": "sightings",
}  # fmt: skip
_DERIVED = ("recall/moments", "recall/memories", "recall/vectors")
"""Where counts by month, a catalogue and vectors were."""
_AFTER_ALL = "~"
"""Sorts after the name of every segment."""


def backup(root: str) -> Path:
    """Where the files of an earlier program are kept."""
    return Path(paths.backups(root), "store", "former")


def is_due(root: str) -> bool:
    """Whether the store is one of an earlier program."""
    return bool(_folders(root))


def _folders(root: str) -> list[str]:
    return [folder for folder in _KIND_BY_FOLDER if Path(paths.store(root), folder).is_dir()]


def drop_backup(root: str) -> None:
    """Remove the files of an earlier program."""
    shutil.rmtree(backup(root), ignore_errors=True)


def convert(root: str) -> None:
    """Make the store one of this program; the caller holds its lock."""
    folders = _folders(root)
    if not folders:
        return
    with history.opened(root) as connection:
        documents, cursor = Documents(connection), tinydb_file.cursor(root)
        newest = max((_read(root, folder, documents) for folder in folders), default="")
        if newest > cursor:
            tinydb_file.path(root, "state").unlink(missing_ok=True)
        documents.write(cursor if newest <= cursor else "")
    for folder in folders:
        place = backup(root) / folder
        files.ensure(place)
        for file in files.listing(Path(paths.store(root), folder), ""):
            file.replace(place / file.name)
        Path(paths.store(root), folder).rmdir()
    files.sync_folder(Path(paths.store(root)))
    for folder in _DERIVED:
        shutil.rmtree(Path(root, folder), ignore_errors=True)


def _read(root: str, folder: str, documents: Documents) -> str:
    """Put in the documents of a folder; the last segment that one of its files has taken in.

    A file that cannot be read is kept in the quarantine, and all events are read again for it.
    """
    table, cursor = documents.table(_KIND_BY_FOLDER[folder]), ""
    for file in sorted(files.listing(Path(paths.store(root), folder), ".json"), key=_day_and_number):
        try:
            tables = tinydb_file.load(file) or {}
        except tinydb_file.DamagedError:
            quarantine.keep(root, f"store/{folder}/{file.name}", files.read(file) or b"", repair.REBUILT)
            cursor = _AFTER_ALL
            continue
        head = tables.get(tinydb_file.META, {}).get(tinydb_file.META, {})
        cursor = max(cursor, str(head.get("cursor", "")))
        for key, doc in tables.get(folder, {}).items():
            table.put(key, doc)
    return cursor


def _day_and_number(file: Path) -> tuple[str, int]:
    day, _, number = file.stem.rpartition("-")
    return (day, int(number)) if number.isdigit() else (file.stem, 0)
