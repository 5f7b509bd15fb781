"""Publish: active lessons, switches, budgets and redaction extras become the index that hooks read.

One publisher runs at a time and reads the store under the lock, so an older state never overwrites a newer
one. A reader sees the old index or the new one, whole.
"""

import json
from itertools import islice
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import Busy, Unreadable
from learnloop.ingest import (
    approval_news,
    hand_edits,
    instruction_files,
    own_prompts,
    said_already,
    told_sessions,
    trusted_files,
)
from learnloop.learn.experiments import index_arms, replay
from learnloop.learn.lessons import folding
from learnloop.learn.offers import discoveries
from learnloop.learn.profile import beliefs
from learnloop.learn.tasks import memory_marks
from learnloop.models import Decision
from learnloop.recall.compile import KNOWN, TRIAL, belief_document, compile_index
from learnloop.settings import consent
from learnloop.store import files, locks, tinydb_file
from learnloop.store.store import Store
from learnloop.wire import clock, index, paths, regular, relevance

LOCK = "publish.lock"
_WAIT_S = 5.0
_TRIES = 5
_PRIMING = ("priming", "hidden")


def publish(root: str, *, force: bool = False) -> int:
    """Bring index and news up to date with the store; return the generation that hooks read now.

    Returns early if nothing changed; `force` writes the index in any case. Raises Unreadable for invalid
    settings. If another process holds the lock for long, the next ingest finds the index stale.
    """
    consent.keep(root)
    if not hand_edits.are_held(root):
        return published(root) or 0
    force = force or _settings_changed(root)
    is_stale = force or _is_stale(root)
    if not is_stale and not news_are_stale(root):
        return published(root) or 0
    try:
        with locks.held(Path(root, LOCK), wait_s=_WAIT_S, what="the recall index"):
            if is_stale:
                return _publish(root, force)
            _write_news(root)
    except Busy:
        pass
    return published(root) or 0


def published(root: str) -> int | None:
    """Return the generation of the index that hooks read; None if no index can be read."""
    generation = _published_header(root).get("generation")
    return None if generation is None else int(generation)


def _published_header(root: str) -> dict[str, Any]:
    """The header of the index that hooks read; {} where none can be read."""
    current = index.read(paths.index(root))
    return {} if current is None else current.header


def is_priming(root: str) -> bool:
    """Whether agents are told earlier tasks in any project."""
    return any(_priming(Store(root)).get("priming", {}).values())


def _priming(store: Store) -> dict[str, Any]:
    """Where hooks tell earlier tasks and which they never tell, for their header."""
    actions = (memory_marks.PRIMING, memory_marks.ACTION, "undo", "redo", "accept", "discard")
    decisions = store.decisions(lambda doc: doc.get("action") in actions)
    by_project = memory_marks.primed(decisions)
    hidden = sorted(memory_marks.marks(decisions).hidden_tasks)
    return {"priming": by_project, "hidden": hidden} if by_project else {}


def _publish(root: str, force: bool) -> int:
    now = clock.iso(clock.now_ms())
    store = Store(root)
    generation, decided = store.generation(), _priming(store)
    header = _published_header(root)
    is_old = published(root) != generation or any(header.get(name) != decided.get(name) for name in _PRIMING)
    if force or is_old or _files_changed(root, quick=False):
        generation, lessons = _read(store)
        header = {**_header(), **decided, "generation": generation, "created": now}
        _write_index(root, header, lessons)
    elif _read_stamp(root).get("verdicts") != _verdicts_stamp(root):
        _write_stamp(root, {**_read_stamp(root), "verdicts": _verdicts_stamp(root)})
    _write_news(root)
    return generation


def _write_news(root: str) -> None:
    write_news(root, _waiting(Store(root)), sorted(trusted_files.changed(_trust_decisions(root))))


def _waiting(store: Store) -> int:
    """How many drafts the queue opens with."""
    if store.drafts() == 0:
        return 0
    chosen = _list_settings()
    docs = store.documents("lessons").values()
    least = folding.least_strength(docs) if chosen.draft_threshold is None else chosen.draft_threshold
    unfolded = folding.unfolded(docs, least)
    return min(chosen.queue_size, len(unfolded) - said_already.look_up(store.root, unfolded, chosen))


def _list_settings() -> settings.Settings:
    """The settings from the file alone; the defaults where it cannot be read."""
    try:
        return settings.load(environment=False)
    except Unreadable:
        return settings.Settings()


def _write_index(root: str, header: dict[str, Any], lessons: list[dict[str, Any]]) -> None:
    verdicts = _verdicts_stamp(root)  # before they are read, so that no later change is missed
    active = (doc for doc in lessons if doc.get("status") == "active")
    projects = sorted({str(doc.get("project", "")) for doc in active} - {""})
    trusted = sorted(_trusted(root))
    sources = instruction_files.sources(projects, trusted, Store(root).documents("patches").values())
    stamp = {
        "projects": projects,
        "trusted": trusted,
        "verdicts": verdicts,
        "files": instruction_files.signature(instruction_files.sources(projects, trusted)),
        "all": instruction_files.signature(sources),
    }
    places = instruction_files.of_lessons(lessons, sources)
    lessons = [{**doc, KNOWN: places[doc["id"]]} if doc["id"] in places else doc for doc in lessons]
    lessons = discoveries.with_ranks(lessons, clock.now_ms())
    decisions = Store(root).decisions()
    running = replay.running(replay.experiments(decisions).values())
    trials = index_arms.by_lesson(running)
    header = {**header, **index_arms.of_recall(running, header["budgets"])}
    lessons = [{**doc, TRIAL: trials[doc["id"]]} if doc["id"] in trials else doc for doc in lessons]
    lessons += [belief_document(belief) for belief in beliefs.confirmed(decisions).values()]
    shares = own_prompts.count(root)
    files.replace(Path(paths.index(root)), [compile_index(lessons, header, header["created"], shares)])
    _write_stamp(root, stamp)


def _read(store: Store) -> tuple[int, list[dict[str, Any]]]:
    """Return the generation and its lessons; of lessons not in use only the id."""
    for _ in range(_TRIES):
        generation, lessons = store.generation(), store.recallable()
        if store.generation() == generation:  # ingest did not write in between
            break
    return generation, lessons


def _trusted(root: str) -> frozenset[str]:
    return trusted_files.trusted(_trust_decisions(root))


def _trust_decisions(root: str) -> list[Decision]:
    return Store(root).decisions(beliefs.concerns_trust)


def _files_changed(root: str, *, quick: bool) -> bool:
    """Whether what agents read besides the index has changed since it was compiled.

    A quick check compares the files alone, a full one also trust and patches.
    """
    stamp = _read_stamp(root)
    if not stamp:
        return True
    if quick:
        sources = instruction_files.sources(stamp["projects"], stamp["trusted"])
    else:
        patches, trusted = Store(root).documents("patches").values(), _trusted(root)
        if sorted(trusted) != stamp["trusted"]:
            return True
        sources = instruction_files.sources(stamp["projects"], trusted, patches)
    return bool(instruction_files.signature(sources) != stamp["files" if quick else "all"])


def _verdicts_stamp(root: str) -> list[int]:
    """Return the modification times of decisions and patches, 0 for a missing file."""
    stored = (Path(paths.store(root), name) for name in ("decisions.json", "patches.json"))
    return [path.stat().st_mtime_ns if path.exists() else 0 for path in stored]


def _header() -> dict[str, Any]:
    """Return the settings that hooks need, from the file alone: a variable belongs to one process."""
    chosen = settings.load(environment=False)
    return {
        "switches": {
            "record": chosen.enabled and chosen.record,
            "recall": chosen.enabled and chosen.recall,
            "stop": chosen.stop,
            "messages": chosen.messages,
            "background": chosen.enabled and chosen.background,
        },
        "budgets": {**chosen.budgets.model_dump(), "threshold": relevance.THRESHOLD},
        "redaction": list(chosen.redaction.extras),
        "queue": [chosen.queue_size, chosen.draft_threshold],  # the news follow them
    }


def _settings_changed(root: str) -> bool:
    current = index.read(paths.index(root))
    try:
        return current is not None and any(
            current.header.get(name) != value for name, value in _header().items()
        )
    except Unreadable:  # the index keeps the earlier settings until these make sense again
        return False


def _is_stale(root: str) -> bool:
    """Whether the store has something that index or news lack, by generations and file times."""
    try:
        store_ns = Path(paths.store(root), "lessons.json").stat().st_mtime_ns
        news_ns = Path(paths.news(root)).stat().st_mtime_ns
    except FileNotFoundError:
        has_lessons = Path(paths.store(root), "lessons.json").exists()
        return has_lessons or published(root) is not None or bool(_priming(Store(root)))
    return (
        news_ns <= store_ns
        or published(root) != Store(root).generation()
        or _read_stamp(root).get("verdicts") != _verdicts_stamp(root)
        or _files_changed(root, quick=True)
    )


def _write_stamp(root: str, stamp: dict[str, Any]) -> None:
    files.replace(_stamp_path(root), [json.dumps(stamp).encode("ascii")])


def _read_stamp(root: str) -> dict[str, Any]:
    """Return which files agents read besides the last index, and their signatures; {} if there are none.

    {projects, trusted, verdicts, files, all}
    """
    try:
        stamp = json.loads(regular.content(str(_stamp_path(root))))
    except (OSError, ValueError):
        return {}
    is_whole = isinstance(stamp, dict) and stamp.keys() >= {"projects", "trusted", "files", "all"}
    return stamp if is_whole else {}


def _stamp_path(root: str) -> Path:
    return Path(paths.index(root) + ".known")


_MOST, _BYTES = 12, 1_000
"""Sessions, and bytes of each: a hook reads 64 KiB."""


def news_are_stale(root: str) -> bool:
    """Whether sessions that were told lessons have changed since the news were written."""
    try:
        sessions_ns = tinydb_file.path(root, told_sessions.TABLE).stat().st_mtime_ns
        return Path(paths.news(root)).stat().st_mtime_ns <= sessions_ns
    except FileNotFoundError:
        return False


def write_news(root: str, drafts: int, changed: list[str]) -> None:
    """Write the news, and remove marks of earlier days; `changed` are projects whose trusted files did."""
    news = Path(paths.news(root))
    document = {
        "drafts": drafts, "created": clock.iso(clock.now_ms()), "changed": changed,
        "sessions": _told_sessions(root), **approval_news.approved(root),
    }  # fmt: skip
    files.replace(news, [json.dumps(document).encode("ascii")])
    for old_mark in sorted(news.parent.glob(f"{news.name}.[0-9]*"))[:-2]:  # days of notifications
        old_mark.unlink(missing_ok=True)


def _told_sessions(root: str) -> list[dict[str, Any]]:
    docs = Store(root).documents(told_sessions.TABLE).values()
    newest = map(_entry, sorted(docs, key=lambda doc: (doc["last_seen"], doc["id"]), reverse=True))
    return list(islice((entry for entry in newest if len(json.dumps(entry)) <= _BYTES), _MOST))


def _entry(doc: dict[str, Any]) -> dict[str, Any]:
    return {
        "session": doc["id"], "project": doc["project"], "over": doc["over"],
        "last_ms": clock.parse_ms(doc["last_seen"]), "words": told_sessions.summary(doc),
    }  # fmt: skip
