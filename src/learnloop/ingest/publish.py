"""Publish: active lessons, switches, budgets and redaction extras become the index that hooks read.

One publisher at a time, and each reads the store under the lock: what it writes is never older than what is
there. A reader sees the old index or the new one, whole.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop import settings
from learnloop.errors import Busy, Unreadable
from learnloop.ingest import instruction_files as known
from learnloop.learn.offers import discoveries
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.recall.compile import KNOWN, as_told, compile_index
from learnloop.store import files, locks
from learnloop.store.store import Store
from learnloop.wire import clock, index, paths, relevance

LOCK = "publish.lock"
_WAIT_S = 5.0
_TRIES = 5
_TRUSTING = ("trust", "undo", "redo")


def publish(root: str, *, force: bool = False) -> int:
    """Bring index and news up to date with the store; which generation hooks read now.

    Cheap where nothing changed. `force` writes the index in any case, for switches and settings that changed.
    Raises Unreadable where the settings make no sense. Where another process holds the lock for long, it is
    left to the next ingest, which finds what is stale.
    """
    force = force or _settings_changed(root)
    if not force and not _is_stale(root):
        return published(root) or 0
    try:
        with locks.held(Path(root, LOCK), wait_s=_WAIT_S, what="the recall index"):
            return _publish(root, force)
    except Busy:
        return published(root) or 0


def published(root: str) -> int | None:
    """The generation of the index that hooks read; None where there is none that can be read."""
    found = index.read(paths.index(root))
    return None if found is None else int(found.header.get("generation", 0))


def _publish(root: str, force: bool) -> int:
    now = clock.iso(clock.now_ms())
    store = Store(root)
    generation, drafts = store.generation(), store.drafts()
    if force or drafts is None or published(root) != generation or _files_changed(root, quick=False):
        generation, lessons = _read(root)
        drafts = _drafts(store)
        header = {**_header(), "generation": generation, "drafts": drafts, "created": now}
        said_by = _said_by(root, lessons)
        where = known.sources(said_by["projects"], said_by["trusted"], _patches(root))
        places = known.of_lessons(lessons, where)
        lessons = [{**one, KNOWN: places[one["id"]]} if one["id"] in places else one for one in lessons]
        lessons = discoveries.with_ranks(lessons, clock.now_ms())
        told = [*lessons, *_beliefs(root)]
        files.replace(Path(paths.index(root)), [compile_index(told, header, now)])
        _note(root, said_by)
    elif _noted(root).get("verdicts") != _verdicts_stamp(root):
        _note(root, {**_noted(root), "verdicts": _verdicts_stamp(root)})
    news = json.dumps({"drafts": drafts, "created": now})
    files.replace(Path(paths.news(root)), [news.encode("ascii")])
    _remove_old_news(root)
    return generation


def _projects(lessons: list[dict[str, Any]]) -> list[str]:
    """The projects that lessons in use are about."""
    return sorted({str(one.get("project", "")) for one in lessons if one.get("status") == "active"} - {""})


def _said_by(root: str, lessons: list[dict[str, Any]]) -> dict[str, Any]:
    """The projects whose files say things to agents, and what changes when one of them does."""
    projects, trusted = _projects(lessons), sorted(_trusted(root))
    return {
        "projects": projects,
        "trusted": trusted,
        "verdicts": _verdicts_stamp(root),
        "files": known.signature(known.sources(projects, trusted)),
        "all": known.signature(known.sources(projects, trusted, _patches(root))),
    }


def _trusted(root: str) -> frozenset[str]:
    verdicts = Store(root).documents("decisions").values()
    found = (_decision(doc) for doc in verdicts if doc.get("action") in _TRUSTING)
    return beliefs.trusted_projects(
        sorted((one for one in found if one is not None), key=lambda one: (one.ts, one.id))
    )


def _patches(root: str) -> list[dict[str, Any]]:
    return list(Store(root).documents("patches").values())


def _files_changed(root: str, *, quick: bool) -> bool:
    """Whether what agents read besides has changed since the index was made.

    A quick look is at the files alone; a full one at what is trusted and patched as well.
    """
    told = _noted(root)
    if not told:
        return True
    if quick:
        return bool(known.signature(known.sources(told["projects"], told["trusted"])) != told["files"])
    now = known.sources(told["projects"], _trusted(root), _patches(root))
    return bool(known.signature(now) != told["all"])


def _verdicts_stamp(root: str) -> list[int]:
    """What changes with what is trusted and patched."""
    return [
        found.stat().st_mtime_ns if (found := Path(paths.store(root), name)).exists() else 0
        for name in ("decisions.json", "patches.json")
    ]


def _read(root: str) -> tuple[int, list[dict[str, Any]]]:
    """The lessons, of those not in use the id alone, and the generation that goes with them.

    Ingest may write between two looks.
    """
    store = Store(root)
    generation, lessons = store.generation(), store.recallable()
    for _ in range(_TRIES):
        if store.generation() == generation:
            break
        generation, lessons = store.generation(), store.recallable()
    return generation, lessons


def _drafts(store: Store) -> int:
    known = store.drafts()
    if known is None:
        return sum(lesson.get("status") == "draft" for lesson in store.lesson_docs().values())
    return known


def _beliefs(root: str) -> list[dict[str, Any]]:
    """What a person has confirmed to be told at the start of sessions, as the index takes it."""
    kinds = (*beliefs.ACTIONS, "undo", "redo")
    docs = Store(root).documents("decisions").values()
    found = [_decision(doc) for doc in docs if doc.get("action") in kinds]
    ordered = sorted((one for one in found if one is not None), key=lambda one: (one.ts, one.id))
    return [as_told(belief) for belief in beliefs.confirmed(ordered).values()]


def _decision(doc: dict[str, Any]) -> Decision | None:
    try:
        return Decision.model_validate({name: value for name, value in doc.items() if name[0] != "_"})
    except ValidationError:
        return None  # the store says so by itself, in `damage`


def _header() -> dict[str, Any]:
    """What hooks need of the settings, from the file alone: an environment variable is one process's own."""
    chosen = settings.load(environment=False)
    return {
        "switches": {
            "record": chosen.enabled and chosen.record,
            "recall": chosen.enabled and chosen.recall,
            "background": chosen.enabled and chosen.background,
        },
        "budgets": {**chosen.budgets.model_dump(), "threshold": relevance.THRESHOLD},
        "redaction": list(chosen.redaction.extras),
    }


def _settings_changed(root: str) -> bool:
    """Whether the index tells hooks other settings than the file has by now."""
    found = index.read(paths.index(root))
    try:
        return found is not None and any(found.header.get(name) != value for name, value in _header().items())
    except Unreadable:  # what they were holds until they make sense again
        return False


def _is_stale(root: str) -> bool:
    """Whether the store has something that index or news do not tell, from generations and file times."""
    try:
        written = Path(paths.store(root), "lessons.json").stat().st_mtime_ns
        told = Path(paths.news(root)).stat().st_mtime_ns
    except FileNotFoundError:
        return Path(paths.store(root), "lessons.json").exists() or published(root) is not None
    return told <= written or published(root) != Store(root).generation() or _said_otherwise(root)


def _said_otherwise(root: str) -> bool:
    """Whether agents may read other things than when index and news were made."""
    return bool(_noted(root).get("verdicts") != _verdicts_stamp(root)) or _files_changed(root, quick=True)


def _note(root: str, said_by: dict[str, Any]) -> None:
    files.replace(_note_path(root), [json.dumps(said_by).encode("ascii")])


def _noted(root: str) -> dict[str, Any]:
    """What the last index was made with, as `_said_by` gives it; {} where that is not known."""
    try:
        told = json.loads(_note_path(root).read_bytes())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) and told.keys() >= {"projects", "trusted", "files", "all"} else {}


def _note_path(root: str) -> Path:
    return Path(paths.index(root) + ".known")


def _remove_old_news(root: str) -> None:
    """Remove the marks of days on which the person was told, but the last ones."""
    told = Path(paths.news(root))
    for mark in sorted(told.parent.glob(f"{told.name}.[0-9]*"))[:-2]:
        mark.unlink(missing_ok=True)
