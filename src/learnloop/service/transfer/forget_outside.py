"""What Learnloop wrote outside of its data, which `learn forget` does not touch."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import LearnloopError
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import paths

Doc = dict[str, Any]


def places(root: str, patches: Iterable[Doc]) -> tuple[str, ...]:
    """How each place is emptied, a sentence each; of `patches`, as they were, those in force no more."""
    return (*_blocks(root, patches), *_settings_copies(root), *_day_logs())


def patches_of(root: str) -> list[Doc]:
    """The stored patches; none where they cannot be read."""
    with contextlib.suppress(LearnloopError):
        return list(Store(root).documents("patches").values())
    return []


def _blocks(root: str, patches: Iterable[Doc]) -> Iterator[str]:
    active = {doc["id"] for doc in Store(root).recallable() if doc.get("status") == "active"}
    kept = {doc["id"] for doc in patches_of(root) if not _is_item(doc) or doc.get("source_id") in active}
    old = [doc for doc in patches if doc["id"] not in kept]
    there = [(t["path"], doc) for doc in old for t in doc.get("targets", ()) if _is_there(t)]
    for path in dict.fromkeys(path for path, doc in there if doc.get("source") != "facts"):
        yield f"blocks of ours in {path}: delete from each learnloop begin mark to its end mark"
    for path, doc in there:
        if doc.get("source") == "facts":
            yield f"lines of ours in {path}: delete “{' '.join(str(doc.get('block', '')).split())}”"


def _is_item(doc: Doc) -> bool:
    """Whether a patch is the words of one lesson, in force as long as that is."""
    return doc.get("source") == "facts" and str(doc.get("block", "")).startswith("- ")


def _is_there(target: Doc) -> bool:
    return target.get("state") == "applied" and Path(str(target.get("path", ""))).is_file()


def _settings_copies(root: str) -> Iterator[str]:
    folder = Path(paths.backups(root), "settings")
    if files.listing(folder, ""):
        yield f"copies of your agent's settings in {folder}: remove them once learn uninstall is done"


def _day_logs() -> Iterator[str]:
    with contextlib.suppress(LearnloopError):
        if folder := settings.load(environment=False).log.folder:
            yield f"daily logs in {folder}: remove those that name what is forgotten"
