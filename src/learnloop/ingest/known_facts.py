"""The summary of what is known of a project: kept in `facts/known/`, made anew when a source changed.

A project's own files are read only if it is trusted.
"""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from learnloop.ingest import instruction_files, statement_index
from learnloop.learn.facts.requests import Known
from learnloop.learn.facts.support import nearest
from learnloop.learn.lessons import fact_summary, meaning, similarity
from learnloop.learn.lessons.origins import SYNTHESIS
from learnloop.learn.profile import beliefs
from learnloop.models.fact import KnownFacts
from learnloop.settings import Settings
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock, paths, redact

Doc = dict[str, Any]
_SHOWN = 6
"""Characters of a lesson's id that name it."""


class _Material(NamedTuple):
    """What a summary is made of."""

    sources: list[instruction_files.Source]
    lessons: list[Doc]
    """Active lessons that hold in the project, the surest first."""

    @property
    def approved(self) -> list[str]:
        return [str(doc["statement"]) for doc in self.lessons]

    def texts(self, settings: Settings) -> list[str]:
        extras = settings.redaction.extras
        return [redact.cleaned(instruction_files.text_of(source), extras) for source in self.sources]

    @property
    def signature(self) -> str:
        approved = hashlib.sha256(repr(self.approved).encode()).hexdigest()[:16]
        return instruction_files.signature(self.sources) + approved


def read(root: str, project: str, settings: Settings) -> KnownFacts:
    """The summary of a project as its sources are now; written where it is missing or older."""
    before, material = stored(root, project), _material(root, project, settings)
    if before is not None and before.signature == material.signature:
        return before
    texts = material.texts(settings)
    lines = fact_summary.grouped(fact_summary.by_rules(material.approved, texts))
    pairs = zip(material.sources, texts, strict=True)
    facts = KnownFacts(
        project=project, signature=material.signature, created=clock.iso(clock.now_ms()),
        sources=tuple(source.path for source, text in pairs if text.strip()), lines=lines,
    )  # fmt: skip
    files.replace(_path(root, project), [facts.model_dump_json(indent=1).encode()])
    return facts


def given(root: str, project: str, settings: Settings, text: str) -> Known:
    """What a request about a text is given: the summary by place, and the known lessons nearest to it."""
    material = _material(root, project, settings)
    lines = [line for lines in read(root, project, settings).lines.values() for line in lines]
    texts = [(_place(source.path, project), body) for source, body in
             zip(material.sources, material.texts(settings), strict=True)]  # fmt: skip
    places = (_where(line, texts) or f"summary:{number}" for number, line in enumerate(lines, 1))
    lessons = _nameable(root, project)
    statements = {str(doc["id"])[:_SHOWN]: str(doc["statement"]) for doc in lessons}
    ids = {str(doc["id"])[:_SHOWN]: str(doc["id"]) for doc in lessons}
    return Known(Path(project).name, dict(zip(places, lines, strict=True)), nearest(statements, text), ids)


def _nameable(root: str, project: str) -> list[Doc]:
    """The lessons in use in a project, and drafts that a model worded.

    What fixed rules drafted is not known: the model shall find better words for it.
    """
    return [
        doc
        for doc in Store(root).documents("lessons").values()
        if (doc.get("status") == "active" or (doc.get("status") == "draft" and doc["source"] == SYNTHESIS))
        and doc.get("statement") and (doc.get("scope") == "global" or doc.get("project") == project)
    ]  # fmt: skip


def _place(path: str, project: str) -> str:
    return path.removeprefix(f"{project}/").replace(str(Path.home()), "~", 1)


def _where(line: str, texts: Iterable[tuple[str, str]]) -> str:
    """The place of a line of the summary, as `CLAUDE.md:12`; empty where no file has these words."""
    places = ((name, instruction_files.line_of(line, text)) for name, text in texts if line[:40] in text)
    return next((f"{name}:{number}" for name, number in places), "")


def restating(root: str, project: str, settings: Settings) -> Callable[[str], str]:
    """A function that gives the sentence which says a statement already; empty where none does.

    It compares with the summary, with active lessons, and with all that the sources say.
    """
    index, material = similarity.MeaningIndex(), _material(root, project, settings)
    for doc in material.lessons:
        index.add(str(doc["statement"]), meaning.parse(statement_index.normal(doc)))
    for lines in read(root, project, settings).lines.values():
        for line in lines:
            index.add(line, meaning.read(line))

    def restated(statement: str) -> str:
        nearest = index.nearest(meaning.read(statement))
        if nearest:
            return nearest[0][1]
        passages = instruction_files.passages(statement, material.sources)
        return passages[0].sentence if passages else ""

    return restated


def _material(root: str, project: str, settings: Settings) -> _Material:
    decisions = Store(root).decisions(beliefs.concerns_trust)
    sources = list(instruction_files.named_files(decisions, project, settings))
    return _Material(sources, _lessons(root, project, settings))


def _lessons(root: str, project: str, settings: Settings) -> list[Doc]:
    if instruction_files.LESSONS not in settings.facts.sources:
        return []
    docs = [
        doc
        for doc in Store(root).documents("lessons").values()
        if doc.get("status") == "active" and doc.get("statement")
        and (doc.get("scope") == "global" or doc.get("project") == project)
    ]  # fmt: skip
    return sorted(docs, key=lambda doc: (-int(doc.get("seen_count") or 1), str(doc["id"])))


def stored(root: str, project: str) -> KnownFacts | None:
    """The summary as it was written last; None where there is none."""
    try:
        return KnownFacts.model_validate_json(files.read(_path(root, project)) or b"")
    except (OSError, ValidationError):
        return None


def _path(root: str, project: str) -> Path:
    name = hashlib.sha256(project.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Path(paths.known_facts(root), f"{name}.json")
