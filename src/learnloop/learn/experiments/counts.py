"""Moments counted by experiment, variant and session, and one figure of how well each does. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from statistics import fmean, median
from typing import Any

from learnloop.learn.hear.outcomes import TOPIC_CONFIDENCE
from learnloop.learn.statistics.lift import ArmSums, weight
from learnloop.models.experiment import Experiment, VariantScore

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


_WEIGHTS = {"success": 0.4, "duration": 0.3, "quality": 0.3}
Moment = Mapping[str, Any]


def scores(experiment: Experiment, moments: Iterable[Moment]) -> tuple[VariantScore, ...]:
    """The figure of each variant by its stored moments, with its parts."""
    by_variant: dict[str, list[Moment]] = {variant.name: [] for variant in experiment.variants}
    for doc in moments:
        for name in {arm[2] for arm in doc.get("arms", ()) if arm[0] == experiment.id}:
            by_variant.setdefault(name, []).append(doc)
    usual = _duration([doc for docs in by_variant.values() for doc in docs])
    return tuple(_score(variant.name, by_variant[variant.name], usual) for variant in experiment.variants)


def _score(name: str, docs: Sequence[Moment], usual: float | None) -> VariantScore:
    judged = [doc for doc in docs if _is_corrected(doc) or doc.get("outcome", "unknown") != "unknown"]
    good = [doc for doc in judged if doc.get("outcome") == "success" and not _is_corrected(doc)]
    mine = _duration(docs)
    parts = {
        "success": len(good) / len(judged) if judged else None,
        "duration": usual / (usual + mine) if usual and mine is not None else None,
        "quality": fmean(TOPIC_CONFIDENCE if doc.get("inferred") else 1.0 for doc in good) if good else None,
    }
    measured = {part: value for part, value in parts.items() if value is not None}
    weight = sum(_WEIGHTS[part] for part in measured)
    whole = sum(_WEIGHTS[part] * value for part, value in measured.items()) / weight if measured else None
    return VariantScore(
        variant=name, score=_rounded(whole), **{part: _rounded(parts[part]) for part in parts}
    )


def _is_corrected(doc: Moment) -> bool:
    return bool(doc.get("corrected") or doc.get("own"))


def _duration(docs: Sequence[Moment]) -> float | None:
    durations = [doc["ms"] for doc in docs if "ms" in doc]
    return median(durations) if durations else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
