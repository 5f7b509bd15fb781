"""Approvals that no person gave in an attended console: what they should hear of afterwards. Pure."""

from collections.abc import Iterable

from learnloop.learn.lessons.claims import UPKEEP
from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models import Decision

_APPROVING = ("promote", "add", "replace", "restore", "edit", "confirm", "trust", "resume", "priming")
"""What changes what agents are told for the better or the worse."""


def elsewhere(decisions: Iterable[Decision], since: str) -> list[Decision]:
    """Approvals in effect after a time that came by another way than the console of a person, oldest first.

    What earlier versions wrote says nothing of its place and is left out.
    """
    return [decision for decision in effective_decisions(decisions) if _is_elsewhere(decision, since)]


def _is_elsewhere(decision: Decision, since: str) -> bool:
    place = decision.place
    if place is None or decision.by == UPKEEP or decision.claimed or decision.ts <= since:
        return False
    is_console = decision.door == "console" and place.attended
    return decision.action in _APPROVING and not is_console
