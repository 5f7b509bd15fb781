"""Where files already say a lesson, and which other lessons say the same: what triage shows of a draft."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from learnloop.ingest import instruction_files, statement_index
from learnloop.learn.lessons import meaning, similarity
from learnloop.models import Lesson
from learnloop.models.base import Document
from learnloop.recall.compile import KNOWN
from learnloop.service.lessons import documents
from learnloop.service.lessons.documents import as_lesson
from learnloop.service.workspace import Workspace

if TYPE_CHECKING:
    from learnloop.models.preferences import Contradiction

_MOST_NEAR = 5
_MOST_COMPARED = 100
_DIRECTIVES = "no agent by itself, but it counts as known"
_ALIKE = 0.35
"""The least similarity that is shown; from `similarity.SAME` on a lesson says the same."""


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
    """How nearly it says the same, 0–1."""
    is_same: bool


def known_places(ws: Workspace, lesson: Lesson) -> list[KnownPlace]:
    """Where files that agents read already say a lesson; files of a project are read if it is trusted."""
    if not lesson.statement:
        return []
    read = _instructions(ws, [lesson.project] if lesson.project else [])
    paths = {source.path for source in read}
    decisions = documents.decisions(ws.root)
    named = instruction_files.named_files(decisions, lesson.project, ws.settings)
    others = [source for source in named if source.path not in paths]
    by_place: dict[tuple[str, int], list[instruction_files.Passage]] = {}
    for passage in instruction_files.passages(lesson.statement, [*read, *others]):
        by_place.setdefault((passage.path, passage.line), []).append(passage)
    return [
        KnownPlace(
            path=path, line=line, said=passages[0].sentence,
            readers=_readers(passages) if path in paths else _DIRECTIVES,
        )
        for (path, line), passages in by_place.items()
    ]  # fmt: skip


def is_read(ws: Workspace, lesson: Lesson) -> str:
    """The first place where agents read a lesson in a file, as `CLAUDE.md:12`; empty where there is none."""
    read = _instructions(ws, [lesson.project] if lesson.project else [])
    places = instruction_files.passages(lesson.statement, read) if lesson.statement else []
    return next((f"{place.path.rpartition('/')[2]}:{place.line}" for place in places), "")


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
    read = meaning.read(lesson.statement)
    similar = ((similarity.score(read, other), key) for key, other in _others(ws, lesson))
    docs = documents.lessons(ws.root)
    matches = [
        SimilarLesson(
            lesson_id=key,
            short=documents.short(ws.root, key),
            statement=docs[key]["statement"],
            status=docs[key]["status"],
            similarity=round(share, 2),
            is_same=share >= similarity.SAME,
        )
        for share, key in similar
        if share >= _ALIKE
    ]
    return sorted(matches, key=lambda match: (-match.similarity, match.lesson_id))[:_MOST_NEAR]


def contradiction_of(ws: Workspace, lesson: Lesson) -> "Contradiction | None":
    """The contradiction with another lesson, this one as its side `one`; None where there is none.

    An active lesson comes before a draft.
    """
    from learnloop.learn.lessons import contradictions

    if not lesson.statement or lesson.status not in ("draft", "active"):
        return None
    docs, find = documents.lessons(ws.root), contradictions.programs
    keys = contradictions.keys_of(meaning.read(lesson.statement)) | find(lesson.as_json())
    others = ((key, contradictions.keys_of(read) | find(docs[key])) for key, read in _others(ws, lesson))
    shared = ((len(keys & theirs), key) for key, theirs in others)
    closest = sorted((pair for pair in shared if pair[0]), key=lambda pair: (-pair[0], pair[1]))
    nearest = [key for _, key in closest[:_MOST_COMPARED]]
    nearest.sort(key=lambda key: docs[key]["status"] != "active")
    for other in (as_lesson(docs[key]) for key in nearest):
        for contradiction in contradictions.find_contradictions([lesson, other]):
            if contradiction.one.lesson_id == lesson.id:
                return contradiction
            return contradiction.with_(one=contradiction.other, other=contradiction.one)
    return None


def _others(ws: Workspace, lesson: Lesson) -> Iterator[tuple[str, meaning.Meaning]]:
    """The ids of the other lessons with words, drafts and active ones, with their meanings."""
    for key, doc in documents.lessons(ws.root).items():
        if doc.get("statement") and doc.get("status") in ("draft", "active") and key != lesson.id:
            yield key, meaning.parse(statement_index.normal(doc))


def _instructions(ws: Workspace, projects: Collection[str]) -> list[instruction_files.Source]:
    from learnloop.store.store import Store

    trusted = instruction_files.trusted(documents.decisions(ws.root))
    return instruction_files.sources(projects, trusted, list(Store(ws.root).documents("patches").values()))


def _readers(passages: Sequence[instruction_files.Passage]) -> str:
    """Who reads a place, as all these passages have it."""
    agent = passages[0].agent
    who = f"the agent {agent}" if agent else "every agent"
    hosts = ", ".join(filter(None, (passage.host for passage in passages)))
    return f"{who} of {hosts}" if hosts else who
