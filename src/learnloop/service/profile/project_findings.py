"""Project patterns: rules and mistakes of a project, with the person's verdicts.

Agents get a finding once it is confirmed (`service.profile.belief_verdicts`).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from learnloop.ingest import recurring as said_again
from learnloop.ingest import statement_index
from learnloop.learn.profile import beliefs
from learnloop.learn.profile.remark_groups import Remark, cluster
from learnloop.models.fact import KnownFacts
from learnloop.models.preferences import Belief, BeliefKind, Finding, ProjectPatterns, RecurringCorrection
from learnloop.service.lessons import documents, rows
from learnloop.service.review import trust
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields

_HASH = 16


def summary(ws: Workspace, project: str) -> KnownFacts:
    """The summary of what a project says already, made anew where one of its sources changed."""
    from learnloop.ingest import known_facts

    return known_facts.read(ws.root, project, ws.settings)


def project_patterns(ws: Workspace, project: str) -> ProjectPatterns:
    """What is known of a project; its conventions are those that were confirmed under an earlier version."""
    verdicts = BeliefVerdicts(ws)
    conventions = [*verdicts.findings("convention", project), *verdicts.findings("tech_stack", project)]
    groups = [group for group in recurring(ws) if project in group.projects]
    active = rows.documents_of(ws, lambda row: row.project == project and row.status == "active")
    return ProjectPatterns(
        project_path=project,
        project_hash=hashlib.sha256(project.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH],
        trusted=trust.is_trusted(ws.root, project),
        conventions=tuple(conventions),
        learned_rules=tuple(doc["statement"] for doc in active if doc.get("statement")),
        common_mistakes=tuple(_mistakes(project, groups, verdicts)),
        last_updated=_last_updated(ws, project, groups),
    )


def _mistakes(
    project: str, groups: Sequence[RecurringCorrection], verdicts: "BeliefVerdicts"
) -> Iterator[Finding]:
    """The recurring corrections of a project as findings, each once, with how often they were said there."""
    group_by_words = {group.pattern.lower(): group for group in reversed(groups)}
    distinct = [group for group in groups if group_by_words[group.pattern.lower()] is group]
    claims = [Claim(group.id, group.pattern, "corrections") for group in distinct]
    group_by_id = {beliefs.belief_id("common_mistake", group.id, project): group for group in distinct}
    for finding in verdicts.findings("common_mistake", project, claims):
        group = group_by_id.get(finding.id)
        count = group.counts.get(project, group.count) if group else finding.count
        yield finding.with_(count=count, examples=group.examples) if group else finding


def _last_updated(ws: Workspace, project: str, groups: Sequence[RecurringCorrection]) -> str:
    """The latest time of the project's lessons and corrections; empty without any."""
    docs = documents.lessons(ws.root)
    times = [str(docs[row.id].get("updated", "")) for row in rows.rows(ws, None) if row.project == project]
    return max([*times, *(group.last_seen for group in groups)], default="")


def all_patterns(ws: Workspace) -> list[ProjectPatterns]:
    """The patterns of every project."""
    return [project_patterns(ws, project) for project in _projects(ws)]


def _projects(ws: Workspace) -> list[str]:
    """The projects with sessions, lessons, trust or confirmed findings, by name."""
    from learnloop.service.sessions import sessions

    return sorted({project.path for project in sessions.projects(ws)} | _decided(ws))


def _decided(ws: Workspace) -> set[str]:
    """The projects with trust or confirmed findings."""
    confirmed = beliefs.confirmed(documents.decisions(ws.root)).values()
    return {*trust.trusted(ws.root), *(belief.project for belief in confirmed if belief.project)}


def recurring(ws: Workspace) -> list[RecurringCorrection]:
    """The recurring corrections, the most frequent first; a lesson that settled one stands for it."""
    groups = grouped(ws)
    count_by_id = _counts(tuple(compared(ws))) if groups else {}
    counted = [group.with_(count=count_by_id.get(key, group.count)) for key, group in groups.items()]
    return sorted(counted, key=lambda group: (-group.count, group.pattern, group.id))


def grouped(ws: Workspace) -> dict[str, RecurringCorrection]:
    """As `recurring`, by their keys, with the counts of when they were grouped: nothing is compared."""
    settled = beliefs.settled(documents.decisions(ws.root))
    items = Store(ws.root).documents("preferences").get("recurring", {}).get("items", {})
    groups = {key: RecurringCorrection.model_validate(public_fields(item)) for key, item in items.items()}
    return {
        key: group.with_(lesson_id=group.lesson_id or settled.get(group.id, ("", None))[1])
        for key, group in groups.items()
    }


def compared(ws: Workspace) -> Iterator[Remark]:
    """The newest corrections, each by the lesson that it led to, else by its own words.

    All that counts what was said again groups these, so that every count agrees.
    """
    lessons = documents.lessons(ws.root)
    for key, entry in Store(ws.root).documents(said_again.TABLE).items():
        lesson = lessons.get(entry["lesson"])
        yield Remark(key, statement_index.normal(lesson) if lesson else entry["text"])


@lru_cache(maxsize=1)
def _counts(remarks: tuple[Remark, ...]) -> Mapping[str, int]:
    """How often what a correction says was said, by the correction's id; cached, because lists ask again."""
    return {remark_id: group.count for group in cluster(remarks) for remark_id in group.ids}


def finding_beliefs(ws: Workspace, is_meant: Callable[[str], bool] = lambda _: True) -> list[Belief]:
    """The findings of projects as beliefs that can be confirmed; of all, or of those that are meant."""
    corrected = {project for group in grouped(ws).values() for project in group.projects}
    return [
        Belief(
            id=finding.id, kind=finding.kind, subject=finding.source, statement=finding.statement,
            project=project,
        )
        for project in sorted(filter(is_meant, corrected | _decided(ws)))
        for finding in project_patterns(ws, project).findings
    ]  # fmt: skip


class Claim(NamedTuple):
    """What could be believed, before any verdict."""

    subject: str
    """What it is about; the id of the belief follows from it."""
    statement: str
    source: str


class BeliefVerdicts:
    """The beliefs that a person confirmed and dismissed, decisions before ingest among them."""

    def __init__(self, ws: Workspace) -> None:
        decisions = documents.decisions(ws.root)
        self.confirmed: dict[str, Belief] = beliefs.confirmed(decisions)
        self._dismissed = beliefs.dismissed(decisions)
        self._settled = beliefs.settled(decisions)

    def findings(self, kind: BeliefKind, project: str, claims: Iterable[Claim] = ()) -> Iterator[Finding]:
        """The findings of a project's claims, then confirmed ones that are no longer claimed."""
        claimed = set()
        for claim in claims:
            key = beliefs.belief_id(kind, claim.subject, project)
            claimed.add(key)
            yield self.finding(key, kind, claim.statement, claim.source)
        for key, belief in self.confirmed.items():
            if belief.kind == kind and belief.project == project and key not in claimed:
                yield self.finding(key, kind, belief.statement, belief.subject).with_(gone=True)

    def finding(self, key: str, kind: BeliefKind, statement: str, source: str) -> Finding:
        """One finding; a confirmed statement replaces the claimed one. What a lesson settled is told too."""
        confirmed, dismissed = self.confirmed.get(key), self._dismissed.get(key)
        is_settled = self._settled.get(key, ("",))[0] == beliefs.mark(statement)
        shown = confirmed.statement if confirmed else statement
        return Finding(
            id=key, kind=kind, statement=shown, source=source,
            confirmed=confirmed is not None or is_settled,
            dismissed=dismissed is not None and dismissed.statement == statement,
        )  # fmt: skip
