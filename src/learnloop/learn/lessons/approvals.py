"""Approvals that no person gave at a terminal of theirs: what they should hear of afterwards. Pure."""

from collections.abc import Iterable

from learnloop.learn.lessons.claims import STANDING, UPKEEP
from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models import Decision

_APPROVING = ("promote", "add", "replace", "restore", "edit", "confirm", "trust", "resume", "priming")
"""What changes what agents are told for the better or the worse."""


def elsewhere(decisions: Iterable[Decision], since: str) -> list[Decision]:
    """Approvals in effect after a time that came from no terminal with a person at it, oldest first.

    What earlier versions wrote says nothing of its place and is left out.
    """
    return [decision for decision in effective_decisions(decisions) if _is_elsewhere(decision, since)]


def _is_elsewhere(decision: Decision, since: str) -> bool:
    place = decision.place
    if place is None or decision.by == UPKEEP or decision.claimed or decision.ts <= since:
        return False
    return decision.action in _APPROVING and (decision.by == STANDING or not place.attended)
