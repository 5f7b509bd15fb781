"""The settings of Claude Code that decide whether hooks run, and in which environment."""

import json
from collections.abc import Iterator
from typing import Any

from learnloop.wire import env, paths, regular

_MOST = 4 << 20
_MANAGED = "/etc/claude-code/managed-settings.json"


def read(project: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Each settings file that counts in a project, with its content; one that cannot be read is left out."""
    own = env.get("CLAUDE_CONFIG_DIR") or paths.home() + "/.claude"
    shared = (f"{project}/.claude/settings.json", f"{project}/.claude/settings.local.json")
    every = (_MANAGED, f"{own}/settings.json", *(shared if project else ()))
    for path in dict.fromkeys(every):  # in the person's home both are one file
        try:
            settings = json.loads(regular.read(path, _MOST, follows=True).decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(settings, dict):
            yield path, settings


def variable(settings: dict[str, Any], name: str) -> str:
    """An environment variable that settings give to hooks; empty where they do not."""
    variables = settings.get("env")
    value = variables.get(name) if isinstance(variables, dict) else None
    return str(value) if isinstance(value, str | int) else ""
