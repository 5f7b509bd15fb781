"""What Learnloop wrote outside of its data, which `learn forget` does not touch."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import paths


def places(root: str) -> tuple[str, ...]:
    """A sentence for each place: what is there, and how it is removed."""
    return (*_blocks(root), *_settings_copies(root))


def _blocks(root: str) -> Iterator[str]:
    try:
        targets = [t for doc in Store(root).documents("patches").values() for t in doc.get("targets", ())]
    except LearnloopError:
        return
    for path in dict.fromkeys(target["path"] for target in targets if _is_there(target)):
        yield f"blocks of ours in {path}: delete from each learnloop begin mark to its end mark"


def _is_there(target: dict[str, Any]) -> bool:
    return target.get("state") == "applied" and Path(str(target.get("path", ""))).is_file()


def _settings_copies(root: str) -> Iterator[str]:
    folder = Path(paths.backups(root), "settings")
    if files.listing(folder, ""):
        yield f"copies of your agent's settings in {folder}: remove them once learn uninstall is done"
