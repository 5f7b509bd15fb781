"""Our plugin for a host that runs no commands: one JavaScript file that hands events to the hook program."""

import json
import shlex
from pathlib import Path

WHOLE = "plugin"
"""Stands for the events where one text is all that is registered."""
_MARK = "// Learnloop's plugin. `learn uninstall` removes it; `learn install` writes it anew.\n"


def is_ours(text: str) -> bool:
    """Whether a file holds our plugin, of whatever version."""
    return text.startswith(_MARK)


def text_of(plugin: Path, command: str) -> str:
    """A host's plugin that runs a command."""
    bridge = Path(__file__).with_name("plugin_bridge.js").read_text("utf-8")
    return f"{_MARK}const COMMAND = {json.dumps(shlex.split(command))}\n{bridge}\n{plugin.read_text('utf-8')}"


def in_place_of(text: str, plugin: str) -> str:
    """The plugin, in place of an older one; raises ValueError where the file holds something else."""
    if text.strip() and not is_ours(text):
        raise ValueError("not a plugin of Learnloop")
    return plugin


def holds_ours(path: Path) -> bool:
    """Whether our plugin is at a path."""
    try:
        return is_ours(path.read_text("utf-8", "replace"))
    except OSError:
        return False
