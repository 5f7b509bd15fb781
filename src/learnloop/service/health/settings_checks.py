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
    yield from log_folder(ws, _fix)
    path = paths.config_file()
    is_there = Path(path).exists()
    yield ok(path if is_there else "all at their defaults")
    configured = env.get("XDG_CONFIG_HOME") or paths.home() + "/.config"
    others = (f"{ws.root}/config.toml", *(() if is_there else (f"{configured}/learnloop/config.toml",)))
    for other in others:
        if other != path and os.path.lexists(other):
            yield warn(f"{other} does not count", f"move what you want of it to {path}")


def log_folder(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether there is the folder that logs are copied to, where a person named one."""
    folder = ws.settings.log.folder
    if folder and not Path(folder).expanduser().is_dir():
        yield warn(f"{folder} is not there, so logs are not copied", "make it or change log.folder")


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
            yield warn(f"{extra!r} has a control character, so it matches nothing", way_out)
    if not unknown and all(map(str.isprintable, extras)):
        yield ok(f"{len(extras)} of your own" if extras else "the built-in rules")


def reading(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the model that reads along can be asked, and what is not switched off of its command."""
    from learnloop.distill import client_checks
    from learnloop.service.facts.reading_status import reading_status

    status, command = reading_status(ws), ws.settings.facts.command
    if not any(mode != "off" for mode in status.projects.values()):
        yield ok("no model reads along")
        return
    client_checks.chosen(ws.root, command)
    if command:
        message = f"{command[0]} may run hooks and tools of its own: only Claude Code is shielded whole"
        yield warn(message, "give it the options that switch them off, in facts.command")
    if status.rests:
        yield warn(status.rests, "see: learn facts runs")
    yield ok(status.words)


def _extras_in_hooks(root: str) -> list[str]:
    try:
        stored = json.loads(regular.read(paths.redaction(root), _MOST))
    except (OSError, ValueError):
        return []
    return stored if isinstance(stored, list) else []
