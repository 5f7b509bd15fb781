"""Lessons: the queue, the lists, the search, the two numbers of a row, and the verdicts."""

import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from learnloop.errors import Unreadable
from learnloop.models import Lesson, ids
from learnloop.service import documents
from learnloop.service.finding import as_lesson, find
from learnloop.service.verdicts import (
    add,
    archive,
    edit,
    pause,
    promote,
    redo,
    reject,
    restore,
    set_scope,
    undo,
)

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

__all__ = [
    "Page", "QueueRow", "add", "archive", "edit", "explain_strength", "explain_usefulness", "find", "listing",
    "pause", "promote", "queue", "queue_page", "redo", "reject", "restore", "rows", "search", "set_scope",
    "short_id", "strength", "undo", "usefulness",
]  # fmt: skip

TRUST_FACTOR = {"user": 1.0, "agent": 0.85, "external": 0.6}


class QueueRow(NamedTuple):
    """What a list shows of a lesson; made without a model, so 10,000 of them are cheap."""

    id: str
    short: str
    statement: str
    strength: int
    usefulness: float
    seen_count: int
    scope: str
    project: str
    status: str
    trust: str
    needs_words: bool
    paused: bool
    created: str
    recalled: int
    words: str
    """Kind, category and first quote: what a filter finds besides the statement."""


class Page(NamedTuple):
    """What the queue opens with, and how many weaker drafts are folded under it."""

    top: list[QueueRow]
    weaker: int


def rows(ws: "Workspace", status: str | None = "draft") -> list[QueueRow]:
    """Light rows of the lessons in a state (all where None): drafts strongest first, others newest first."""
    every = _all_rows(ws.root)
    if status is None:
        return list(every)
    found = [row for row in every if row.status == status]
    if status == "draft":
        found.sort(key=lambda row: (-row.strength, row.needs_words))
    return found


_listed: dict[str, tuple[dict[str, documents.Document], list[QueueRow]]] = {}


def _all_rows(root: str) -> list[QueueRow]:
    """Every lesson's row, newest first; made again only when a document has changed."""
    docs = documents.lessons(root)
    kept = _listed.get(root)
    if kept is None or kept[0] is not docs:
        short = ids.short_ids(docs)
        found = [row for key in sorted(docs) if (row := _row(key, docs[key], short[key])) is not None]
        found.sort(key=lambda row: row.created, reverse=True)
        kept = _listed[root] = (docs, found)
    return kept[1]


def queue_page(ws: "Workspace", everything: bool = False) -> Page:
    """The queue as it opens: the `queue_size` strongest drafts, the rest counted."""
    found = rows(ws, "draft")
    size = len(found) if everything else ws.settings.queue_size
    return Page(found[:size], max(len(found) - size, 0))


def queue(ws: "Workspace") -> list[Lesson]:
    """Drafts, strongest first; at equal strength those that need words come last."""
    return listing(ws, "draft")


def listing(ws: "Workspace", status: str | None = None) -> list[Lesson]:
    """The lessons in a state, or all of them; drafts strongest first, others newest first."""
    return _models(ws, (row.id for row in rows(ws, status)))


def search(ws: "Workspace", q: str) -> list[Lesson]:
    """The lessons that contain every word of a query, those that say it in their statement first."""
    words = q.casefold().split()
    if not words:
        return []
    docs = documents.lessons(ws.root)
    scored = [(_match(doc, words), str(doc.get("updated", "")), key) for key, doc in docs.items()]
    ranked = sorted((hit for hit in scored if hit[0]), reverse=True)
    return _models(ws, (key for _, _, key in ranked))


def _models(ws: "Workspace", wanted: Iterable[str]) -> list[Lesson]:
    """Lessons by id; a document that fits no lesson is left out, and doctor tells of it."""
    docs = documents.lessons(ws.root)
    found = []
    for lesson_id in wanted:
        with contextlib.suppress(Unreadable):
            found.append(as_lesson(docs[lesson_id]))
    return found


def short_id(lesson_id: str) -> str:
    """The first 6 characters of an id: enough to name it nearly everywhere; rows carry the exact shortest."""
    return lesson_id[:6]


def strength(lesson: Lesson) -> int:
    """How much speaks for a lesson, 0–100; `explain_strength` says how it comes about."""
    return _strength(lesson.confidence, lesson.score.overall, lesson.seen_count, lesson.trust)


def explain_strength(lesson: Lesson) -> str:
    """The parts of the strength in one line."""
    promise = lesson.score.overall or lesson.confidence
    repeats = 1 - 1 / max(lesson.seen_count, 1)
    factor = TRUST_FACTOR[lesson.trust]
    parts = f"0.55 × confidence {lesson.confidence:.2f} + 0.25 × promise {promise:.2f}"
    parts += f" + 0.20 × repeats {repeats:.2f}"
    return (
        f"{strength(lesson)} = 100 × ({parts}) × trust {factor:g} ({lesson.trust}); seen {lesson.seen_count}×"
    )


def usefulness(lesson: Lesson) -> float:
    """How well its recalls went, 0–1; 0.5 before any was judged."""
    usage = lesson.usage
    return _usefulness(usage.followed, usage.helpful, usage.recurred, usage.harmful)


def explain_usefulness(lesson: Lesson) -> str:
    """The parts of the usefulness in one line."""
    usage = lesson.usage
    return (
        f"{usefulness(lesson):.2f} = (helpful {usage.helpful} + followed {usage.followed} + 1)"
        f" ÷ (judged + 2), judged = helpful + followed + recurred {usage.recurred}"
        f" + 4 × harmful {usage.harmful}; recalled {usage.recalled}×"
    )


def _strength(confidence: float, promise: float, seen: int, trust: str) -> int:
    parts = 0.55 * confidence + 0.25 * (promise or confidence) + 0.20 * (1 - 1 / max(seen, 1))
    return round(100 * min(parts, 1.0) * TRUST_FACTOR.get(trust, 0.6))


def _usefulness(followed: int, helpful: int, recurred: int, harmful: int) -> float:
    return (helpful + followed + 1) / (helpful + followed + recurred + 4 * harmful + 2)


_JUDGED = ("followed", "helpful", "recurred", "harmful")


def _row(lesson_id: str, doc: documents.Document, short: str) -> QueueRow | None:
    """The row of a stored document; None for one that fits no lesson, which doctor tells of."""
    try:
        return _made(lesson_id, doc, short)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError):
        return None


def _made(lesson_id: str, doc: documents.Document, short: str) -> QueueRow:
    get = doc.get
    usage = get("usage") or {}
    seen, trust = get("seen_count", 1), get("trust", "user")
    promise = (get("score") or {}).get("overall", 0.0)
    quote = _first_quote(doc)
    return QueueRow(
        id=lesson_id,
        short=short,
        statement=get("statement") or get("title") or quote,
        strength=_strength(get("confidence", 0.5), promise, seen, trust),
        usefulness=_usefulness(*(usage.get(name, 0) for name in _JUDGED)),
        seen_count=seen,
        scope=get("scope", "project"),
        project=get("project", ""),
        status=get("status", "draft"),
        trust=trust,
        needs_words=get("needs_words", False),
        paused=get("paused", False),
        created=get("created", ""),
        recalled=usage.get("recalled", 0),
        words=f"{get('kind', '')} {get('category', '')} {quote}",
    )


def _first_quote(doc: documents.Document) -> str:
    evidence = doc.get("evidence") or ()
    return " ".join(evidence[0].get("quote", "").split()) if evidence else ""


_FIELDS: tuple[tuple[str, int], ...] = (("statement", 8), ("title", 6), ("keywords", 4), ("description", 2))


def _match(doc: documents.Document, words: Iterable[str]) -> int:
    """0 unless every word is somewhere; more the more prominent the places are."""
    texts = [(_text(doc.get(name)), weight) for name, weight in _FIELDS]
    texts.append((_evidence(doc), 1))
    texts.append((str(doc.get("id", "")), 1))
    total = 0
    for word in words:
        best = max((weight for text, weight in texts if word in text), default=0)
        if not best:
            return 0
        total += best
    return total


def _text(value: object) -> str:
    joined = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")
    return joined.casefold()


def _evidence(doc: documents.Document) -> str:
    parts: list[str] = []
    for seen in doc.get("evidence") or ():
        parts += [seen.get("quote", ""), seen.get("task", "")]
        parts += [*seen.get("files", ()), *seen.get("commands", ())]
    return " ".join(parts).casefold()
