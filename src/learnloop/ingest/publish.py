"""Publish: active lessons, switches, budgets and redaction extras become the index that hooks read.

One publisher runs at a time and reads the store under the lock, so an older state never overwrites a newer
one. A reader sees the old index or the new one, whole. Beside it stand the shares of words in the
person's own prompts, so that hooks, explanations and backtests rest on the same figures.
"""

import contextlib
import hashlib
import json
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from learnloop import settings
from learnloop.errors import Busy, Unreadable
from learnloop.ingest import instruction_files, lesson_decisions, person_news, said_already
from learnloop.ingest.lesson_decisions import recallable
from learnloop.learn.experiments import replay
from learnloop.learn.facts import reading_consent
from learnloop.learn.language import rarity
from learnloop.learn.language.rarity import Shares
from learnloop.learn.lessons import origins, scorer
from learnloop.learn.profile import beliefs
from learnloop.learn.tasks import memory_marks
from learnloop.models import Decision
from learnloop.recall.compile import KNOWN, TRIAL, belief_document, compile_index
from learnloop.store import files, locks, seal, tinydb_file
from learnloop.store.store import Store
from learnloop.wire import clock, index, paths, regular, relevance

LOCK = "publish.lock"
_WAIT_S = 5.0


def publish(root: str, *, force: bool = False) -> None:
    """Bring index and news up to date with the store; `force` writes the index in any case.

    Raises Unreadable for invalid settings. If another process holds the lock for long, the next ingest finds
    the index stale.
    """
    settings.keep_prohibitions(root)
    if lesson_decisions.are_held(root) and (force or _stamp(root) != _read_stamp(root)):
        with contextlib.suppress(Busy), locks.held(Path(root, LOCK), wait_s=_WAIT_S, what="the recall index"):
            _publish(root, force)


def _publish(root: str, force: bool) -> None:
    """Write what is not as the stamp says, and the stamp of what was read."""
    before, now = _read_stamp(root), _stamp(root)
    lessons = Store(root).documents("lessons")
    in_use = hashlib.sha256(repr([*filter(None, map(recallable, lessons.values()))]).encode()).hexdigest()[
        :16
    ]
    if force or now[0] != in_use or now[:_INDEX] != before[:_INDEX]:
        now[:4] = _write_index(root, [*lessons.values()], in_use)
    _write_news(root, lessons)
    files.replace(_stamp_path(root), [json.dumps(now).encode("ascii")])


def published(root: str) -> str | None:
    """Return the digest of the lessons that hooks read; None if no index can be read."""
    current = index.read(paths.index(root))
    return None if current is None else str(current.header.get("lessons_of", ""))


def is_priming(root: str) -> bool:
    """Whether agents are told earlier tasks in any project."""
    return any(_priming(Store(root).decisions()).get("priming", {}).values())


def _priming(decisions: list[Decision]) -> dict[str, Any]:
    """Where hooks tell earlier tasks and which they never tell, for their header."""
    by_project = memory_marks.primed(decisions)
    hidden = sorted(memory_marks.marks(decisions).hidden_tasks)
    return {"priming": by_project, "hidden": hidden} if by_project else {}


def _waiting(root: str, docs: Collection[dict[str, Any]]) -> int:
    """How many drafts the queue opens with."""
    if not any(doc.get("status") == "draft" for doc in docs):
        return 0
    chosen = _list_settings()
    least = scorer.least_strength(docs) if chosen.draft_threshold is None else chosen.draft_threshold
    unfolded = scorer.unfolded(docs, least)
    return min(chosen.queue_size, len(unfolded) - said_already.look_up(root, unfolded, chosen))


def _list_settings() -> settings.Settings:
    """The settings from the file alone; the defaults where it cannot be read."""
    try:
        return settings.load(environment=False)
    except Unreadable:
        return settings.Settings()


def _write_index(root: str, lessons: list[dict[str, Any]], in_use: str) -> list[Any]:
    """Compile and write the index of some stored lessons; return its part of the stamp."""
    store, now = Store(root), clock.now_ms()
    decisions = store.decisions()
    active = (doc for doc in lessons if doc.get("status") == "active")
    projects = sorted({str(doc.get("project", "")) for doc in active} - {""})
    trusted = sorted(instruction_files.trusted(decisions))
    signature = instruction_files.signature(instruction_files.sources(projects, trusted))
    sources = instruction_files.sources(projects, trusted, store.documents("patches").values())
    places = instruction_files.of_lessons(lessons, sources)
    lessons = [{**doc, KNOWN: places[doc["id"]]} if doc["id"] in places else doc for doc in lessons]
    lessons = origins.with_ranks(lessons, now)
    running = replay.running(replay.experiments(decisions).values())
    trials = replay.by_lesson(running)
    lessons = [{**doc, TRIAL: trials[doc["id"]]} if doc["id"] in trials else doc for doc in lessons]
    lessons += [belief_document(belief) for belief in beliefs.confirmed(decisions).values()]
    chosen, created = _header(), clock.iso(now)
    header = {
        **chosen, **_priming(decisions), **replay.of_recall(running, chosen["budgets"]),
        "lessons_of": in_use, "created": created, **_asks(decisions, lessons, chosen),
    }  # fmt: skip
    shares = count_words(root)
    files.replace(Path(paths.index(root)), [compile_index(lessons, header, created, shares)])
    return [in_use, projects, trusted, signature]


def _asks(decisions: list[Decision], lessons: list[dict[str, Any]], chosen: dict[str, Any]) -> dict[str, Any]:
    """Where a model may judge turns, and where an agent waits for it, for the hooks' header."""
    given = reading_consent.asked(decisions) if chosen.pop("reads", False) else {}
    if not any(given.values()):
        return {}
    waits = {str(doc.get("project", "")) for doc in lessons if doc.get("reminds") and not doc.get("check")}
    on = {"" if place == reading_consent.EVERYWHERE else place: bool(ts) for place, ts in given.items()}
    return {"asks": {"on": on, "waits": sorted(waits)}}


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
        "reads": chosen.facts.mode != "off",
        "queue": [chosen.queue_size, chosen.draft_threshold],  # the news follow them
    }


_INDEX = 7
"""The entries of the stamp that the index was made of; the others are those of the news."""
_NOTHING: list[Any] = ["", [], [], "", None, 0, [0, 0], [0, 0], 0, 0]


def _stamp(root: str) -> list[Any]:
    """What index and news are made of, as it is now; other than what was noted where either is stale.

    [digest of the index's lessons, projects with lessons, trusted ones, signature of the files that agents
    read there, settings, time of the patches, files of decisions and lessons, times of sessions and visit].
    """
    before = _read_stamp(root)
    _, projects, trusted, _, settings_before, *_ = before
    try:
        chosen: Any = _header()
    except Unreadable:  # the index keeps the earlier settings until these make sense again
        chosen = settings_before
    signature = instruction_files.signature(instruction_files.sources(projects, trusted))
    decisions, lessons = seal.file_stamps(root)
    read = [
        *(tinydb_file.path(root, name) for name in ("patches", person_news.TABLE)),
        Path(paths.visit(root)),
    ]
    patches, told, visit = (path.stat().st_mtime_ns if path.exists() else 0 for path in read)
    if not (any((*lessons, *decisions, told)) or published(root) is not None):
        return before
    return [published(root), projects, trusted, signature, chosen, patches, decisions, lessons, told, visit]


def _read_stamp(root: str) -> list[Any]:
    """The stamp of the last publish; that of none where its news are gone, or another version wrote it."""
    if not Path(paths.news(root)).exists():
        return list(_NOTHING)
    try:
        stamp = json.loads(regular.content(str(_stamp_path(root))))
    except (OSError, ValueError):
        return list(_NOTHING)
    kinds = [*map(type, stamp[:4])] if isinstance(stamp, list) and len(stamp) == len(_NOTHING) else []
    return stamp if kinds == [*map(type, _NOTHING[:4])] else list(_NOTHING)


def _stamp_path(root: str) -> Path:
    return Path(paths.index(root) + ".known")


_MOST, _BYTES = 12, 1_000
"""Sessions, and bytes of each: a hook reads 64 KiB."""


def _write_news(root: str, lessons: dict[str, dict[str, Any]]) -> None:
    """Write the news, with the projects whose trusted files changed; remove marks of earlier days."""
    news = Path(paths.news(root))
    changed = instruction_files.changed(Store(root).decisions(beliefs.concerns_trust))
    document = {
        "drafts": _waiting(root, lessons.values()), "created": clock.iso(clock.now_ms()),
        "changed": sorted(changed), "sessions": _told_sessions(root), **person_news.approved(root, lessons),
    }  # fmt: skip
    files.replace(news, [json.dumps(document).encode("ascii")])
    for old_mark in sorted(news.parent.glob(f"{news.name}.[0-9]*"))[:-2]:  # days of notifications
        old_mark.unlink(missing_ok=True)


def _told_sessions(root: str) -> list[dict[str, Any]]:
    docs = Store(root).documents(person_news.TABLE).values()
    newest = map(_entry, sorted(docs, key=lambda doc: (doc["last_seen"], doc["id"]), reverse=True))
    return list(islice((entry for entry in newest if len(json.dumps(entry)) <= _BYTES), _MOST))


def _entry(doc: dict[str, Any]) -> dict[str, Any]:
    return {
        "session": doc["id"], "project": doc["project"], "over": doc["over"],
        "last_ms": clock.parse_ms(doc["last_seen"]), "words": person_news.summary(doc),
    }  # fmt: skip


MOST = 2_000
"""The newest prompts that are counted."""


def count_words(root: str) -> Shares:
    """Count the words of the newest prompts in the store; what `shares` returns from now on."""
    counted = rarity.word_shares(islice(_prompts(root), MOST))
    files.replace(_path(root), [json.dumps(counted).encode("ascii")])
    return counted


def word_shares(root: str) -> Shares:
    """The shares of common words, as the index was published with; none where it was not."""
    try:
        counted = json.loads(regular.content(str(_path(root))))
    except (OSError, ValueError):
        return rarity.NO_SHARES
    return counted if isinstance(counted, dict) else rarity.NO_SHARES


def _prompts(root: str) -> Iterator[tuple[str, str]]:
    """The project and the words of every human turn, days newest first."""
    for turn in Store(root).all_documents("turns"):
        if turn.get("origin") != "machine":
            yield str(turn.get("project", "")), str(turn.get("prompt", ""))


def _path(root: str) -> Path:
    return Path(paths.index(root) + ".words")
