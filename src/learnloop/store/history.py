"""The history database: SQLite with a write-ahead log, of what follows from events alone.

Where it is gone, the next ingest reads all events again. What is no database of ours, or damaged, is moved to
the store's backups. Hooks never open it.
"""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import stat
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

from learnloop.errors import Busy, Refused, Unreadable
from learnloop.store import document_table, files, locks, memory_table, task_table, tinydb_file, vector_table
from learnloop.store.repair import Repaired
from learnloop.wire import clock, paths, regular

VERSION, WAIT_S, _APPLICATION = 3, 5.0, 0x4C4C4844
_BESIDE = ("", "-wal", "-shm")
_WHAT = "the history database"
_OWN = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'words_*' ORDER BY rowid DESC"
_OF_TASKS = f"{task_table.SCHEMA}{memory_table.SCHEMA}{vector_table.SCHEMA}"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FULL = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_STATE = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
FROM pragma_application_id, pragma_user_version
"""
_SCHEMA = f"""
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
{{}}
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
_LACKED = (f"{_OF_TASKS}{document_table.SCHEMA}", document_table.SCHEMA, document_table.VIEWS_SCHEMA)
"""By format what a database lacks: an empty one, one that has tasks alone, one without running views."""


class DamagedError(sqlite3.DatabaseError):
    """What is in the database's place is none of ours, or cannot be read."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def path(root: str) -> Path:
    """The file of the database."""
    return Path(paths.store(root), "history.db")


@contextlib.contextmanager
def opened(root: str, *, only_reads: bool = False) -> Iterator[sqlite3.Connection]:
    """The open database, a new one where there is none.

    Who `only_reads` gets it on a full disk too, without what its log may still hold.

    Raises Refused for a newer one, Busy where another process has it, Unreadable; a damaged one is gone then,
    which is Repaired.
    """
    try:
        in_use = locks.held(_lock(root), wait_s=WAIT_S, what=_WHAT, kind=fcntl.LOCK_SH)
        with in_use, contextlib.closing(_connected(root, only_reads)) as connection:
            yield connection
    except task_table.TornTaskError as error:
        with opened(root) as connection:
            _drop_tasks(connection)
        raise Repaired(f"{error} in {path(root)}", "tasks are made anew now") from None
    except sqlite3.DatabaseError as error:
        if _code(error) in _BUSY:
            raise Busy(f"{path(root)} is in use", "wait a moment, then try again") from None
        if _code(error) not in _DAMAGE:
            raise Unreadable(f"{path(root)} cannot be used: {error}", "try again") from None
        _set_aside(root)
        raise Repaired(f"{path(root)} was damaged: {error}", "it is made anew now") from None


def is_there(root: str) -> bool:
    """Whether there is a database."""
    return path(root).exists()


def is_used(root: str) -> bool:
    """Whether somebody has asked for tasks, so that they are to be kept; raises as `opened` does."""
    if not is_there(root):
        return False
    with opened(root) as connection:
        return connection.execute("SELECT 1 FROM days").fetchone() is not None


def set_aside(root: str) -> list[Path]:
    """The files that were moved out of the database's place."""
    return sorted(_backups(root).glob("history-*"))


def drop_backups(root: str) -> None:
    """Remove what was moved out of the database's place."""
    for old in set_aside(root):
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()


def clear(root: str) -> None:
    """Leave no task in the database, and nothing in its log and its free pages; raises as `opened` does.

    What is deleted is written over, so nothing is left on a full disk either, where no file gets smaller.
    """
    if not os.path.lexists(path(root)):
        return
    with opened(root) as connection:
        _drop_tasks(connection)
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _drop_tasks(connection: sqlite3.Connection) -> None:
    tables = [name for (name,) in connection.execute(_OWN) if name not in document_table.OWN]
    drops = "".join(f"DROP TABLE {name};" for name in tables)
    connection.executescript(f"BEGIN IMMEDIATE; {drops} {_OF_TASKS} COMMIT;")


def take_vectors(root: str, target: str) -> None:
    """Copy the vectors of a root into the database of another, and leave nothing in that one's log.

    Nothing else costs as much to make.
    """
    with opened(root), opened(target) as connection:
        connection.execute("ATTACH ? AS other", (str(path(root)),))
        with connection:
            connection.execute("INSERT OR IGNORE INTO vectors SELECT * FROM other.vectors")
        connection.execute("PRAGMA main.wal_checkpoint(TRUNCATE)")


def put_in_place(root: str, new: Path) -> None:
    """Put a database with an empty log in the place of the present one, which goes once the new one is open.

    Raises Busy where somebody has that open for long: a log must never meet another database. What was cut
    off is done by the next call.
    """
    place = path(root)
    former = place.with_name("history.former")
    if new.exists():
        with locks.held(_lock(root), wait_s=WAIT_S, what=_WHAT):
            for suffix in _BESIDE[::-1]:
                if os.path.lexists(f"{place}{suffix}"):
                    Path(f"{place}{suffix}").replace(f"{former}{suffix}")
            new.replace(place)
            files.sync_folder(place.parent)
    with opened(root):
        for suffix in _BESIDE:
            Path(f"{former}{suffix}").unlink(missing_ok=True)


def verify(root: str) -> None:
    """Read every page; raises as `opened` does, and what is damaged is gone then."""
    with opened(root) as connection:
        (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if result != "ok":
            raise DamagedError(result)


def _lock(root: str) -> Path:
    return Path(root, "history.open.lock")


def _connected(root: str, only_reads: bool) -> sqlite3.Connection:
    """A connection to a database of ours; what else is in its place is set aside, once."""
    try:
        return _ready(root)
    except sqlite3.DatabaseError as error:
        if only_reads and _code(error) in _FULL:
            place = urllib.parse.quote(str(path(root)))
            return sqlite3.connect(f"file:{place}?immutable=1", uri=True)
        if _code(error) not in _DAMAGE:
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
    if tables == 0 if version == 0 else application == _APPLICATION and version < VERSION:
        with locks.held(Path(root, "history.new.lock"), wait_s=WAIT_S, what="the new history database"):
            version = connection.execute(_STATE).fetchone()[1]  # SQLite lets nobody wait for a new log
            if version < VERSION:
                connection.executescript(_SCHEMA.format(_LACKED[version]))
    elif application == _APPLICATION and version > VERSION:
        raise Refused(
            f"the history database is of a newer Learnloop (format {version}, this one knows {VERSION})",
            "update Learnloop, or point LEARNLOOP_HOME at another store",
        )
    elif (application, version) != (_APPLICATION, VERSION):
        raise DamagedError("no database of ours")


def _code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _set_aside(root: str) -> None:
    """Move the database into the store's backups, in place of what was moved there before.

    The state goes, so that the next ingest reads all events again.
    """
    tinydb_file.path(root, "state").unlink(missing_ok=True)
    drop_backups(root)
    files.ensure(_backups(root))
    for suffix in _BESIDE:
        source = f"{path(root)}{suffix}"
        if os.path.lexists(source):
            Path(source).rename(_backups(root) / f"history-{clock.now_ms():013d}.db{suffix}")


def _backups(root: str) -> Path:
    return Path(paths.backups(root), "store")
