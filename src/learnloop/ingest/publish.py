"""Publish: active lessons, switches, budgets and redaction extras become the index that hooks read.

One publisher runs at a time and reads the store under the lock, so an older state never overwrites a newer
one. A reader sees the old index or the new one, whole.
"""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop import settings
from learnloop.errors import Busy, Unreadable
from learnloop.ingest import instruction_files
from learnloop.learn.offers import discoveries
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.recall.compile import KNOWN, belief_document, compile_index
from learnloop.store import files, locks
from learnloop.store.store import Store
from learnloop.wire import clock, index, paths, relevance

LOCK = "publish.lock"
_WAIT_S = 5.0
_TRIES = 5
_TRUSTING = ("trust", "undo", "redo")


def publish(root: str, *, force: bool = False) -> int:
    """Bring index and news up to date with the store; return the generation that hooks read now.

    Returns early if nothing changed; `force` writes the index in any case. Raises Unreadable for invalid
    settings. If another process holds the lock for long, the next ingest finds the index stale.
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
    """Return the generation of the index that hooks read; None if no index can be read."""
    current = index.read(paths.index(root))
    return None if current is None else int(current.header.get("generation", 0))


def _publish(root: str, force: bool) -> int:
    now = clock.iso(clock.now_ms())
    store = Store(root)
    generation, drafts = store.generation(), store.drafts()
    if force or drafts is None or published(root) != generation or _files_changed(root, quick=False):
        generation, lessons = _read(root)
        drafts = _drafts(store)
        header = {**_header(), "generation": generation, "drafts": drafts, "created": now}
        stamp = _stamp(root, lessons)
        where = instruction_files.sources(stamp["projects"], stamp["trusted"], _patches(root))
        places = instruction_files.of_lessons(lessons, where)
        lessons = [{**doc, KNOWN: places[doc["id"]]} if doc["id"] in places else doc for doc in lessons]
        lessons = discoveries.with_ranks(lessons, clock.now_ms())
        files.replace(Path(paths.index(root)), [compile_index([*lessons, *_beliefs(root)], header, now)])
        _write_stamp(root, stamp)
    elif _read_stamp(root).get("verdicts") != _verdicts_stamp(root):
        _write_stamp(root, {**_read_stamp(root), "verdicts": _verdicts_stamp(root)})
    news = json.dumps({"drafts": drafts, "created": now})
    files.replace(Path(paths.news(root)), [news.encode("ascii")])
    _remove_old_news(root)
    return generation


def _projects(lessons: list[dict[str, Any]]) -> list[str]:
    """Return the projects of active lessons."""
    return sorted({str(doc.get("project", "")) for doc in lessons if doc.get("status") == "active"} - {""})


def _stamp(root: str, lessons: list[dict[str, Any]]) -> dict[str, Any]:
    """Return which files agents read besides the index, and signatures that change when one of them does.

    {projects, trusted, verdicts, files, all}
    """
    projects, trusted = _projects(lessons), sorted(_trusted(root))
    return {
        "projects": projects,
        "trusted": trusted,
        "verdicts": _verdicts_stamp(root),
        "files": instruction_files.signature(instruction_files.sources(projects, trusted)),
        "all": instruction_files.signature(instruction_files.sources(projects, trusted, _patches(root))),
    }


def _trusted(root: str) -> frozenset[str]:
    verdicts = Store(root).documents("decisions").values()
    return beliefs.trusted_projects(_decisions(verdicts, _TRUSTING))


def _patches(root: str) -> list[dict[str, Any]]:
    return list(Store(root).documents("patches").values())


def _files_changed(root: str, *, quick: bool) -> bool:
    """Whether what agents read besides the index has changed since it was compiled.

    A quick check compares the files alone, a full one also trust and patches.
    """
    stamp = _read_stamp(root)
    if not stamp:
        return True
    if quick:
        paths_now = instruction_files.sources(stamp["projects"], stamp["trusted"])
        return bool(instruction_files.signature(paths_now) != stamp["files"])
    paths_now = instruction_files.sources(stamp["projects"], _trusted(root), _patches(root))
    return bool(instruction_files.signature(paths_now) != stamp["all"])


def _verdicts_stamp(root: str) -> list[int]:
    """Return the modification times of decisions and patches, 0 for a missing file."""
    stored = (Path(paths.store(root), name) for name in ("decisions.json", "patches.json"))
    return [path.stat().st_mtime_ns if path.exists() else 0 for path in stored]


def _read(root: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the generation and its lessons; of lessons not in use only the id.

    Ingest may write between two reads, so the generation is compared.
    """
    store = Store(root)
    generation, lessons = store.generation(), store.recallable()
    for _ in range(_TRIES):
        if store.generation() == generation:
            break
        generation, lessons = store.generation(), store.recallable()
    return generation, lessons


def _drafts(store: Store) -> int:
    count = store.drafts()
    if count is None:
        return sum(lesson.get("status") == "draft" for lesson in store.documents("lessons").values())
    return count


def _beliefs(root: str) -> list[dict[str, Any]]:
    """Return the beliefs that a person confirmed, as records of the index."""
    docs = Store(root).documents("decisions").values()
    ordered = _decisions(docs, (*beliefs.ACTIONS, "undo", "redo"))
    return [belief_document(belief) for belief in beliefs.confirmed(ordered).values()]


def _decisions(docs: Iterable[dict[str, Any]], actions: Collection[str]) -> list[Decision]:
    """Return the decisions with one of these actions, oldest first."""
    chosen = (_decision(doc) for doc in docs if doc.get("action") in actions)
    return sorted(filter(None, chosen), key=lambda decision: (decision.ts, decision.id))


def _decision(doc: dict[str, Any]) -> Decision | None:
    try:
        return Decision.model_validate({name: value for name, value in doc.items() if name[0] != "_"})
    except ValidationError:
        return None  # the store says so by itself, in `damage`


def _header() -> dict[str, Any]:
    """Return the settings that hooks need, from the file alone: a variable belongs to one process."""
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
    """Whether the settings file differs from what the index says."""
    current = index.read(paths.index(root))
    try:
        return current is not None and any(
            current.header.get(name) != value for name, value in _header().items()
        )
    except Unreadable:  # what they were holds until they make sense again
        return False


def _is_stale(root: str) -> bool:
    """Whether the store has something that index or news lack, by generations and file times."""
    try:
        store_ns = Path(paths.store(root), "lessons.json").stat().st_mtime_ns
        news_ns = Path(paths.news(root)).stat().st_mtime_ns
    except FileNotFoundError:
        return Path(paths.store(root), "lessons.json").exists() or published(root) is not None
    return news_ns <= store_ns or published(root) != Store(root).generation() or _instructions_changed(root)


def _instructions_changed(root: str) -> bool:
    """Whether agents may read other instructions than when the index was compiled."""
    return bool(_read_stamp(root).get("verdicts") != _verdicts_stamp(root)) or _files_changed(
        root, quick=True
    )


def _write_stamp(root: str, stamp: dict[str, Any]) -> None:
    files.replace(_stamp_path(root), [json.dumps(stamp).encode("ascii")])


def _read_stamp(root: str) -> dict[str, Any]:
    """Return the stamp of the last index (see `_stamp`), {} if there is none."""
    try:
        stamp = json.loads(_stamp_path(root).read_bytes())
    except (OSError, ValueError):
        return {}
    return (
        stamp if isinstance(stamp, dict) and stamp.keys() >= {"projects", "trusted", "files", "all"} else {}
    )


def _stamp_path(root: str) -> Path:
    return Path(paths.index(root) + ".known")


def _remove_old_news(root: str) -> None:
    """Remove the marks of days on which the person was notified, except the last two."""
    news = Path(paths.news(root))
    for mark in sorted(news.parent.glob(f"{news.name}.[0-9]*"))[:-2]:
        mark.unlink(missing_ok=True)
