"""Switch recording and recall off and on, by files that hooks look for with one `stat`."""

import os
import time
from pathlib import Path

from learnloop.errors import Refused
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.store import foreign
from learnloop.wire import clock, paths, switches

_FOLDER, _IGNORE = ".learnloop", ".learnloop/.gitignore"
_IGNORED = b"/.gitignore\n/off\n/record-only\n"


def switch(
    ws: Workspace, on: bool, project: str | None = None, everything: bool = False,
    recall_only: bool = False, for_s: float | None = None,
) -> list[str]:  # fmt: skip
    """Switch recording and recall, or recall alone, in one project or everywhere.

    It stays off for `for_s` seconds, or for good. Returns the switch files that were written or removed.
    Raises Refused inside an agent's session, and where a file cannot be changed.
    """
    agent_guard.refuse("switch recording or recall")
    if project is None or everything:
        base, off, recall_off = ws.root, "off", "recall-off"
    else:
        base, off, recall_off = project, switches.PROJECT_OFF, switches.PROJECT_RECORD_ONLY
    names = [recall_off] if recall_only else [off, recall_off] if on else [off]
    try:
        return [path for name in names for path in _switched(ws.root, base, name, on, for_s)]
    except OSError as error:
        raise Refused(f"cannot change the switch {error.filename}", error.strerror or "") from error


def _switched(root: str, base: str, name: str, on: bool, for_s: float | None) -> list[str]:
    """Change a switch; in a project also the person's own copy, which is out of the project's reach."""
    changed = _remove(Path(base), name) if on else _write(Path(base), name, for_s)
    if base != root:
        own = switches.own(base, name)
        _ = _remove(Path(root), own) if on else _write(Path(root), own, for_s)
    return [f"{base}/{name}"] if changed else []


def _write(base: Path, name: str, for_s: float | None) -> bool:
    """Write a switch file: empty it switches off for good, with content until its time of modification."""
    until = None if for_s is None else time.time() + for_s
    words = "" if until is None else f"until {clock.iso(int(until * 1000))}\n"
    paths.ensure_dir(str(base))
    if name.startswith(_FOLDER) and not (base / _FOLDER).exists():
        foreign.replace(base, _IGNORE, _IGNORED)
    foreign.replace(base, name, words.encode(), until=until)
    return True


def _remove(base: Path, name: str) -> bool:
    """Remove a switch file, and the folder if it was made for it; returns whether there was one."""
    is_there = foreign.remove(base, name)
    folder = base / _FOLDER
    is_alone = is_there and name.startswith(_FOLDER) and os.listdir(folder) == [".gitignore"]  # noqa: PTH208
    if is_alone and foreign.read(base, _IGNORE, 1 << 20) == _IGNORED:
        foreign.remove(base, _IGNORE)
        folder.rmdir()
    return is_there
