"""Why facts are left to the person although their project has a standing approval, as the last run said."""

import json
from collections.abc import Mapping
from pathlib import Path

from learnloop.store import files


def read(root: str) -> Mapping[str, str]:
    """Return the reason by the id of each lesson."""
    try:
        held = json.loads(files.read(_file(root)) or b"{}")
    except (OSError, ValueError):
        return {}
    return {str(key): str(why) for key, why in held.items()} if isinstance(held, dict) else {}


def keep(root: str, held: Mapping[str, str]) -> None:
    """Keep the reasons until the next run."""
    if held != read(root):
        files.replace(_file(root), [json.dumps(held).encode()])


def _file(root: str) -> Path:
    return Path(root, "facts", "held")
