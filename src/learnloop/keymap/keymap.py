"""A person's own keys, checked against the table of commands; clashes are reported by name."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnloop.keymap import commands
from learnloop.keymap.commands import normal

_TAKEN = ("ctrl+c", "ctrl+z")
"""What a terminal keeps for itself."""


class Keymap(NamedTuple):
    """The keys in force, and which wishes have no effect."""

    keys: Mapping[str, tuple[str, ...]]
    """The keys of the commands that have others than the table's."""
    problems: tuple[str, ...]
    """A sentence for each wish that is left out; the table's keys hold there."""


def resolved(wishes: Mapping[str, Sequence[str]]) -> Keymap:
    """The keys in force. A wish that names no command or key, or that clashes in a place, is left out."""
    problems: list[str] = []
    valid: dict[str, tuple[str, ...]] = {}
    for name, keys in wishes.items():
        if name not in commands.BY_ID:
            problems.append(f"keys.{name}: there is no such command{_suggestion(name)}")
            continue
        good, wrong = _keys(keys)
        problems += [f"keys.{name}: {why}" for why in wrong]
        if good:
            valid[name] = good
    problems += _drop_clashing(valid)
    changed = {name: keys for name, keys in valid.items() if keys != commands.BY_ID[name].keys}
    return Keymap(changed, tuple(problems))


def _suggestion(name: str) -> str:
    near = difflib.get_close_matches(name, commands.BY_ID, n=1, cutoff=0.5)
    return f", did you mean {near[0]}?" if near else "; docs/keys.md lists them"


def _keys(keys: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The valid keys, and what is wrong with the others."""
    good: list[str] = []
    wrong = [] if keys else ["no key is named, so the default applies"]
    for key in keys:
        name = normal(key)
        if not name:
            wrong.append(f"{key!r} is no key")
        elif name in _TAKEN:
            wrong.append(f"{key!r} is the terminal's own")
        elif name not in good:
            good.append(name)
    return tuple(good), wrong


def _drop_clashing(wishes: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Take out wishes until no key means two things in one place; the one written last goes first."""
    while (clash := _clash(wishes)) is not None:
        key, pane, wish, other = clash
        last = max((wish, other), key=[*wishes].index) if other in wishes else wish
        first = other if last == wish else wish
        del wishes[last]
        default = " ".join(commands.BY_ID[last].keys)
        yield f"keys.{last}: {key} means {first} in {pane} already, so {default} stays"


def _clash(wishes: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str, str] | None:
    """A key of a wish that means something else in the same place: key, pane, the wish, the other command."""
    for pane in commands.PANES:
        owner: dict[str, str] = {}
        for command in sorted(commands.answered_in(pane), key=lambda command: command.id in wishes):
            for key in wishes.get(command.id, command.keys):
                if key in owner and command.id in wishes:
                    return key, pane, command.id, owner[key]
                owner.setdefault(key, command.id)
    return None
