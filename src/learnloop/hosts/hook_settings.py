"""Our hooks in the text of a settings file: `{"hooks": {EVENT: [{"hooks": [...]}]}}`, as most hosts have it.

A host may have its handlers without groups, or the events at the top of a file (`under` is empty then).
For a host that runs no commands it is one JavaScript file, a plugin that hands events to the hook program.
A function of a text raises ValueError where the text is not that of a settings file.
"""

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learnloop.hosts import deploy, json_edit
from learnloop.hosts.json_edit import Node
from learnloop.wire import regular

_WITHOUT = "take all of them out, or register by hand what learn install --hook-command prints"
_ENDS = ((",", "}"), (",", "]"))
HOOKS = "hooks"
"""The name that events stand under."""


def events_in(text: str, under: str = HOOKS) -> tuple[str, ...] | None:
    """The events that a settings text has lists for; None where it has no `hooks`."""
    if is_ours(text):
        return None
    hooks = _hooks(parsed(text), under)
    return tuple(hooks.value) if hooks else None


def installed(text: str, under: str = HOOKS) -> dict[str, list[Any]]:
    """The groups of Learnloop in a text, by event; of a plugin its whole text."""
    if is_ours(text):
        return {WHOLE: [text]}
    hooks = _hooks(parsed(text), under)
    ours = {
        event: [g for g in groups if _has_ours(g)] for event, groups in (hooks.value if hooks else {}).items()
    }
    return {event: groups for event, groups in ours.items() if groups}


def most_calls(settings: dict[str, Any]) -> int:
    """How often one event calls hooks of Learnloop, at most."""
    return max(map(len, _handlers(settings)), default=0)


def gone_interpreter(settings: dict[str, Any]) -> str:
    """The interpreter that hooks of Learnloop name and that is not there (any more); empty where it is."""
    commands = dict.fromkeys(_command(handler) for event in _handlers(settings) for handler in event)
    programs = (next(iter(shlex.split(command, posix=True)), "") for command in commands)
    return next((name for name in programs if name.startswith("/") and not os.access(name, os.X_OK)), "")


def _handlers(settings: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The handlers of Learnloop in decoded settings, by event."""
    hooks = settings.get("hooks")
    lists = hooks.values() if isinstance(hooks, dict) else ()
    groups = [list(filter(_has_ours, groups)) for groups in lists if isinstance(groups, list)]
    return [
        [handler for group in event for handler in _handlers_of(group) if _is_ours(handler)]
        for event in groups
    ]


def with_hooks(text: str, groups: Mapping[str, Any], under: str = HOOKS, new: str = "{}\n") -> str:
    """The settings with our group of each event, once; an unchanged text where they are there already.

    `new` is the text of a file without any.
    """
    if WHOLE in groups:
        return in_place_of(text, groups[WHOLE])
    text = text if text.strip() else new
    if installed(text, under) == {event: [group] for event, group in groups.items()}:
        return text
    text = _stripped(text, under)
    if _hooks(parsed(text), under) is None:
        text = json_edit.append(text, parsed(text), {}, under)
    for event, group in groups.items():
        text = _added(text, event, group, under)
    return text


def without_hooks(text: str, before: tuple[str, ...] | None, under: str = HOOKS) -> str:
    """The settings without our hooks and the lists that came with them; `before` is from `events_in`."""
    if is_ours(text):
        return ""
    ours = set(installed(text, under))
    if not ours:
        return text
    text = _stripped(text, under)
    for event in ours - set(before or ()):
        text = _without_empty(text, event, under)
    return _without_empty(text, None, under) if before is None and under else text


def is_empty(text: str) -> bool:
    """Whether nothing is left in the settings that says anything."""
    return not parsed(text).value.keys() - {"version"}


def parsed(text: str) -> Node:
    """The settings with the places of everything in them; raises ValueError for other texts."""
    try:
        root = json_edit.parse(text if text.strip() else "{}")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        before, rest = text[: error.pos].rstrip(), text[error.pos :].lstrip()
        is_comma = (before[-1:], rest[:1]) in _ENDS or (rest[:1], rest[1:].lstrip()[:1]) in _ENDS
        extra = "comment" if rest[:2] in ("//", "/*") else "comma too many" if is_comma else ""
        why = f"line {error.lineno} has a {extra}, which JSON has not; {_WITHOUT}" if extra else error
        raise ValueError(f"not JSON: {why}") from error
    if not isinstance(root.value, dict):
        raise ValueError("not a JSON object")
    return root


def _hooks(root: Node, under: str) -> Node | None:
    hooks = root.get(under) if under else root
    if hooks is None:
        return None
    if not isinstance(hooks.value, dict):
        raise ValueError('"hooks" is not an object')
    for event, groups in hooks.value.items():
        if not isinstance(groups, list):
            raise ValueError(f'"hooks.{event}" is not a list')
    return hooks


def _added(text: str, event: str, group: dict[str, Any], under: str) -> str:
    hooks = _hooks(parsed(text), under)
    assert hooks is not None
    groups = hooks.get(event)
    if groups is None:
        return json_edit.append(text, hooks, [group], event)
    return json_edit.append(text, groups, group)


def _stripped(text: str, under: str) -> str:
    """The text without our handlers and the groups that held nothing else; lists may be left empty."""
    while True:
        shorter = _strip_one(text, under)
        if shorter is None:
            return text
        text = shorter


def _strip_one(text: str, under: str) -> str | None:
    hooks = _hooks(parsed(text), under)
    for event in hooks.items if hooks else ():
        for at, group in enumerate(event.node.items):
            if not _has_ours(group.node.value):
                continue
            handlers = group.node.get("hooks")
            if handlers is None or len(handlers.items) == 1:
                return json_edit.remove(text, event.node, at)
            ours = [place for place, item in enumerate(handlers.items) if _is_ours(item.node.value)]
            return json_edit.remove(text, handlers, ours[0])
    return None


def _without_empty(text: str, event: str | None, under: str) -> str:
    """The text without an event's empty list, or without an empty `hooks`."""
    root = parsed(text)
    container = root if event is None else _hooks(root, under)
    name = under if event is None else event
    for at, item in enumerate(container.items if container else ()):
        if container and item.key == name and not item.node.items:
            return json_edit.remove(text, container, at)
    return text


def _handlers_of(group: Any) -> list[Any]:
    """The handlers of a group, or the one that stands in its place."""
    handlers = group.get(HOOKS, [group]) if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _has_ours(group: Any) -> bool:
    return any(map(_is_ours, _handlers_of(group)))


def _is_ours(handler: Any) -> bool:
    """Whether a handler runs our guard, of whatever version and wherever its root was."""
    if not isinstance(handler, dict):
        return False
    args = handler.get("args")
    words = [_command(handler), *(args if isinstance(args, list) else [])]
    return any(isinstance(word, str) and deploy.MARKER in word for word in words)


def _command(handler: dict[str, Any]) -> str:
    """The command line of a handler; hosts that have one for each shell name it `bash`."""
    return str(handler.get("command") or handler.get("bash") or "")


WHOLE = "plugin"
"""Stands for the events where one text is all that is registered."""
_MOST = 1 << 20
_MARK = "// Learnloop's plugin. `learn uninstall` removes it; `learn install` writes it anew.\n"


def is_ours(text: str) -> bool:
    """Whether a file holds our plugin, of whatever version."""
    return text.startswith(_MARK)


def text_of(plugin: Path, command: str) -> str:
    """A host's plugin that runs a command."""
    bridge = _read(Path(__file__).with_name("plugin_bridge.js"))
    return f"{_MARK}const COMMAND = {json.dumps(shlex.split(command))}\n{bridge}\n{_read(plugin)}"


def in_place_of(text: str, plugin: str) -> str:
    """The plugin, in place of an older one; raises ValueError where the file holds something else."""
    if text.strip() and not is_ours(text):
        raise ValueError("not a plugin of Learnloop")
    return plugin


def holds_ours(path: Path) -> bool:
    """Whether our plugin is at a path."""
    try:
        return is_ours(_read(path))
    except OSError:
        return False


def _read(path: Path) -> str:
    return regular.read(str(path), _MOST, follows=True).decode("utf-8", "replace")
