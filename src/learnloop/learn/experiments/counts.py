"""Moments counted by experiment, variant and session. Pure."""

from collections.abc import Iterable, Mapping
from operator import mul
from typing import Any

from learnloop.learn.statistics.arms import ArmSums, weight

COUNTED = ("moments", "own", "done", "corrected", "success", "unknown", "reached", "extra_turns")
"""What is counted of a session, in this order; `extra_turns` of those that reached success."""
TURNS = "turns"
"""The outcome that is no event of a moment: how many turns success took."""
MOST_EXTRA = 2
"""Of the turns that success took beyond the first, more do not count."""
_DONE, _CORRECTED = 2, 3
_BY_OUTCOME = {"revision": _CORRECTED, "success": 4, "unknown": 5}
_REACHED, _EXTRA = 6, 7

Sessions = dict[str, list[int]]
"""The counts of `COUNTED` by session."""
Counts = dict[str, dict[str, Sessions]]
"""By experiment and variant."""
Columns = tuple[tuple[int, ...], ...]
"""For each of `COUNTED` a number by session."""


def count(moments: Iterable[Mapping[str, Any]]) -> Counts:
    """Count the stored moments of turns; a turn with a correction was corrected, whatever else shows.

    The turn that follows the own correction of a lesson only mends it: it is no moment of that lesson.
    """
    counts: Counts = {}
    own: dict[str, list[str]] = {}
    following: list[Mapping[str, Any]] = []
    for doc in moments:
        if doc.get("own"):
            own[doc["id"]] = doc["own"]
        if doc.get("after"):
            following.append(doc)
        else:
            _add(counts, doc, doc.get("arms", ()))
    for doc in following:
        mended = {lesson for turn in doc["after"] for lesson in own.get(turn, ())}
        _add(counts, doc, [arm for arm in doc.get("arms", ()) if arm[1] not in mended])
    return counts


def _add(counts: Counts, doc: Mapping[str, Any], arms: Iterable[list[str]]) -> None:
    """Add the moments of one turn."""
    own, done = doc.get("own", ()), doc.get("done", ())
    place = _CORRECTED if "corrected" in doc else _BY_OUTCOME.get(doc.get("outcome", ""), 0)
    turns = doc["reached"][0] if "reached" in doc else 0
    for experiment, lesson, variant in arms:
        try:
            sessions = counts[experiment][variant]
        except KeyError:
            sessions = counts.setdefault(experiment, {})[variant] = {}
        counted = sessions.get(doc["session_id"])
        if counted is None:
            counted = sessions[doc["session_id"]] = [0] * len(COUNTED)
        counted[0] += 1
        if lesson in done:
            counted[_DONE] += 1
        if lesson in own:
            counted[1] += 1
            counted[_CORRECTED] += 1
        elif place:
            counted[place] += 1
        if turns:
            counted[_REACHED] += 1
            counted[_EXTRA] += min(turns - 1, MOST_EXTRA)


def columns(sessions: Sessions) -> Columns:
    """The counts of a variant by what is counted, a number for each session."""
    return tuple(zip(*sessions.values(), strict=True)) or ((),) * len(COUNTED)


def totals(counted: Columns) -> dict[str, int]:
    """The counts of a variant, over all its sessions."""
    return dict(zip(COUNTED, map(sum, counted), strict=True))


def sums(counted: Columns, outcome: str) -> ArmSums:
    """The sums of a variant with one outcome as its event.

    Of `TURNS` the moments are those that reached success, and a turn beyond the first is half an event.
    Long sessions are weighted as `arms.weight` says.
    """
    is_turns = outcome == TURNS
    base, place, scale = (_REACHED, _EXTRA, MOST_EXTRA) if is_turns else (0, COUNTED.index(outcome), 1)
    weights = list(map(weight, counted[base]))
    moments, events = list(map(mul, counted[base], weights)), list(map(mul, counted[place], weights))
    return ArmSums(
        sum(map(bool, moments)), sum(moments), sum(events) / scale, sum(map(mul, moments, moments)),
        sum(map(mul, moments, events)) / scale, sum(map(mul, events, events)) / scale**2,
    )  # fmt: skip
