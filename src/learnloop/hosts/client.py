"""The installed clients of hosts, and the settings of Claude Code that decide whether hooks run."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

from learnloop.hosts.host import Host
from learnloop.wire import env, paths, regular


def version(program: str) -> tuple[int, ...] | None:
    """The version of a program on the path; None where there is none or it prints none."""
    path = shutil.which(program)
    if not path:
        return None
    try:
        ran = subprocess.run(
            [path, "--version"], env={**os.environ, "LEARNLOOP_NESTED": "1"}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    numbers = re.search(rb"(\d+)\.(\d+)\.(\d+)", ran.stdout)
    return tuple(int(part) for part in numbers.groups()) if numbers else None


def dotted(numbers: tuple[int, ...]) -> str:
    """A version as people write it."""
    return ".".join(map(str, numbers))


def remarks(host: Host) -> list[str]:
    """Remarks on the installed client, for a person who relies on its hooks."""
    present = version(host.program)
    is_old = present is not None and present < host.oldest
    oldest = f"{dotted(host.oldest)}, the oldest that is supported: update it"
    return [f"{host.title} {dotted(present or ())} is older than {oldest}"] if is_old else []


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
