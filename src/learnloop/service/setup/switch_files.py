"""Switch recording and recall off and on, by files that hooks look for with one `stat`."""

import os
import time
from pathlib import Path

from learnloop.errors import Refused
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths, switches

_IGNORED = "/.gitignore\n/off\n/record-only\n"


def switch(
    ws: Workspace,
    on: bool,
    project: str | None = None,
    everything: bool = False,
    recall_only: bool = False,
    for_s: float | None = None,
) -> list[str]:
    """Switch recording and recall, or recall alone, in one project or everywhere.

    It stays off for `for_s` seconds, or for good. Returns the switch files that were written or removed.
    Raises Refused inside an agent's session, and where a file cannot be changed.
    """
    agent_guard.refuse(ws, "switch recording or recall")
    if project is not None and not everything:
        off, recall_off = switches.project_off(project), switches.project_record_only(project)
    else:
        off, recall_off = paths.off_switch(ws.root), paths.recall_off_switch(ws.root)
    try:
        if on:
            return [
                path for path in ([recall_off] if recall_only else [off, recall_off]) if _remove(Path(path))
            ]
        path = recall_off if recall_only else off
        _write(Path(path), for_s)
        return [path]
    except OSError as error:
        raise Refused(f"cannot change the switch {error.filename}", error.strerror or "") from error


def _write(path: Path, for_s: float | None) -> None:
    """Write a switch file: empty it switches off for good, with content until its time of modification."""
    if path.parent.name == ".learnloop" and not path.parent.exists():
        path.parent.mkdir()
        (path.parent / ".gitignore").write_text(_IGNORED)
    paths.ensure_dir(str(path.parent))
    path.touch(paths.FILE_MODE)
    if for_s is None:
        path.write_bytes(b"")
        return
    until = time.time() + for_s
    path.write_text(f"until {clock.iso(int(until * 1000))}\n")
    os.utime(path, (until, until))


def _remove(path: Path) -> bool:
    """Remove a switch file, and the folder if it was made for it; returns whether there was one."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    ignore = path.parent / ".gitignore"
    alone = path.parent.name == ".learnloop" and list(path.parent.iterdir()) == [ignore]
    if alone and ignore.read_text() == _IGNORED:
        ignore.unlink()
        path.parent.rmdir()
    return True
