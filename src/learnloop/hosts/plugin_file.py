"""Our plugin for a host that runs no commands: one JavaScript file that hands events to the hook program."""

import json
import shlex
from pathlib import Path

from learnloop.wire import regular

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
