"""Moments counted by experiment, variant and session. Pure."""

from collections.abc import Iterable, Mapping
from operator import mul
from typing import Any

from learnloop.learn.statistics.arms import ArmSums

COUNTED = ("moments", "own", "corrected", "success", "unknown")
"""What is counted of a session, in this order."""
_CORRECTED = 2
_BY_OUTCOME = {"revision": _CORRECTED, "success": 3, "unknown": 4}

Sessions = dict[str, list[int]]
"""The counts of `COUNTED` by session."""
Counts = dict[str, dict[str, Sessions]]
"""By experiment and variant."""


def count(moments: Iterable[Mapping[str, Any]]) -> Counts:
    """Count the stored moments of turns; a turn with an own correction was corrected, whatever else shows."""
    counts: Counts = {}
    for doc in moments:
        place, own = _BY_OUTCOME.get(doc.get("outcome", ""), 0), doc.get("own", ())
        for experiment, lesson, variant in doc.get("arms", ()):
            sessions = counts.setdefault(experiment, {}).setdefault(variant, {})
            counted = sessions.get(doc["session_id"])
            if counted is None:
                counted = sessions[doc["session_id"]] = [0, 0, 0, 0, 0]
            counted[0] += 1
            if lesson in own:
                counted[1] += 1
                counted[_CORRECTED] += 1
            elif place:
                counted[place] += 1
    return counts


def totals(sessions: Sessions) -> dict[str, int]:
    """The counts of a variant, over all its sessions."""
    return dict(zip(COUNTED, map(sum, zip(*sessions.values(), strict=True)), strict=False))


def sums(sessions: Sessions, outcome: str) -> ArmSums:
    """The sums of a variant with one outcome as its event."""
    place = COUNTED.index(outcome)
    moments = [counted[0] for counted in sessions.values()]
    events = [counted[place] for counted in sessions.values()]
    return ArmSums(
        len(sessions), sum(moments), sum(events), sum(map(mul, moments, moments)),
        sum(map(mul, moments, events)), sum(map(mul, events, events)),
    )  # fmt: skip
