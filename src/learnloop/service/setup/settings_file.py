"""The settings file, read and changed key by key; comments, order and blank lines stay as they are."""

import ast
import inspect
import os
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from learnloop import settings
from learnloop.errors import Refused
from learnloop.wire import env, paths


class Entry(NamedTuple):
    """One setting: what it is now, where that comes from, what it means."""

    key: str
    value: Any
    default: Any
    source: str
    """`default`, `file` or `environment`."""
    meaning: str
    variable: str
    """The environment variable that beats the file."""

    def as_json(self) -> dict[str, Any]:
        """The entry as JSON values."""
        return self._asdict()


def entries() -> list[Entry]:
    """Every setting in the order of the model; raises Unreadable where file or environment make no sense."""
    now = settings.load()
    written = settings.read(paths.config_file())
    return [
        entry._replace(value=settings.value_of(now, entry.key), source=_source(entry.key, written))
        for entry in entries_without_file()
    ]


def entries_without_file() -> list[Entry]:
    """Every setting as it is where nobody set anything."""
    told = meanings()
    return [
        Entry(key, default_of(key), default_of(key), "default", told[key], settings.variable(key))
        for key in settings.names()
    ]


def get(key: str) -> Any:
    """The value of a setting now; raises NotFound, with the nearest key, where there is none of that name."""
    settings.check_key(key)
    return settings.value_of(settings.load(), key)


def default_of(key: str) -> Any:
    """What a setting is where nobody set it."""
    return settings.value_of(settings.Settings(), key)


def set_(key: str, value: str) -> Any:
    """Write one setting, validated; returns its value. A value is TOML, or the text itself."""
    settings.check_key(key)
    path = paths.config_file()
    wanted = settings.read(path)
    settings.put(wanted, key, settings.parse(value))
    made = settings.value_of(settings.validated(wanted, f"{key} = {value}"), key)
    settings.put(wanted, key, made)
    _write(path, _replaced(_text(path), key, f"{key.rpartition('.')[2]} = {literal(made)}"), wanted)
    return made


def unset(key: str) -> bool:
    """Take one setting out of the file, so that its default holds; False where it was not there."""
    settings.check_key(key)
    path = paths.config_file()
    wanted = settings.read(path)
    if not _remove(wanted, key):
        return False
    _write(path, _replaced(_text(path), key, None), wanted)
    return True


def literal(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {literal(inner)}' for name, inner in value.items())}}}"
    text = str(value)
    if "'" not in text and text.isprintable():
        return f"'{text}'" if "\\" in text or '"' in text else f'"{text}"'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def meanings() -> dict[str, str]:
    """What each setting means: the docstrings under the model's fields."""
    tree = ast.parse(inspect.getsource(settings))
    by_class = {node.name: dict(_field_docs(node)) for node in tree.body if isinstance(node, ast.ClassDef)}
    found = {}
    for key in settings.names():
        section, _, name = key.rpartition(".")
        owner = type(settings.Settings.model_fields[section].default) if section else settings.Settings
        found[key] = by_class[owner.__name__][name]
    return found


def _field_docs(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, after in zip(node.body, node.body[1:], strict=False):
        match field, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


def _source(key: str, written: dict[str, Any]) -> str:
    if env.get(settings.variable(key)):
        return "environment"
    found: Any = written
    for part in key.split("."):
        if not isinstance(found, dict) or part not in found:
            return "default"
        found = found[part]
    return "file"


def _remove(document: dict[str, Any], key: str) -> bool:
    *tables, name = key.split(".")
    for table in tables:
        document = document.get(table, {})
    return document.pop(name, _MISSING) is not _MISSING


_MISSING = object()


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except FileNotFoundError:
        return ""


def _replaced(text: str, key: str, line: str | None) -> str:
    """The file with one key's lines replaced, taken out (`line` None), or added at the end of its section."""
    section = key.rpartition(".")[0]
    lines = text.splitlines()
    start, end = _section(lines, section)
    at = _extent(lines, start, end, key.rpartition(".")[2])
    if at is None and section:
        at = _extent(lines, *_section(lines, ""), key)  # `section.key = …` above every header
        if at is not None and line is not None:
            line = f"{section}.{line}"
    if at is not None:
        kept = [] if line is None else [line + _comment(lines[at[0] : at[1]])]
        return "\n".join([*lines[: at[0]], *kept, *lines[at[1] :]]) + "\n"
    return _added(lines, section, start, end, line or "")


def _added(lines: list[str], section: str, start: int, end: int, line: str) -> str:
    if start < 0:
        gap = [""] if lines and lines[-1].strip() else []
        return "\n".join([*lines, *gap, f"[{section}]", line]) + "\n"
    while end > start and not lines[end - 1].strip():
        end -= 1
    gap = [""] if end < len(lines) and lines[end].strip() else []
    return "\n".join([*lines[:end], line, *gap, *lines[end:]]) + "\n"


def _section(lines: list[str], name: str) -> tuple[int, int]:
    """Where a table's lines begin and end, (-1, -1) where there is no such table."""
    headers = [number for number, line in enumerate(lines) if _header(line) is not None]
    if not name:
        return 0, headers[0] if headers else len(lines)
    for position, number in enumerate(headers):
        if _header(lines[number]) == name:
            return number + 1, headers[position + 1] if position + 1 < len(headers) else len(lines)
    return -1, -1


def _header(line: str) -> str | None:
    """The table that a line opens; lines of a multi-line array look alike only where they parse so too."""
    line = line.strip()
    if not line.startswith("["):
        return None
    try:
        parsed = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    return next(iter(parsed), None)


def _extent(lines: list[str], start: int, end: int, name: str) -> tuple[int, int] | None:
    """The lines of one assignment, which may be an array over several."""
    for first in range(max(start, 0), max(end, 0)):
        if lines[first].partition("=")[0].strip().replace('"', "").replace(" ", "") != name:
            continue
        for last in range(first + 1, end + 1):
            try:
                tomllib.loads("\n".join(lines[first:last]))
            except tomllib.TOMLDecodeError:
                continue
            return first, last
    return None


def _comment(lines: list[str]) -> str:
    """What stands behind the value of a single-line assignment, to be kept."""
    if len(lines) != 1:
        return ""
    line = lines[0]
    value = tomllib.loads(line)
    for position in (number for number, character in enumerate(line) if character == "#"):
        try:
            if tomllib.loads(line[:position]) == value:
                return "  " + line[position:]
        except tomllib.TOMLDecodeError:
            continue
    return ""


def _write(path: str, text: str, wanted: dict[str, Any]) -> None:
    """Replace the file at once, only where the new text says exactly what was wanted."""
    try:
        right = tomllib.loads(text) == _plain(wanted)
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        raise Refused(f"{path} is laid out in a way that cannot be changed safely", "change it in an editor")
    target = os.path.realpath(path)  # a link stays a link
    paths.ensure_dir(os.path.dirname(target))  # noqa: PTH120
    fd, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".config-")  # noqa: PTH120
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)  # noqa: PTH105
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise Refused(f"{path} could not be written ({error})", "check free space and permissions") from None


def _plain(value: Any) -> Any:
    """Tuples as lists, empty tables kept: what TOML reads back."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
