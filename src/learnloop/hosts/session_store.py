"""Sessions of OpenCode: tables `session`, `message` and `part` of one SQLite file, read without writing."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from learnloop.hosts.chat_reader import ChatReader
from learnloop.hosts.transcript_lines import Line, Record, decoded, string
from learnloop.wire import regular

_HEADER = b"SQLite format 3\0"
_SESSIONS = "SELECT id, directory, time_created FROM session WHERE parent_id IS NULL ORDER BY time_created"
_IN_PRINT = """SELECT id FROM session WHERE permission LIKE '%"question"%"deny"%'"""
"""Sessions of `opencode run`, in which the agent may ask nobody."""
_PARTS = """
    SELECT part.time_created, message.data, part.data FROM part JOIN message ON message.id = part.message_id
    WHERE message.session_id = ? ORDER BY message.time_created, message.id, part.id
"""
_REJECTED, _ABORTED = "The user rejected permission", "MessageAbortedError"
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
"""How `opencode run` passes a prompt of several words on."""


def files(home: Path) -> list[Path]:
    """The sessions in a store, the oldest first; of a folder those in the person's store.

    Each has a path of its own below the file, as though that were a folder.
    """
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    store = home if home.is_file() else Path(data, "opencode", "opencode.db")
    return [store / session for session, _, _ in _sessions(store)]


def is_transcript(path: Path) -> bool:
    """Whether a file is SQLite with sessions as OpenCode has them, or a path one of these; raises OSError."""
    return bool(_sessions(path) if path.is_file() else _named(path))


def folder(path: Path) -> str:
    """The folder that a session began in; raises OSError."""
    return next((directory for _, directory, _ in _named(path)), "")


def events(path: Path, extras: Sequence[str] = (), home: str = "") -> list[Record]:
    """The events of a session, by time; raises OSError."""
    records: list[Record] = []
    for session, directory, created in _named(path):
        store, is_print = path.parent, (session,) in _rows(path.parent, _IN_PRINT)
        chat = ChatReader("opencode", str(store), extras, home, session, directory, is_print=is_print)
        records += [*chat.begin(created), *_events(chat, _rows(store, _PARTS, session))]
    return sorted(records, key=lambda record: record["ts"])


def _named(path: Path) -> list[tuple[str, str, int]]:
    """The session that a path names, as `_sessions` has them."""
    return [session for session in _sessions(path.parent) if session[0] == path.name]


def _sessions(store: Path) -> list[tuple[str, str, int]]:
    """Id, folder and time of the sessions in a store; none where it is no such file. Raises OSError."""
    if not store.is_file() or regular.read(str(store), len(_HEADER), follows=True) != _HEADER:
        return []
    return [
        (session, directory, created)
        for session, directory, created in _rows(store, _SESSIONS)
        if isinstance(session, str) and isinstance(directory, str) and isinstance(created, int)
    ]


def _rows(path: Path, query: str, *values: str) -> list[tuple[object, ...]]:
    """The rows of a query; none where the file has no such tables, or is damaged."""
    import sqlite3  # with the library behind it, for a backfill alone
    from contextlib import closing

    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as store:
            return store.execute(query, values).fetchall()
    except sqlite3.Error:
        return []


def _events(chat: ChatReader, rows: list[tuple[object, ...]]) -> Iterator[Record]:
    for created, about, data in rows:
        message, part = decoded(about), decoded(data)
        ms = created if isinstance(created, int) else 0
        words = "" if part.get("synthetic") else string(part, "text")
        if part.get("type") == "tool":
            yield from _call(chat, ms, part)
            if _is_aborted(message):
                yield from chat.interrupted(ms)
        elif part.get("type") != "text" or not words.strip():
            continue
        elif message.get("role") == "user":
            quoted = _QUOTED.fullmatch(words)
            yield from chat.prompt(ms, quoted[1].replace('\\"', '"') if quoted else words)
        elif _is_aborted(message):
            yield from chat.interrupted(ms)
        else:
            chat.answer(ms, words)
    yield from chat.end()


def _is_aborted(message: Line) -> bool:
    return string(message.get("error"), "name") == _ABORTED


def _call(chat: ChatReader, ms: int, part: Line) -> Iterator[Record]:
    state = part.get("state")
    if not isinstance(state, dict):
        return
    about = state.get("metadata")
    exit_code = about.get("exit", 0) if isinstance(about, dict) else 0
    error = string(state, "error") or (string(state, "output") if exit_code != 0 else "")
    call = {"id": part.get("callID"), "name": part.get("tool"), "args": state.get("input")}
    yield from chat.call(ms, call, error, refused=error.startswith(_REJECTED))
