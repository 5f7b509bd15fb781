"""The queue of drafts, lists and search of lessons, and the two numbers of a row."""

import contextlib
from collections.abc import Iterable

from learnloop.errors import Unreadable
from learnloop.learn.lessons import scorer
from learnloop.learn.lessons import usefulness as verdict_counts
from learnloop.models import Lesson
from learnloop.service.lessons import documents
from learnloop.service.lessons.lookup import as_lesson
from learnloop.service.lessons.rows import rows
from learnloop.service.workspace import Workspace


def listing(ws: Workspace, status: str | None = None) -> list[Lesson]:
    """The lessons in a state, or all of them; drafts strongest first, others newest first."""
    return _lessons_of(ws, (row.id for row in rows(ws, status)))


def search(ws: Workspace, q: str) -> list[Lesson]:
    """The lessons that contain every word of a query, those with it in their statement first."""
    words = q.casefold().split()
    if not words:
        return []
    docs = documents.lessons(ws.root)
    scored = [(_match(doc, words), str(doc.get("updated", "")), key) for key, doc in docs.items()]
    ranked = sorted((hit for hit in scored if hit[0]), reverse=True)
    return _lessons_of(ws, (key for _, _, key in ranked))


def _lessons_of(ws: Workspace, ids: Iterable[str]) -> list[Lesson]:
    """Lessons by id, without unreadable documents, which doctor reports."""
    docs = documents.lessons(ws.root)
    lessons = []
    for lesson_id in ids:
        with contextlib.suppress(Unreadable):
            lessons.append(as_lesson(docs[lesson_id]))
    return lessons


def strength(lesson: Lesson) -> int:
    """How much speaks for a lesson, 0–100; `explain_strength` shows its parts."""
    return scorer.strength(lesson.confidence, scorer.promise_of(lesson), lesson.seen_count, lesson.trust)


def explain_strength(lesson: Lesson) -> str:
    """The parts of the strength in one line."""
    sure = scorer.capped_confidence(lesson.confidence, lesson.trust)
    promise = scorer.promise_of(lesson) or sure
    repeats = 1 - 1 / max(lesson.seen_count, 1)
    factor = scorer.TRUST_FACTOR[lesson.trust]
    parts = f"0.55 × confidence {sure:.2f} + 0.25 × promise {promise:.2f}"
    parts += f" + 0.20 × repeats {repeats:.2f}"
    return (
        f"{strength(lesson)} = 100 × ({parts}) × trust {factor:g} ({lesson.trust}); seen {lesson.seen_count}×"
    )


def explain_promise(lesson: Lesson) -> tuple[str, ...]:
    """A line for each part of the score behind the promise; empty where nothing was scored."""
    return tuple(scorer.explain_score(lesson)) if lesson.score.overall else ()


def usefulness(lesson: Lesson) -> float:
    """How well its recalls went, 0–1; 0.5 before any was judged."""
    usage = lesson.usage
    return verdict_counts.usefulness(usage.followed, usage.helpful, usage.recurred, usage.harmful)


def explain_usefulness(lesson: Lesson) -> str:
    """The parts of the usefulness in one line."""
    usage = lesson.usage
    return (
        f"{usefulness(lesson):.2f} = (helpful {usage.helpful} + followed {usage.followed} + 1)"
        f" ÷ (judged + 2), judged = helpful + followed + recurred {usage.recurred}"
        f" + 4 × harmful {usage.harmful}; recalled {usage.recalled}×, ignored {usage.ignored}×"
    )


_WEIGHTS = {"statement": 8, "title": 6, "keywords": 4, "description": 2, "id": 1}


def _match(doc: documents.Document, words: Iterable[str]) -> int:
    """The sum of the weights of the best place of each word; 0 where a word is nowhere."""
    texts = [(_text(doc.get(name)), weight) for name, weight in _WEIGHTS.items()]
    for seen in doc.get("evidence") or ():
        parts = [
            seen.get("quote", ""),
            seen.get("task", ""),
            *seen.get("files", ()),
            *seen.get("commands", ()),
        ]
        texts.append((_text(parts), 1))
    best = [max((weight for text, weight in texts if word in text), default=0) for word in words]
    return sum(best) if all(best) else 0


def _text(value: object) -> str:
    return (" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")).casefold()
