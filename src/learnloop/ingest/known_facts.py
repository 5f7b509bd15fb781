"""The summary of what is known of a project: kept in `facts/known/`, made anew when a source changed.

A project's own files are read only if it is trusted.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop.ingest import instruction_files, trusted_files
from learnloop.ingest.instruction_files import Source
from learnloop.learn.lessons import fact_summary, meaning, similarity
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.models.summary import KnownFacts
from learnloop.settings import Settings
from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import clock, paths, redact

Summarise = Callable[[Sequence[str], Sequence[str]], Iterable[tuple[str, str]]]
"""From approved statements and texts of files to lines, each with its heading: by rules or by a model."""
LESSONS, RULES = "lessons", "rules"
"""Names among the sources: active lessons, and the rule files of agents."""


def read(
    root: str,
    project: str,
    settings: Settings,
    summarise: Summarise = fact_summary.by_rules,
    by: str = "rules",
) -> KnownFacts:
    """The summary of a project as its sources are now; written where it is missing or older."""
    named, approved = list(sources(root, project, settings)), _approved(root, project, settings)
    signature = instruction_files.signature(named) + hashlib.sha256(repr(approved).encode()).hexdigest()[:16]
    stored = _stored(root, project)
    if stored is not None and stored.signature == signature and by in (stored.by, "rules"):
        return stored
    texts = [redact.cleaned(instruction_files.text_of(source), settings.redaction.extras) for source in named]
    readable = tuple(source.path for source, text in zip(named, texts, strict=True) if text.strip())
    facts = KnownFacts(
        project=project, signature=signature, created=clock.iso(clock.now_ms()), by=by, sources=readable,
        lines=fact_summary.grouped(summarise(approved, texts)),
    )  # fmt: skip
    files.replace(_path(root, project), [facts.model_dump_json(indent=1).encode()])
    return facts


def restating(root: str, project: str, settings: Settings) -> Callable[[str], str]:
    """A function that gives the sentence which says a statement already; empty where none does.

    It compares with the summary, with active lessons, and with all that the sources say.
    """
    index, files_read = similarity.MeaningIndex(), list(sources(root, project, settings))
    summed = (line for lines in read(root, project, settings).lines.values() for line in lines)
    for words in (*_approved(root, project, settings), *summed):
        index.add(words, meaning.read(words))

    def restated(statement: str) -> str:
        nearest = index.nearest(meaning.read(statement))
        if nearest:
            return nearest[0][1]
        passages = instruction_files.passages(statement, files_read)
        return passages[0].sentence if passages else ""

    return restated


def sources(root: str, project: str, settings: Settings) -> Iterator[Source]:
    """The files that the setting `facts.sources` names: a person's own, and those of a trusted project."""
    trusted = trusted_files.holds(beliefs.trusted_projects(_trust(root)), project)
    for name in dict.fromkeys(settings.facts.sources):
        if name == RULES:
            yield from instruction_files.rule_files(project if trusted else "")
        elif name.startswith(("/", "~/")):
            yield Source(str(Path(name).expanduser()), "")
        elif name != LESSONS and trusted:
            yield from instruction_files.inside(project, name)


def _trust(root: str) -> list[Decision]:
    return [decision for decision in Store(root).decisions() if decision.action in beliefs.TRUST_ACTIONS]


def _approved(root: str, project: str, settings: Settings) -> list[str]:
    """The statements of active lessons that hold in a project, the surest first."""
    if LESSONS not in settings.facts.sources:
        return []
    docs: list[dict[str, Any]] = [
        doc
        for doc in Store(root).documents("lessons").values()
        if doc.get("status") == "active" and doc.get("statement")
        and (doc.get("scope") == "global" or doc.get("project") == project)
    ]  # fmt: skip
    docs.sort(key=lambda doc: (-int(doc.get("seen_count") or 1), str(doc["id"])))
    return [str(doc["statement"]) for doc in docs]


def _stored(root: str, project: str) -> KnownFacts | None:
    try:
        return KnownFacts.model_validate_json(files.read(_path(root, project)) or b"")
    except (OSError, ValidationError):
        return None


def _path(root: str, project: str) -> Path:
    name = hashlib.sha256(project.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Path(paths.known_facts(root), f"{name}.json")
