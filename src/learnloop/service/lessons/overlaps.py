"""Where a lesson is said already, and which other lessons say the same: what triage shows of a draft."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from learnloop.ingest import instruction_files
from learnloop.learn.lessons import fingerprint
from learnloop.learn.lessons import similarity as near
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.recall.compile import KNOWN
from learnloop.service.lessons import documents
from learnloop.service.lessons.lookup import as_lesson
from learnloop.service.lessons.rows import rows

if TYPE_CHECKING:
    from learnloop.models.preferences import Contradiction
    from learnloop.service.workspace import Workspace

_MOST_NEAR = 5
_MOST_COMPARED = 100
_GRAM = 3
"""Statements that have no three words in common have no 3-gram in common, unless they are shorter."""
_ALIKE = 0.35
"""From here on another lesson is worth a look, from `fingerprint.NEAR` on it says the same."""


class Said(Document):
    """A place that says a lesson already."""

    path: str
    line: int
    said: str
    readers: str
    """Which agents read it."""


class Near(Document):
    """Another lesson that says nearly the same."""

    lesson_id: str
    short: str
    statement: str
    status: str
    similarity: float
    """The share of word 3-grams in common, 0–1."""
    is_same: bool


def said_already(ws: "Workspace", lesson: Lesson) -> list[Said]:
    """Where files that agents read say a lesson already; a project's own files count once it is trusted."""
    if not lesson.statement:
        return []
    found = instruction_files.sources([lesson.project] if lesson.project else [], _trusted(ws), _patches(ws))
    return [
        Said(path=one.path, line=one.line, said=one.said, readers=_readers(one))
        for one in instruction_files.said_already(lesson.statement, found)
    ]


def with_places(ws: "Workspace", lessons: Iterable[documents.Document]) -> list[documents.Document]:
    """The lessons as the index gets them: with where agents read them already."""
    every = list(lessons)
    projects = {str(one.get("project", "")) for one in every if one.get("status") == "active"}
    places = instruction_files.of_lessons(
        every, instruction_files.sources(projects, _trusted(ws), _patches(ws))
    )
    return [{**one, KNOWN: places[one["id"]]} if one["id"] in places else one for one in every]


def near_lessons(ws: "Workspace", lesson: Lesson) -> list[Near]:
    """The lessons that say nearly the same, the nearest first; not those that are merged or rejected."""
    if not lesson.statement:
        return []
    least = min(_GRAM, len(fingerprint.normalise(lesson.statement).split()))
    sharing = {key for shared, key in _sharing(ws, lesson) if shared >= least}
    alike = (
        (near.similarity(lesson.statement, row.statement), row) for row in rows(ws, None) if row.id in sharing
    )
    found = [
        Near(
            lesson_id=row.id,
            short=row.id[:6],
            statement=row.statement,
            status=row.status,
            similarity=round(similarity, 2),
            is_same=similarity >= fingerprint.NEAR,
        )
        for similarity, row in alike
        if similarity >= _ALIKE
    ]
    return sorted(found, key=lambda one: (-one.similarity, one.lesson_id))[:_MOST_NEAR]


def contradicting(ws: "Workspace", lesson: Lesson) -> "Contradiction | None":
    """The lesson that cannot hold beside this one, with this one as its `one` side."""
    from learnloop.learn.lessons import contradictions

    if not lesson.statement or lesson.status not in ("draft", "active"):
        return None
    docs, closest = documents.lessons(ws.root), sorted(_sharing(ws, lesson), reverse=True)
    for other in (as_lesson(docs[key]) for _, key in closest[:_MOST_COMPARED]):
        for found in contradictions.find([lesson, other]):
            if found.one.lesson_id == lesson.id:
                return found
            return found.with_(one=found.other, other=found.one)
    return None


def _sharing(ws: "Workspace", lesson: Lesson) -> Iterator[tuple[int, str]]:
    """How many words every other lesson that says something has in common with one, and its id."""
    words = frozenset(fingerprint.normalise(lesson.statement).split())
    for key, doc in documents.lessons(ws.root).items():
        if doc.get("statement") and doc.get("status") in ("draft", "active") and key != lesson.id:
            normal = doc.get("_normal") or _normalised(doc["statement"])
            yield len(words.intersection(normal.split())), key


@lru_cache(maxsize=10_000)
def _normalised(statement: str) -> str:
    return fingerprint.normalise(statement)


def _trusted(ws: "Workspace") -> frozenset[str]:
    from learnloop.learn.profile import beliefs

    return beliefs.trusted(documents.decisions(ws.root))


def _patches(ws: "Workspace") -> "list[documents.Document]":
    from learnloop.store.store import Store

    return list(Store(ws.root).documents("patches").values())


def _readers(one: instruction_files.Known) -> str:
    who = f"the agent {one.agent}" if one.agent else "every agent"
    return f"{who} of {one.host}" if one.host else who
