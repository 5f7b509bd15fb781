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


def files(_home: Path) -> list[Path]:
    """The one file, in the person's folder for data."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    path = Path(data, "opencode", "opencode.db")
    return [path] if path.is_file() else []


def is_transcript(path: Path) -> bool:
    """Whether a file is SQLite and has sessions as OpenCode has them; raises OSError."""
    is_sqlite = regular.read(str(path), len(_HEADER), follows=True) == _HEADER
    return is_sqlite and bool(_rows(path, _SESSIONS))


def folder(path: Path) -> str:
    """The folder of the file, by which a backfill names it: its sessions began in many."""
    return str(path.parent)


def events(path: Path, extras: Sequence[str] = (), home: str = "") -> list[Record]:
    """The events of all sessions, by time; raises OSError."""
    records: list[Record] = []
    in_print = {session for (session,) in _rows(path, _IN_PRINT)}
    for session, directory, created in _rows(path, _SESSIONS):
        if isinstance(session, str) and isinstance(directory, str) and isinstance(created, int):
            chat = ChatReader(
                "opencode", str(path), extras, home, session, directory, is_print=session in in_print
            )
            records += [*chat.begin(created), *_events(chat, _rows(path, _PARTS, session))]
    return sorted(records, key=lambda record: record["ts"])


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
