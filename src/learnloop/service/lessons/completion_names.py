"""Names for a shell to complete: ids, projects, agents, read off the stored lines without parsing them.

A shell waits for this at every tab, so neither the store nor pydantic is loaded: each document stands on a
line of its own (`store.tinydb_file`), and the fields that matter are cut out of it. A file that is written
otherwise
gives no names. Verdicts that are not ingested yet are not laid over.
"""

import json
import os
from collections.abc import Iterator, Sequence

from learnloop.models import ids
from learnloop.wire import paths

_MOST = 500
_SAID = 120
_DAYS = 14


def lessons(root: str, prefix: str, states: Sequence[str] = ()) -> dict[str, str]:
    """Short ids that begin with `prefix`, with what each lesson says; of lessons in certain states only."""
    return _ids(root, "lessons", prefix, states, ("statement", "title"))


def patches(root: str, prefix: str, states: Sequence[str] = ()) -> dict[str, str]:
    """The same for patches."""
    return _ids(root, "patches", prefix, states, ("title", "words"))


def _ids(root: str, name: str, prefix: str, states: Sequence[str], said: Sequence[str]) -> dict[str, str]:
    wanted = {state.encode() for state in states}
    found_lines = {
        line[1 : line.index(b'"', 1)].decode("ascii", "replace"): line for line in lines(root, name)
    }
    ordered = sorted(found_lines)
    found: dict[str, str] = {}
    for position, key in enumerate(ordered):
        line = found_lines[key]
        if key.startswith(prefix) and (not wanted or raw(line, b"status") in wanted):
            short = ids.short_ids(ordered[max(position - 1, 0) : position + 2])[key]
            offered = short if short.startswith(prefix) else key
            found[offered] = next(filter(None, (_text(line, part) for part in said)), "")[:_SAID]
            if len(found) == _MOST:
                break
    return found


def sessions(root: str, prefix: str) -> dict[str, str]:
    """The newest sessions whose ids begin with `prefix`, with their projects."""
    found = (line for name in _newest(root, "sessions") for line in lines(root, name))
    ids_ = {_text(line, "id"): _text(line, "project") for line in found}
    return {name: project for name, project in ids_.items() if name.startswith(prefix)}


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
    held = {found for name in names for line in lines(root, name) if (found := raw(line, field))}
    return sorted(filter(None, map(_decoded, held)))


def lines(root: str, name: str) -> Iterator[bytes]:
    """The lines of documents in a file of the store, as they stand there."""
    try:
        with open(f"{paths.store(root)}/{name}.json", "rb") as file:  # noqa: PTH123  pathlib is not loaded
            data = file.read()
    except OSError:
        return
    yield from (line for line in data.split(b"\n") if line[:1] == b'"' and b'":{' in line)


def is_whole(root: str, name: str) -> bool:
    """Whether a file begins and ends as one that was written to its end."""
    try:
        with open(f"{paths.store(root)}/{name}.json", "rb") as file:  # noqa: PTH123
            head = file.read(8)
            file.seek(-2, 2)
            return head == b'{"meta":' and file.read() == b"}}"
    except OSError:
        return False


def raw(line: bytes, field: bytes) -> bytes:
    """A text field as it stands between its quotes; what a text quotes is escaped, so it is no field."""
    mark = b'"%s":"' % field
    start = line.find(mark)
    if start < 0:
        return b""
    start = end = start + len(mark)
    while (end := line.find(b'"', end)) > 0 and _escaped(line, end):
        end += 1
    return line[start:end]


def _escaped(line: bytes, at: int) -> bool:
    before = line[:at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def _text(line: bytes, field: str) -> str:
    return " ".join(_decoded(raw(line, field.encode())).split())


def _decoded(held: bytes) -> str:
    try:
        return str(json.loads(b'"%s"' % held))
    except ValueError:
        return ""
