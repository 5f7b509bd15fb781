"""The console's keys as a person sets them: checked against the table of commands, clashes told by name.

The table itself is the console's; its ids, keys and places stand in `console_keys.json`, which `make docs`
writes, so that the command line and the doctor know them without a terminal.
"""

import difflib
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("console_keys.json")
_SPOKEN = {
    "esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup",
    "pgdn": "pagedown", "pgdown": "pagedown", "spacebar": "space",
    "↑": "up", "↓": "down", "←": "left", "→": "right",
}  # fmt: skip
_RENAMED = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
"""Where Textual's name of a character is not the one in Unicode."""
_NAMED = frozenset((
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "escape", "enter",
    "tab", "space", "backspace",
    *(f"f{number}" for number in range(1, 25)),
))  # fmt: skip
_MODIFIERS = ("ctrl", "alt", "shift")
_TAKEN = ("ctrl+c", "ctrl+z")
"""What a terminal keeps for itself."""


class Entry(NamedTuple):
    """A command as far as keys go."""

    id: str
    keys: tuple[str, ...]
    places: tuple[str, ...]


class Table(NamedTuple):
    """All commands, and which places' keys work at the same time."""

    commands: tuple[Entry, ...]
    together: Mapping[str, tuple[str, ...]]
    """By pane: the places whose commands it answers."""


class Keymap(NamedTuple):
    """What a person's wishes come to."""

    keys: Mapping[str, tuple[str, ...]]
    """The keys of the commands that have others than the table's."""
    problems: tuple[str, ...]
    """What was wished and cannot be, a sentence each; the table's keys hold there."""


@cache
def table() -> Table:
    """The console's table of commands."""
    found = json.loads(FILE.read_text("utf-8"))
    commands = (Entry(one["id"], tuple(one["keys"]), tuple(one["places"])) for one in found["commands"])
    return Table(tuple(commands), {pane: tuple(places) for pane, places in found["together"].items()})


def normal(key: str) -> str:
    """A key in Textual's words (`/` is `slash`, `Ctrl+E` is `ctrl+e`); empty where there is no such key."""
    if len(key) == 1:
        return _of_character(key)
    *modifiers, name = [part.strip() for part in key.lower().split("+")] if key != "+" else ["+"]
    name = _SPOKEN.get(name, name)
    if len(name) == 1:
        name = _of_character(name)
    known = name in _NAMED or name in _characters() or (len(name) == 1 and name.isalnum())
    if not known or not set(modifiers) <= set(_MODIFIERS):
        return ""
    return "+".join([*(one for one in _MODIFIERS if one in modifiers), name])


def _of_character(character: str) -> str:
    if character in _SPOKEN:
        return _SPOKEN[character]
    if character.isalnum():
        return character
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name) if character.isprintable() else ""


@cache
def _characters() -> frozenset[str]:
    """The names of all characters of a plain keyboard."""
    return frozenset(_of_character(chr(code)) for code in range(33, 127))


def resolved(wanted: Mapping[str, Sequence[str]], known: Table | None = None) -> Keymap:
    """The keys in force: a wish that names no command or key, or clashes in a place, is left out and told."""
    known = known or table()
    entries = {entry.id: entry for entry in known.commands}
    problems: list[str] = []
    wishes: dict[str, tuple[str, ...]] = {}
    for name, keys in wanted.items():
        if name not in entries:
            problems.append(f"keys.{name}: there is no such command{_near(name, entries)}")
            continue
        good, wrong = _keys(keys)
        problems += [f"keys.{name}: {why}" for why in wrong]
        if good:
            wishes[name] = good
    problems += _drop_clashing(wishes, known)
    return Keymap(
        {name: keys for name, keys in wishes.items() if keys != entries[name].keys}, tuple(problems)
    )


def _near(name: str, entries: Mapping[str, Entry]) -> str:
    near = difflib.get_close_matches(name, entries, n=1, cutoff=0.5)
    return f", did you mean {near[0]}?" if near else "; docs/keys.md lists them"


def _keys(keys: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The keys that there are, and what is wrong with the others."""
    good: list[str] = []
    wrong = [] if keys else ["no key is named, so the default holds"]
    for key in keys:
        found = normal(key)
        if not found:
            wrong.append(f"{key!r} is no key")
        elif found in _TAKEN:
            wrong.append(f"{key!r} is the terminal's own")
        elif found not in good:
            good.append(found)
    return tuple(good), wrong


def _drop_clashing(wishes: dict[str, tuple[str, ...]], known: Table) -> Iterator[str]:
    """Take out wishes until no key means two things in one place; the one written last goes first."""
    while (clash := _clash(wishes, known)) is not None:
        key, pane, one, other = clash
        last = max((one, other), key=[*wishes].index) if other in wishes else one
        first = other if last == one else one
        del wishes[last]
        default = " ".join(next(entry.keys for entry in known.commands if entry.id == last))
        yield f"keys.{last}: {key} means {first} in {pane} already, so {default} stays"


def _clash(wishes: Mapping[str, tuple[str, ...]], known: Table) -> tuple[str, str, str, str] | None:
    """A key of a wish that means something else in the same place: key, pane, the wish, the other command."""
    for pane, places in known.together.items():
        taken: dict[str, str] = {}
        here = [entry for entry in known.commands if set(places) & set(entry.places)]
        for entry in sorted(here, key=lambda entry: entry.id in wishes):
            for key in wishes.get(entry.id, entry.keys):
                if key in taken and entry.id in wishes:
                    return key, pane, entry.id, taken[key]
                taken.setdefault(key, entry.id)
    return None
