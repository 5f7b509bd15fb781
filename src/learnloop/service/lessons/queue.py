"""The queue of drafts, lists and search of lessons, and the two numbers of a row."""

import contextlib
from collections.abc import Collection, Iterable

from learnloop.errors import Unreadable
from learnloop.learn.lessons import origins, scorer
from learnloop.models import Lesson
from learnloop.service.lessons import documents
from learnloop.service.lessons.documents import as_lesson
from learnloop.service.lessons.rows import queue_page, rows
from learnloop.service.workspace import Workspace


def listing(ws: Workspace, status: str | None = None) -> list[Lesson]:
    """The lessons in a state, or all of them; drafts strongest first, others newest first."""
    return _lessons_of(ws, (row.id for row in rows(ws, status)))


class ListedDraft(Lesson):
    """A draft as the queue shows it: what `learn lessons --drafts --json` prints."""

    strength: int
    """How likely it is that you keep it, 0–100."""
    chance: str
    """The strength in a word: likely, maybe or weak."""
    folded: bool
    """Whether the queue folds it away."""


def listed_drafts(ws: Workspace, included: Collection[str] | None = None) -> list[ListedDraft]:
    """The drafts in the order of the queue; only the included ones, where those are given."""
    page = queue_page(ws)
    row_by_id = {row.id: row for row in (*page.top, *page.folded) if included is None or row.id in included}
    unfolded = {row.id for row in page.top}
    return [
        ListedDraft(
            **dict(draft), strength=row_by_id[draft.id].strength, chance=row_by_id[draft.id].chance,
            folded=draft.id not in unfolded,
        )
        for draft in _lessons_of(ws, row_by_id)
    ]  # fmt: skip


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
    """How likely it is that a person keeps a lesson, 0–100; `explain_strength` says why."""
    return scorer.strength(lesson.confidence, lesson.seen_count, lesson.trust)


def chance(lesson: Lesson) -> str:
    """The strength in a word: likely, maybe or weak."""
    return scorer.chance(strength(lesson))


def explain_strength(lesson: Lesson) -> str:
    """What the strength rests on, in plain words."""
    seen = "once" if lesson.seen_count == 1 else f"{lesson.seen_count} times"
    return f"{_ground(lesson)}; {_SEEN[lesson.trust]} {seen}"


_SEEN = {"user": "said", "agent": "noted", "external": "seen"}


def _ground(lesson: Lesson) -> str:
    """What the strength rests on besides repeats."""
    sure = f"{lesson.confidence:.0%}"
    if lesson.trust == "agent":
        most = f"{scorer.CLAIMED_MOST:.0%}"
        return f"an agent is {sure} sure of it, which counts as {most} at most, and less than your words"
    if lesson.trust == "external":
        return f"{sure} sure, but text that nobody typed counts little"
    if origins.origin_of(lesson.source) != "prompt":
        return f"it came {sure} sure"
    tenths = round(10 * lesson.confidence)
    share = "nearly all" if tenths == 10 else "hardly any" if tenths == 0 else f"about {tenths} of 10"
    return f"{share} sentences like this are kept"


def usefulness(lesson: Lesson) -> float:
    """How well its recalls went, 0–1; 0.5 before any was judged."""
    return scorer.verdicts(lesson.usage.model_dump()).usefulness


_WEIGHTS = {"statement": 8, "title": 6, "keywords": 4, "description": 2, "id": 1}


def _match(doc: documents.Document, words: Iterable[str]) -> int:
    """The sum of the weights of the best place of each word; 0 where a word is nowhere."""
    texts = [(_text(doc.get(name)), weight) for name, weight in _WEIGHTS.items()]
    for seen in doc.get("evidence") or ():
        parts = [
            seen.get("quote", ""), seen.get("task", ""), *seen.get("files", ()), *seen.get("commands", ()),
        ]  # fmt: skip
        texts.append((_text(parts), 1))
    best = [max((weight for text, weight in texts if word in text), default=0) for word in words]
    return sum(best) if all(best) else 0


def _text(value: object) -> str:
    return (" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")).casefold()
