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
    """A sentence for each place: what is there, and how it is removed.

    Of `patches`, as they were before, those are named that are in force no more.
    """
    return (*_blocks(root, patches), *_settings_copies(root), *_day_logs())


def patches_of(root: str) -> list[Doc]:
    """The stored patches; none where they cannot be read."""
    with contextlib.suppress(LearnloopError):
        return list(Store(root).documents("patches").values())
    return []


def _blocks(root: str, patches: Iterable[Doc]) -> Iterator[str]:
    kept = {doc["id"] for doc in patches_of(root)}
    active = {doc["id"] for doc in Store(root).recallable() if doc.get("status") == "active"}
    old = [doc for doc in patches if doc["id"] not in kept or not _is_in_force(doc, active)]
    there = [(t["path"], doc) for doc in old for t in doc.get("targets", ()) if _is_there(t)]
    for path in dict.fromkeys(path for path, doc in there if doc.get("source") != "facts"):
        yield f"blocks of ours in {path}: delete from each learnloop begin mark to its end mark"
    for path, doc in there:
        if doc.get("source") == "facts":
            yield f"lines of ours in {path}: delete “{' '.join(str(doc.get('block', '')).split())}”"


def _is_in_force(doc: Doc, active: set[str]) -> bool:
    """Whether a stored patch still has the lesson that its item says; others need none."""
    is_item = doc.get("source") == "facts" and str(doc.get("block", "")).startswith("- ")
    return not is_item or doc.get("source_id") in active


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
