"""The history database: SQLite with a write-ahead log, of what follows from events alone.

It may go at any time and is made anew. What is no database of ours, or damaged, is moved to the store's
backups. Hooks never open it.
"""

import contextlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from learnloop.errors import Busy, Refused, Unreadable
from learnloop.store import files, locks, memory_table, task_table, vector_table
from learnloop.store.task_table import DamagedError
from learnloop.wire import clock, paths, regular

VERSION, WAIT_S, _APPLICATION = 1, 5.0, 0x4C4C4844
_BESIDE = ("", "-wal", "-shm")
_OWN = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'words_*' ORDER BY rowid DESC"
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_STATE = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version
"""
_SCHEMA = f"""
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
{task_table.SCHEMA}
{memory_table.SCHEMA}
{vector_table.SCHEMA}
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""


def path(root: str) -> Path:
    """The file of the database."""
    return Path(paths.store(root), "history.db")


@contextlib.contextmanager
def opened(root: str) -> Iterator[sqlite3.Connection]:
    """The open database, a new one where there is none.

    Raises Refused for a newer one, Busy where one is being made, Unreadable; a damaged one is gone then.
    """
    try:
        with contextlib.closing(_connected(root)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise Unreadable(f"{path(root)} cannot be used: {error}", "try again") from None
        _set_aside(root)
        raise Unreadable(f"{path(root)} was damaged: {error}", "it is made anew now") from None


def is_used(root: str) -> bool:
    """Whether somebody has asked for tasks, so that there is a database to keep."""
    return path(root).exists()


def set_aside(root: str) -> list[Path]:
    """The files that were moved out of the database's place."""
    return sorted(_backups(root).glob("history-*"))


def drop_backups(root: str) -> None:
    """Remove what was moved out of the database's place."""
    for old in set_aside(root):
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()


def clear(root: str) -> None:
    """Leave nothing in the database, its log and its free pages; what cannot be emptied is removed."""
    if not os.path.lexists(path(root)):
        return
    try:
        with opened(root) as connection:
            drops = "".join(f"DROP TABLE {name};" for (name,) in connection.execute(_OWN))
            connection.executescript(f"{drops} PRAGMA user_version = 0; VACUUM;")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (Busy, Refused, Unreadable):
        for suffix in _BESIDE:
            Path(f"{path(root)}{suffix}").unlink(missing_ok=True)


def verify(root: str) -> None:
    """Read every page; raises as `opened` does, and what is damaged is gone then."""
    with opened(root) as connection:
        (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if result != "ok":
            raise DamagedError(result)


def _connected(root: str) -> sqlite3.Connection:
    """A connection to a database of ours; what else is in its place is set aside, once."""
    try:
        return _ready(root)
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        _set_aside(root)
        return _ready(root)


def _ready(root: str) -> sqlite3.Connection:
    file = path(root)
    files.ensure(file.parent)
    if os.path.lexists(file) and not stat.S_ISREG(file.lstat().st_mode):
        raise DamagedError("no regular file")
    try:
        os.close(regular.opened(str(file), os.O_RDWR | os.O_CREAT))  # with the mode of our files
    except OSError as error:
        raise Unreadable(f"{file} cannot be opened ({error.strerror})", "run: learn doctor") from None
    connection = sqlite3.connect(file, timeout=WAIT_S)
    try:
        _prepare(root, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(root: str, connection: sqlite3.Connection) -> None:
    """Give an empty file its tables; raises DamagedError for another program's, Refused for a newer one."""
    connection.executescript("PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL;")
    application, version, tables = connection.execute(_STATE).fetchone()
    if version == 0 and tables == 0:
        with locks.held(Path(root, "history.new.lock"), wait_s=WAIT_S, what="the new history database"):
            if connection.execute(_STATE).fetchone()[1] == 0:  # SQLite lets nobody wait for a new log
                connection.executescript(_SCHEMA)
    elif application == _APPLICATION and version > VERSION:
        raise Refused(
            f"the history database is of a newer Learnloop (format {version}, this one knows {VERSION})",
            "update Learnloop, or point LEARNLOOP_HOME at another store",
        )
    elif (application, version) != (_APPLICATION, VERSION):
        raise DamagedError("no database of ours")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def _set_aside(root: str) -> None:
    """Move the database into the store's backups, in place of what was moved there before."""
    drop_backups(root)
    files.ensure(_backups(root))
    for suffix in _BESIDE:
        source = f"{path(root)}{suffix}"
        if os.path.lexists(source):
            Path(source).rename(_backups(root) / f"history-{clock.now_ms():013d}.db{suffix}")


def _backups(root: str) -> Path:
    return Path(paths.backups(root), "store")
