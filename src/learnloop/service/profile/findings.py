"""Findings (what is believed of projects and agents) with the person's verdicts on them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from learnloop.learn.profile import beliefs
from learnloop.models.preferences import Belief, BeliefKind
from learnloop.models.project_patterns import Finding
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace


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

    def findings(self, kind: BeliefKind, project: str, claims: Iterable[Claim]) -> Iterator[Finding]:
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
