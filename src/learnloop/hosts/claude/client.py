"""The installed Claude Code."""

import os
import re
import shutil
import subprocess

OLDEST = (2, 1, 47)
"""The oldest version whose hooks get all that is needed."""


def version() -> tuple[int, ...] | None:
    """The version of the `claude` on the path; None where there is none or it prints none."""
    program = shutil.which("claude")
    if not program:
        return None
    try:
        ran = subprocess.run(
            [program, "--version"], env={**os.environ, "LEARNLOOP_NESTED": "1"}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    numbers = re.search(rb"(\d+)\.(\d+)\.(\d+)", ran.stdout)
    return tuple(int(part) for part in numbers.groups()) if numbers else None


def remarks() -> list[str]:
    """Remarks on the installed client, for a person who relies on its hooks."""
    present = version()
    if present is None or present >= OLDEST:
        return []
    old, oldest = (".".join(map(str, numbers)) for numbers in (present, OLDEST))
    return [f"Claude Code {old} is older than {oldest}, the oldest that is supported: update it"]
