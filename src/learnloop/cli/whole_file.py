"""Files that a verb writes for the person: whole or not at all, and only its owner may read them."""

import os
from pathlib import Path

from learnloop.errors import Refused


def write(name: str, text: str) -> None:
    """Write a file beside its place, then rename it; raises Refused for a link."""
    path = Path(name).expanduser()
    if path.is_symlink():
        raise Refused(f"{name} is a link, and what it leads to would be lost", "name the file itself")
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.touch(0o600, exist_ok=False)
        beside.write_text(text, "utf-8", "surrogatepass")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
