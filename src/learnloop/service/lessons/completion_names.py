"""Names for a shell to complete: ids, projects, agents, cut from the stored lines without parsing them.

A shell waits for this at every tab, so neither the store nor pydantic is loaded. Each document is on a line
of its own (`store.tinydb_file`) or in a row, and the fields are cut from it. Another format gives no names.
"""

import contextlib
import json
import re
import urllib.parse
from collections.abc import Iterable, Iterator, Sequence

from learnloop.models import ids
from learnloop.wire import paths, regular

_MOST = 500
_SAID = 120
_TASK_ID = 12
_TEXT = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*')
"""A JSON text without its quotes."""


def lessons(root: str, prefix: str, states: Sequence[str] = ()) -> dict[str, str]:
    """Short ids that begin with `prefix`, with the statement; only of lessons in `states`, if any."""
    return _ids(root, "lessons", prefix, states, ("statement", "title"))


def patches(root: str, prefix: str) -> dict[str, str]:
    """Short ids of patches that begin with `prefix`, with the first words of each."""
    return _ids(root, "patches", prefix, (), ("title", "words"))


def _ids(root: str, name: str, prefix: str, states: Sequence[str], fields: Sequence[str]) -> dict[str, str]:
    raw_states = {state.encode() for state in states}
    line_by_id = {
        line[1 : line.index(b'"', 1)].decode("ascii", "replace"): line for line in lines(root, name)
    }
    ordered = sorted(line_by_id)
    name_by_id: dict[str, str] = {}
    for position, key in enumerate(ordered):
        line = line_by_id[key]
        if key.startswith(prefix) and (not raw_states or raw(line, b"status") in raw_states):
            short = ids.short_ids(ordered[max(position - 1, 0) : position + 2])[key]
            offered = short if short.startswith(prefix) else key
            name_by_id[offered] = next(filter(None, (_text(line, part) for part in fields)), "")[:_SAID]
            if len(name_by_id) == _MOST:
                break
    return name_by_id


def sessions(root: str, prefix: str) -> dict[str, str]:
    """The newest sessions whose ids begin with `prefix`, with their projects."""
    ids_ = {_text(line, "id"): _text(line, "project") for line in _newest(root, "sessions")}
    return {name: project for name, project in ids_.items() if name.startswith(prefix)}


def tasks(root: str, prefix: str) -> dict[str, str]:
    """The newest tasks whose ids begin with `prefix`, with their titles."""
    titles = {_text(line, "id")[:_TASK_ID]: _text(line, "title") for line in _newest(root, "traces")}
    return {name: title for name, title in titles.items() if name.startswith(prefix)}


def _newest(root: str, kind: str) -> list[bytes]:
    """The newest documents of a kind in the history database, as JSON; none where it cannot be read."""
    import sqlite3

    file = f"file:{urllib.parse.quote(paths.store(root))}/history.db?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(file, uri=True)) as connection:
            rows = connection.execute(f"SELECT doc FROM {kind} ORDER BY at DESC LIMIT ?", (_MOST,))
            return [text.encode() for (text,) in rows]
    except sqlite3.Error:
        return []


def projects(root: str) -> list[str]:
    """The folders that the newest sessions and all lessons are of."""
    return _distinct([*_newest(root, "sessions"), *lines(root, "lessons")], b"project")


def agents(root: str) -> list[str]:
    """The agents that lessons come from."""
    return _distinct(lines(root, "lessons"), b"agent")


def _distinct(documents: Iterable[bytes], field: bytes) -> list[str]:
    values = {raw(line, field) for line in documents}
    return sorted(filter(None, map(_decoded, values)))


def lines(root: str, name: str) -> Iterator[bytes]:
    """The lines of documents in a file of the store."""
    try:
        data = regular.content(f"{paths.store(root)}/{name}.json")
    except OSError:
        return
    yield from (line for line in data.split(b"\n") if line[:1] == b'"' and b'":{' in line)


def raw(line: bytes, field: bytes) -> bytes:
    """The raw text of a field between its quotes; quotes inside a text are escaped, so it is no field."""
    mark = b'"%s":"' % field
    start = line.find(mark)
    match = _TEXT.match(line, start + len(mark)) if start >= 0 else None
    return match[0] if match else b""


def _text(line: bytes, field: str) -> str:
    return " ".join(_decoded(raw(line, field.encode())).split())


def _decoded(held: bytes) -> str:
    try:
        return str(json.loads(b'"%s"' % held))
    except ValueError:
        return ""
