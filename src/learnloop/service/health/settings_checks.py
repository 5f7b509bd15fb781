"""The doctor's checks of what a person set: the file, what hooks know of it, the console's keys."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from learnloop.service.health.check import Check, ok, warn
from learnloop.service.workspace import Workspace
from learnloop.wire import env, paths, regular

_MOST = 1 << 20


def settings(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the settings can be read, and whether there are others that do not count."""
    from learnloop.settings import load

    load()
    path = paths.config_file()
    is_there = Path(path).exists()
    yield ok(path if is_there else "all at their defaults")
    configured = env.get("XDG_CONFIG_HOME") or paths.home() + "/.config"
    others = (f"{ws.root}/config.toml", *(() if is_there else (f"{configured}/learnloop/config.toml",)))
    for other in others:
        if other != path and os.path.lexists(other):
            yield warn(f"{other} does not count", f"move what you want of it to {path}")


def keys(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the console can use the person's own keys."""
    from learnloop.keymap import keymap

    resolved = keymap.resolved(ws.settings.keys)
    if not resolved.problems:
        changed = len(resolved.keys)
        yield ok(f"{changed} of your own" if changed else "the console's own")
    for problem in resolved.problems:
        yield warn(problem, f"change it in {paths.config_file()}, or learn config --unset KEY")


def redaction(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether hooks remove the person's own words and patterns, and each of them can match."""
    extras, in_hooks = ws.settings.redaction.extras, _extras_in_hooks(ws.root)
    unknown = [extra for extra in extras if extra not in in_hooks]
    if unknown:
        message = f"hooks do not know {len(unknown)} of {len(extras)} extras: they read the file alone"
        yield warn(message, f"put them into {paths.config_file()} as redaction.extras")
    for extra in extras:
        if not extra.isprintable():
            way_out = "in TOML write a pattern in single quotes: '\\bword'"
            yield warn(f"{extra!r} holds a control character, so it matches nothing", way_out)
    if not unknown and all(map(str.isprintable, extras)):
        yield ok(f"{len(extras)} of your own" if extras else "the built-in rules")


def _extras_in_hooks(root: str) -> list[str]:
    try:
        stored = json.loads(regular.read(paths.redaction(root), _MOST))
    except (OSError, ValueError):
        return []
    return stored if isinstance(stored, list) else []
