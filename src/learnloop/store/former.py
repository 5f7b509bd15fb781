"""Stores of earlier programs: what follows from events was in files there, a folder of them for each kind.

They are read into the history database in one commit, then moved to the store's backups. So a conversion that
was cut off is made again. Where a transaction of that program was cut off, all events are read again.
"""

import json
import shutil
from collections.abc import Callable, Container
from pathlib import Path

from learnloop.store import files, quarantine, repair, tinydb_file
from learnloop.store.document_table import AFTER_ALL, VIEWS, Documents, Position
from learnloop.wire import paths

_KIND_BY_FOLDER = {
    "sessions": "sessions", "turns": "turns", "tasks": "traces", "feedback": "feedback",
    "moments": "moments", "primed": "primed", "sightings": "sightings",
}  # fmt: skip
OnFile = Callable[[int, int], object]
"""Called with how many files have been read, and how many there are."""
_DERIVED = ("recall/moments", "recall/memories", "recall/vectors")
"""Where counts by month, a catalogue and vectors were."""


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


def convert(root: str, on_file: OnFile = lambda _done, _total: None) -> None:
    """Make the store one of this program; the caller holds its lock."""
    folders = _folders(root)
    if not folders:
        return
    from learnloop.store import history  # its tables load models, which not every verb needs

    with history.opened(root) as connection:
        if not (documents := Documents(connection)).cursor:
            _take_over(root, documents, on_file)
    for folder in folders:
        place = backup(root) / folder
        files.ensure(place)
        for file in files.listing(Path(paths.store(root), folder), ""):
            file.replace(place / file.name)
        Path(paths.store(root), folder).rmdir()
    files.sync_folder(Path(paths.store(root)))
    for folder in _DERIVED:
        shutil.rmtree(Path(root, folder), ignore_errors=True)


def _take_over(root: str, documents: Documents, on_file: OnFile) -> None:
    """Commit all documents, and how far that program was."""
    every = [(folder, file) for folder in _folders(root) for file in _files(root, folder)]
    newest = ""
    for done, (folder, file) in enumerate(every, 1):
        newest = max(newest, _read(root, folder, file, documents))
        on_file(done, len(every))
    state = repair.load(root, "state").get("state", {}).get("state", {})
    rested = _rested_views(documents, state.pop("dormant", {}))
    opened = {key: text[text.index("{") :] for key, text in state.pop("open", {}).items()}
    if newest > (cursor := tinydb_file.cursor(root)):
        documents.write(Position())
        tinydb_file.path(root, "state").unlink(missing_ok=True)
        return
    for key, text in (rested | opened).items():
        view = json.loads(text)
        documents.table(VIEWS).put(key, {"id": key, "last_seen": view["session"]["last_seen"], **view})
    documents.write(Position(cursor, state))


def _rested_views(documents: Documents, dormant: Container[str]) -> dict[str, str]:
    """The views of sessions at rest, which their documents had, as JSON."""
    sessions, views = documents.table("sessions"), {}
    for session in sessions.all().values():
        view = session.pop("_view", None)
        sessions.put(session["id"], session)
        if view and (key := f"{session['host']}/{session['id']}") in dormant:
            views[key] = json.dumps({"session": session, **json.loads(view)})
    return views


def _files(root: str, folder: str) -> list[Path]:
    return sorted(files.listing(Path(paths.store(root), folder), ".json"), key=_day_and_number)


def _read(root: str, folder: str, file: Path, documents: Documents) -> str:
    """Put in the documents of a file; the last segment that it has taken in.

    A file that cannot be read is kept in the quarantine, and all events are read again for it.
    """
    try:
        tables = tinydb_file.load(file) or {}
    except tinydb_file.DamagedError:
        quarantine.keep(root, f"store/{folder}/{file.name}", files.read(file) or b"", repair.REBUILT)
        return AFTER_ALL
    for key, doc in tables.get(folder, {}).items():
        documents.table(_KIND_BY_FOLDER[folder]).put(key, doc)
    return str(tables.get(tinydb_file.META, {}).get(tinydb_file.META, {}).get("cursor", ""))


def _day_and_number(file: Path) -> tuple[str, int]:
    day, _, number = file.stem.rpartition("-")
    return (day, int(number)) if number.isdigit() else (file.stem, 0)
