"""What Learnloop wrote outside of its data, which `learn forget` does not touch."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import LearnloopError
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import paths


def places(root: str) -> tuple[str, ...]:
    """A sentence for each place: what is there, and how it is removed."""
    return (*_blocks(root), *_settings_copies(root), *_day_logs())


def _blocks(root: str) -> Iterator[str]:
    try:
        patches = list(Store(root).documents("patches").values())
    except LearnloopError:
        return
    there = [(t["path"], doc) for doc in patches for t in doc.get("targets", ()) if _is_there(t)]
    for path in dict.fromkeys(path for path, doc in there if doc.get("source") != "facts"):
        yield f"blocks of ours in {path}: delete from each learnloop begin mark to its end mark"
    for path, doc in there:
        if doc.get("source") == "facts":
            yield f"lines of ours in {path}: delete “{' '.join(str(doc.get('block', '')).split())}”"


def _is_there(target: dict[str, Any]) -> bool:
    return target.get("state") == "applied" and Path(str(target.get("path", ""))).is_file()


def _settings_copies(root: str) -> Iterator[str]:
    folder = Path(paths.backups(root), "settings")
    if files.listing(folder, ""):
        yield f"copies of your agent's settings in {folder}: remove them once learn uninstall is done"


def _day_logs() -> Iterator[str]:
    with contextlib.suppress(LearnloopError):
        if folder := settings.load(environment=False).log.folder:
            yield f"daily logs in {folder}: remove those that name what is forgotten"
