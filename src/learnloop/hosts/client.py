"""The installed clients of hosts."""

import os
import re
import shutil
import subprocess

from learnloop.hosts.host import Host


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
