"""Names for a shell to complete: ids, projects, agents, cut from the stored lines without parsing them.

A shell waits for this at every tab, so neither the store nor pydantic is loaded. Each document is on a line
of its own (`store.tinydb_file`), and the fields are cut from it. A file of another format gives no names.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence

from learnloop.models import ids
from learnloop.wire import paths, regular

_MOST = 500
_SAID = 120
_DAYS = 14
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
    stored_lines = (line for name in _newest(root, "sessions") for line in lines(root, name))
    ids_ = {_text(line, "id"): _text(line, "project") for line in stored_lines}
    return {name: project for name, project in ids_.items() if name.startswith(prefix)}


def tasks(root: str, prefix: str) -> dict[str, str]:
    """The newest tasks whose ids begin with `prefix`, with their titles."""
    stored_lines = (line for name in _newest(root, "tasks") for line in lines(root, name))
    titles = {_text(line, "id")[:_TASK_ID]: _text(line, "title") for line in stored_lines}
    return {name: title for name, title in titles.items() if name.startswith(prefix)}


def _newest(root: str, table: str) -> list[str]:
    """The newest files of a table that has one for each day."""
    try:
        files = sorted(os.listdir(f"{paths.store(root)}/{table}"), reverse=True)  # noqa: PTH208
    except OSError:
        return []
    return [f"{table}/{file.removesuffix('.json')}" for file in files[:_DAYS] if file.endswith(".json")]


def projects(root: str) -> list[str]:
    """The folders that the newest sessions and all lessons are of."""
    return _distinct(root, (*_newest(root, "sessions"), "lessons"), b"project")


def agents(root: str) -> list[str]:
    """The agents that lessons come from."""
    return _distinct(root, ("lessons",), b"agent")


def _distinct(root: str, names: Sequence[str], field: bytes) -> list[str]:
    values = {raw(line, field) for name in names for line in lines(root, name)}
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
