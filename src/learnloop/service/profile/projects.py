"""Project patterns: what is known of a project, and what of it agents are told.

    project_patterns(ws, project)    conventions, stack, rules and mistakes of one project
    projects(ws)                     the projects of which something is known

A `Finding` is confirmed and dropped by its id through `service.profile.preferences`.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.learn.profile import beliefs, manifests
from learnloop.models.preferences import Belief, BeliefKind, RecurringCorrection
from learnloop.models.project_patterns import Finding, ProjectPatterns
from learnloop.service.lessons import documents, rows
from learnloop.service.review import trust
from learnloop.store.store import Store

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

_HASH = 16


def project_patterns(ws: "Workspace", project: str) -> ProjectPatterns:
    """What is known of a project; its own files are read only where it is trusted."""
    is_trusted = trust.is_trusted(ws.root, project)
    found = read_manifests(project) if is_trusted else manifests.ProjectFacts()
    made = _Verdicts(ws, project)
    mine = [row for row in rows.rows(ws, None) if row.project == project]
    active = rows.documents_of(ws, lambda row: row.project == project and row.status == "active")
    docs = documents.lessons(ws.root)
    mistakes = [one for one in recurring(ws) if project in one.projects]
    stack = manifests.stack_statement(found.tech_stack)
    return ProjectPatterns(
        project_path=project,
        project_hash=hashlib.sha256(project.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH],
        trusted=is_trusted,
        conventions=tuple(
            made.findings(
                "convention", [(one.subject, one.statement, one.source) for one in found.conventions]
            )
        ),
        tech_stack=found.tech_stack,
        tech_stack_finding=next(
            made.findings("tech_stack", [("stack", stack, "manifests")] if stack else []), None
        ),
        learned_rules=tuple(doc["statement"] for doc in active if doc.get("statement")),
        common_mistakes=tuple(made.mistakes(mistakes)),
        last_updated=max(
            [str(docs[row.id].get("updated", "")) for row in mine] + [one.last_seen for one in mistakes],
            default="",
        ),
    )


def projects(ws: "Workspace") -> list[str]:
    """The projects with sessions, lessons, trust or confirmed findings, by name."""
    from learnloop.service.sessions import sessions

    told = beliefs.confirmed(documents.decisions(ws.root)).values()
    known = {one.path for one in sessions.projects(ws)} | trust.trusted(ws.root)
    return sorted(known | {belief.project for belief in told if belief.project})


def recurring(ws: "Workspace") -> list[RecurringCorrection]:
    """The recurring corrections, the most frequent first."""
    items = Store(ws.root).documents("preferences").get("recurring", {}).get("items", {}).values()
    plain = ({name: value for name, value in item.items() if name[0] != "_"} for item in items)
    found = [RecurringCorrection.model_validate(item) for item in plain]
    return sorted(found, key=lambda one: (-one.count, one.pattern, one.id))


def believed(ws: "Workspace") -> list[Belief]:
    """Everything about projects that can be confirmed now."""
    return [
        Belief(id=one.id, kind=one.kind, subject=one.source, statement=one.statement, project=project)
        for project in projects(ws)
        for one in project_patterns(ws, project).findings
    ]


def read_manifests(project: str) -> manifests.ProjectFacts:
    """What a project's own manifests say; links, large files and what is no plain file are left out."""
    texts = {name: text for name in manifests.MANIFESTS if (text := _text(Path(project, name))) is not None}
    present = frozenset(name for name in manifests.MARKERS if Path(project, name).is_file())
    return manifests.read_manifests(texts, present)


def _text(path: Path) -> str | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(fd, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > manifests.LONGEST:
            return None
        return file.read(manifests.LONGEST).decode("utf-8", "replace")


class _Verdicts:
    """A person's verdicts over the findings of one project."""

    def __init__(self, ws: "Workspace", project: str) -> None:
        decisions = documents.decisions(ws.root)
        self._project = project
        self._told = {key: one for key, one in beliefs.confirmed(decisions).items() if one.project == project}
        self._dropped = beliefs.dismissed(decisions)

    def findings(self, kind: BeliefKind, said: Iterable[tuple[str, str, str]]) -> Iterator[Finding]:
        """Findings of (subject, statement, source), then those confirmed that nothing says any more."""
        seen = set()
        for subject, statement, source in said:
            key = beliefs.belief_id(kind, subject, self._project)
            seen.add(key)
            yield self._finding(key, kind, statement, source)
        for key, belief in self._told.items():
            if belief.kind == kind and key not in seen:
                yield self._finding(key, kind, belief.statement, belief.subject, gone=True)

    def mistakes(self, found: Iterable[RecurringCorrection]) -> Iterator[Finding]:
        """Recurring corrections as findings; one that has become an active lesson is told as that."""
        seen = set()
        for one in found:
            key = beliefs.belief_id("common_mistake", one.id, self._project)
            seen.add(key)
            made = self._finding(key, "common_mistake", one.pattern, "corrections")
            yield made.with_(count=one.count, examples=one.examples)
        for key, belief in self._told.items():
            if belief.kind == "common_mistake" and key not in seen:
                yield self._finding(key, "common_mistake", belief.statement, belief.subject, gone=True)

    def _finding(
        self, key: str, kind: BeliefKind, statement: str, source: str, gone: bool = False
    ) -> Finding:
        told, dropped = self._told.get(key), self._dropped.get(key)
        return Finding(
            id=key,
            kind=kind,
            statement=told.statement if told else statement,
            source=source,
            confirmed=told is not None,
            dismissed=dropped is not None and dropped.statement == statement,
            gone=gone,
        )
