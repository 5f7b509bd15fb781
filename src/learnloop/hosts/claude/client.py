"""The installed Claude Code."""

import os
import re
import shutil
import subprocess

OLDEST = (2, 1, 47)
"""The oldest version that tells its hooks what we need."""


def version() -> tuple[int, ...] | None:
    """The version of the client on the path, or None where there is none or it does not say."""
    found = shutil.which("claude")
    if not found:
        return None
    try:
        ran = subprocess.run(
            [found, "--version"], env={**os.environ, "LEARNLOOP_NESTED": "1"}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    numbers = re.search(rb"(\d+)\.(\d+)\.(\d+)", ran.stdout)
    return tuple(int(part) for part in numbers.groups()) if numbers else None


def remarks() -> list[str]:
    """What a person should know about the client before relying on hooks."""
    found = version()
    if found is None or found >= OLDEST:
        return []
    old, oldest = (".".join(map(str, numbers)) for numbers in (found, OLDEST))
    return [f"Claude Code {old} is older than {oldest}, the oldest that is supported: update it"]
