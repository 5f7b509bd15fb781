"""Where files already say a lesson, and which other lessons say the same: what triage shows of a draft."""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from learnloop.ingest import instruction_files
from learnloop.learn.lessons import fingerprint, similarity
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.recall.compile import KNOWN
from learnloop.service.lessons import documents
from learnloop.service.lessons.lookup import as_lesson
from learnloop.service.lessons.rows import rows
from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.models.preferences import Contradiction

_MOST_NEAR = 5
_MOST_COMPARED = 100
_GRAM = 3
"""Words: statements that share fewer have no 3-gram in common, unless they are shorter."""
_ALIKE = 0.35
"""The least similarity that is shown; from `fingerprint.NEAR` on a lesson says the same."""


class KnownPlace(Document):
    """A place in a file that says a lesson already."""

    path: str
    line: int
    said: str
    readers: str


class SimilarLesson(Document):
    """Another lesson that says nearly the same."""

    lesson_id: str
    short: str
    statement: str
    status: str
    similarity: float
    """The share of word 3-grams in common, 0–1."""
    is_same: bool


def known_places(ws: Workspace, lesson: Lesson) -> list[KnownPlace]:
    """Where files that agents read already say a lesson; files of a project are read if it is trusted."""
    if not lesson.statement:
        return []
    sources = _instructions(ws, [lesson.project] if lesson.project else [])
    return [
        KnownPlace(path=passage.path, line=passage.line, said=passage.sentence, readers=_readers(passage))
        for passage in instruction_files.passages(lesson.statement, sources)
    ]


def with_places(ws: Workspace, lessons: Iterable[documents.Document]) -> list[documents.Document]:
    """The lessons as the index gets them: with the places where agents already read them."""
    docs = list(lessons)
    projects = {str(doc.get("project", "")) for doc in docs if doc.get("status") == "active"}
    places = instruction_files.of_lessons(docs, _instructions(ws, projects))
    return [{**doc, KNOWN: places[doc["id"]]} if doc["id"] in places else doc for doc in docs]


def similar_lessons(ws: Workspace, lesson: Lesson) -> list[SimilarLesson]:
    """The lessons that say nearly the same, the most similar first."""
    if not lesson.statement:
        return []
    least = min(_GRAM, len(fingerprint.normalise(lesson.statement).split()))
    sharing = {key for shared, key in _shared_words(ws, lesson) if shared >= least}
    candidates = (
        (similarity.similarity(lesson.statement, row.statement), row)
        for row in rows(ws, None)
        if row.id in sharing
    )
    matches = [
        SimilarLesson(
            lesson_id=row.id,
            short=row.id[:6],
            statement=row.statement,
            status=row.status,
            similarity=round(share, 2),
            is_same=share >= fingerprint.NEAR,
        )
        for share, row in candidates
        if share >= _ALIKE
    ]
    return sorted(matches, key=lambda match: (-match.similarity, match.lesson_id))[:_MOST_NEAR]


def contradiction_of(ws: Workspace, lesson: Lesson) -> "Contradiction | None":
    """The contradiction with another lesson, this one as its side `one`; None where there is none."""
    from learnloop.learn.lessons import contradictions

    if not lesson.statement or lesson.status not in ("draft", "active"):
        return None
    docs, closest = documents.lessons(ws.root), sorted(_shared_words(ws, lesson), reverse=True)
    for other in (as_lesson(docs[key]) for _, key in closest[:_MOST_COMPARED]):
        for contradiction in contradictions.find_contradictions([lesson, other]):
            if contradiction.one.lesson_id == lesson.id:
                return contradiction
            return contradiction.with_(one=contradiction.other, other=contradiction.one)
    return None


def _shared_words(ws: Workspace, lesson: Lesson) -> Iterator[tuple[int, str]]:
    """For each other lesson with words: the number of words in common, and its id."""
    words = frozenset(fingerprint.normalise(lesson.statement).split())
    for key, doc in documents.lessons(ws.root).items():
        if doc.get("statement") and doc.get("status") in ("draft", "active") and key != lesson.id:
            normal = doc.get("_normal") or _normalised(doc["statement"])
            yield len(words.intersection(normal.split())), key


@lru_cache(maxsize=10_000)
def _normalised(statement: str) -> str:
    return fingerprint.normalise(statement)


def _instructions(ws: Workspace, projects: Collection[str]) -> list[instruction_files.Source]:
    from learnloop.learn.profile import beliefs
    from learnloop.store.store import Store

    trusted = beliefs.trusted_projects(documents.decisions(ws.root))
    return instruction_files.sources(projects, trusted, list(Store(ws.root).documents("patches").values()))


def _readers(passage: instruction_files.Passage) -> str:
    who = f"the agent {passage.agent}" if passage.agent else "every agent"
    return f"{who} of {passage.host}" if passage.host else who
