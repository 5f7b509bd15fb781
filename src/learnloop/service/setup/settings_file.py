"""The settings file, read and changed key by key; comments, order and blank lines stay as they are.

Recording and recall are switched by files that hooks look for with one `stat`.
"""

import json
import os
import re
import time
import tomllib
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

from learnloop import settings
from learnloop.errors import Refused
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.store import foreign
from learnloop.wire import clock, env, paths, switches


class Entry(NamedTuple):
    """One setting: its value, where that comes from, what it means."""

    key: str
    value: Any
    default: Any
    source: str
    """`default`, `file` or `environment`."""
    meaning: str
    variable: str
    """The environment variable that overrides the file."""

    def as_json(self) -> dict[str, Any]:
        """The entry as JSON values."""
        return self._asdict()


def entries() -> list[Entry]:
    """Every setting in the order of the model; raises Unreadable where file or environment make no sense."""
    now, from_file = settings.load(), settings.load(environment=False)
    document = settings.read(paths.config_file())

    def current(entry: Entry) -> Entry:
        value = settings.value_of(now, entry.key)
        if env.get(entry.variable) or value != settings.value_of(from_file, entry.key):
            return entry._replace(value=value, source="environment")
        table, name = _owner(document, entry.key)
        return entry._replace(value=value, source="file" if name in table else "default")

    return list(map(current, entries_without_file()))


def entries_without_file() -> list[Entry]:
    """Every setting with its default as value."""

    defaults = ((key, default_of(key), field.description or "") for key, field in settings.fields())
    return [
        Entry(key, default, default, "default", meaning, settings.variable(key))
        for key, default, meaning in defaults
    ]


def get(key: str) -> Any:
    """The value of a setting now; raises NotFound, with the nearest key, where there is none of that name."""
    settings.check_key(key)
    return settings.value_of(settings.load(), key)


def default_of(key: str) -> Any:
    """The value of a setting that nobody set."""
    return settings.value_of(settings.Settings(), key)


def set_(key: str, value: str) -> Any:
    """Write one setting, validated; returns its value. A value is TOML, or the text itself.

    Raises NotFound for an unknown key, Unreadable for a wrong value, Refused where the file cannot be edited.
    """
    settings.check_key(key)
    expected = settings.read(paths.config_file())
    _put(expected, key, settings.parse(value))
    valid = settings.value_of(settings.validated(expected, way_out="nothing was changed"), key)
    _put(expected, key, settings.parse(literal(valid)))
    import tomlkit

    _edit(lambda document: _put(document, key, tomlkit.value(literal(valid))), expected)
    settings.keep_prohibitions(paths.root())
    return valid


def unset(key: str) -> bool:
    """Take one setting out of the file, so that its default holds; False where the file has none.

    Raises NotFound for an unknown key, Refused where the file cannot be edited.
    """
    settings.check_key(key)
    expected = settings.read(paths.config_file())
    if not _remove(expected, key):
        return False
    _edit(lambda document: _remove(document, key), expected)
    settings.keep_prohibitions(paths.root())
    return True


def literal(value: Any) -> str:
    """A value as TOML, `unset` for None, which TOML cannot write; text with backslashes in single quotes."""
    if value is None:
        return "unset"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_bare(name)} = {literal(inner)}' for name, inner in value.items())}}}"
    if isinstance(value, str) and "'" not in value and value.isprintable() and re.search(r'["\\]', value):
        return f"'{value}'"
    toml = json.dumps(value, ensure_ascii=False)  # differs from TOML in the DEL character alone
    return toml.replace("\x7f", "\\u007f")


def _bare(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)


def _put(document: MutableMapping[str, Any], key: str, value: Any) -> None:
    table, name = _owner(document, key)
    table[name] = value


def _remove(document: MutableMapping[str, Any], key: str) -> bool:
    table, name = _owner(document, key)
    return table.pop(name, None) is not None


def _owner(document: MutableMapping[str, Any], key: str) -> tuple[MutableMapping[str, Any], str]:
    """The table that has a dotted key, created where it is missing, and the key's name there."""
    *sections, name = key.split(".")
    for section in sections:
        if not isinstance(document.get(section), MutableMapping):
            document[section] = {}
        document = document[section]
    return document, name


def _edit(change: Callable[[MutableMapping[str, Any]], object], expected: dict[str, Any]) -> None:
    """Change the file; raises Refused, and leaves it alone, where it would not read back as expected."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from learnloop.hosts import config_file

    file = config_file.read(Path(paths.config_file()))
    try:
        document = tomlkit.parse(file.text)
        change(document)
        text = document.as_string()
        is_right = _filled(tomllib.loads(text)) == _filled(expected)
    except (TOMLKitError, ValueError):
        is_right = False
    if not is_right:
        hint = "change it in an editor"
        raise Refused(f"{file.path} is laid out in a way that cannot be changed safely", hint)
    paths.ensure_dir(str(file.path.parent))
    file.replace(text.encode())


def _filled(document: dict[str, Any]) -> dict[str, Any]:
    """A document without empty tables, which mean nothing."""
    return {key: value for key, value in document.items() if value != {}}


_FOLDER, _IGNORE = ".learnloop", ".learnloop/.gitignore"
_IGNORED = b"/.gitignore\n/off\n/record-only\n"


def switch(
    ws: Workspace, on: bool, project: str | None = None, everything: bool = False,
    recall_only: bool = False, for_s: float | None = None,
) -> list[str]:  # fmt: skip
    """Switch recording and recall, or recall alone, in one project or everywhere.

    It stays off for `for_s` seconds, or for good. Returns the switch files that were written or removed.
    Raises Refused inside an agent's session, and where a file cannot be changed.
    """
    agent_guard.refuse("switch recording or recall")
    if project is None or everything:
        base, off, recall_off = ws.root, "off", "recall-off"
    else:
        base, off, recall_off = project, switches.PROJECT_OFF, switches.PROJECT_RECORD_ONLY
    names = [recall_off] if recall_only else [off, recall_off] if on else [off]
    try:
        return [path for name in names for path in _switched(ws.root, base, name, on, for_s)]
    except OSError as error:
        raise Refused(f"cannot change the switch {error.filename}", error.strerror or "") from error


def _switched(root: str, base: str, name: str, on: bool, for_s: float | None) -> list[str]:
    """Change a switch; in a project also the person's own copy, which is out of the project's reach."""
    changed = _switch_files_remove(Path(base), name) if on else _write(Path(base), name, for_s)
    if base != root:
        own = switches.own(base, name)
        _ = _switch_files_remove(Path(root), own) if on else _write(Path(root), own, for_s)
    return [f"{base}/{name}"] if changed else []


def _write(base: Path, name: str, for_s: float | None) -> bool:
    """Write a switch file: empty it switches off for good, with content until its time of modification."""
    until = None if for_s is None else time.time() + for_s
    words = "" if until is None else f"until {clock.iso(int(until * 1000))}\n"
    paths.ensure_dir(str(base))
    if name.startswith(_FOLDER) and not (base / _FOLDER).exists():
        foreign.replace(base, _IGNORE, _IGNORED)
    foreign.replace(base, name, words.encode(), until=until)
    return True


def _switch_files_remove(base: Path, name: str) -> bool:
    """Remove a switch file, and the folder if it was made for it; returns whether there was one."""
    is_there = foreign.remove(base, name)
    folder = base / _FOLDER
    is_alone = is_there and name.startswith(_FOLDER) and os.listdir(folder) == [".gitignore"]  # noqa: PTH208
    if is_alone and foreign.read(base, _IGNORE, 1 << 20) == _IGNORED:
        foreign.remove(base, _IGNORE)
        folder.rmdir()
    return is_there
