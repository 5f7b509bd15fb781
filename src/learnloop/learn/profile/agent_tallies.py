"""Figures on the work of agents: success and failure counts by turn, day, area and week. Pure.

A tally is the stored document of one agent in one project with one host. It contains sums, and under names
with `_` their parts by day, area and recalled lesson, and the newest corrections.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import zip_longest
from typing import Any, NamedTuple

from learnloop.learn.profile import areas
from learnloop.models.agent import FEWEST_TURNS, AgentWeek, AreaCount, Change, Interval, Period
from learnloop.wire import text

Doc = dict[str, Any]

MAIN = "main"
ENOUGH = FEWEST_TURNS
MOST_AREAS = 5
MOST_DAYS = 400
MOST_WEEKS = 104
MOST_REMARKS = 100
MOST_TOLD = 200
LONGEST_NAME = 100
_Z = 1.959964
"""The 97.5 % quantile of the normal distribution."""
COUNTS = ("invocations", "claims", "success", "revision", "cancellation")
"""What a day counts, in this order."""
_SUMS = ("total_invocations", "_claims", "success_count", "revision_count", "cancellation_count")


class Contribution(NamedTuple):
    """What one turn adds to the tally of one agent."""

    agent: str
    day: str
    counts: tuple[int, ...]
    """In the order of `COUNTS`."""
    areas: tuple[str, ...] = ()
    """Areas of the work."""
    recalled: tuple[str, ...] = ()
    silent: bool = False
    """A success about which nobody said anything."""


def stored_name(raw: str) -> str:
    """An agent's name as stored: one line without control characters, at most 100 characters.

    A longer name is cut and ends in a hash of the whole, so that different names stay different.
    """
    name = " ".join(text.clean(raw).split()) or "unnamed"
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 9]}…{hashlib.sha256(raw.encode('utf-8', 'replace')).hexdigest()[:8]}"


def contributions(turn: Doc) -> list[Contribution]:
    """What a turn adds to tallies: its outcome to the agent that claimed it, invocations to each agent.

    Each prompt of a person invokes `main`; each start of a subagent invokes it.
    """
    claimant = stored_name(turn.get("agent_used") or MAIN)
    invoked = _invocations(turn)
    outcome = turn.get("outcome", "unknown")
    judged = tuple(int(outcome == name) for name in COUNTS[2:])
    work = areas.areas_of_turn(turn)
    try:
        day = date.fromisoformat(turn["started"][:10]).isoformat()
    except ValueError:
        day = "1970-01-01"
    by_agent = []
    for agent in sorted({*invoked, claimant}):
        is_claim = agent == claimant
        counts = (invoked.get(agent, 0), int(is_claim), *(judged if is_claim else (0, 0, 0)))
        recalled = tuple(turn.get("recalled", ())) if is_claim else ()
        silent = is_claim and outcome == "success" and bool(turn.get("inferred"))
        by_agent.append(Contribution(agent, day, counts, work if is_claim else (), recalled, silent))
    return by_agent


def _invocations(turn: Doc) -> dict[str, int]:
    invocations = {MAIN: 1} if turn.get("origin") == "human" else {}
    starts = turn.get("starts")
    counted = starts if starts is not None else dict.fromkeys(turn.get("agents", ()), 1)
    for agent, count in counted.items():
        name = stored_name(agent)
        if name != MAIN and count:
            invocations[name] = invocations.get(name, 0) + count
    return invocations


def tally_id(agent: str, project: str, host: str) -> str:
    """The id of a tally in the store: 16 hex digits."""
    return hashlib.sha256("\0".join((agent, project, host)).encode("utf-8", "replace")).hexdigest()[:16]


def empty_tally(agent: str, project: str, host: str) -> Doc:
    """A tally with all counts at zero."""
    return {
        "id": tally_id(agent, project, host), "agent_name": agent, "project": project, "host": host,
        **dict.fromkeys(_SUMS, 0), "_silent": 0, "last_updated": "",
        "_days": {}, "_areas": {}, "_told": {}, "_remarks": {},
    }  # fmt: skip


def since(tally: Doc, day: str) -> Doc:
    """The tally of turns that began on that day (UTC) or later; areas and recalls stay those of all time."""
    days = {each: counts for each, counts in tally["_days"].items() if each >= day}
    sums = [sum(counts) for counts in zip([0] * len(_SUMS), *days.values(), strict=True)]
    remarks = {key: remark for key, remark in tally["_remarks"].items() if remark["ts"] >= day}
    return tally | dict(zip(_SUMS, sums, strict=True)) | {"_days": days, "_remarks": remarks}


def count_contribution(tally: Doc, turn: Contribution, sign: int) -> None:
    """Add a contribution to a tally (sign 1) or take it out again (-1); no count goes below zero."""
    for name, count in zip(_SUMS, turn.counts, strict=True):
        tally[name] = max(0, tally[name] + sign * count)
    tally["_silent"] = max(0, tally.get("_silent", 0) + sign * turn.silent)
    days = tally["_days"]
    _add(days, turn.day, [sign * count for count in turn.counts])
    while len(days) > MOST_DAYS:
        del days[min(days)]
    success, failure = turn.counts[2], turn.counts[3] + turn.counts[4]
    for area in turn.areas:
        _add(tally["_areas"], area, [sign * success, sign * failure, sign])
    for lesson in turn.recalled:
        tally["_told"][lesson] = tally["_told"].get(lesson, 0) + sign
        if tally["_told"][lesson] <= 0:
            del tally["_told"][lesson]
    while len(tally["_told"]) > MOST_TOLD:
        del tally["_told"][next(iter(tally["_told"]))]


def _add(counts_by_name: dict[str, list[int]], name: str, added: Iterable[int]) -> None:
    """Add counts to those of a name; none goes below zero, and a name without any is dropped."""
    pairs = zip_longest(counts_by_name.get(name, ()), added, fillvalue=0)  # older areas count no turns
    counts_by_name[name] = [max(0, old + new) for old, new in pairs]
    if not any(counts_by_name[name]):
        del counts_by_name[name]


def is_empty(tally: Doc) -> bool:
    """Whether a tally counts nothing."""
    return not (any(tally[name] for name in _SUMS) or tally["_days"] or tally["_remarks"])


def merge_tallies(agent: str, tallies: Iterable[Doc]) -> Doc:
    """Several tallies of one agent as one."""
    merged = empty_tally(agent, "", "")
    for tally in tallies:
        for name in _SUMS:
            merged[name] += tally[name]
        merged["_silent"] += tally.get("_silent", 0)
        merged["last_updated"] = max(merged["last_updated"], tally["last_updated"])
        for part in ("_days", "_areas"):
            for name, counts in tally[part].items():
                _add(merged[part], name, counts)
        for lesson, count in tally["_told"].items():
            merged["_told"][lesson] = merged["_told"].get(lesson, 0) + count
        merged["_remarks"] |= tally["_remarks"]
    return merged


def wilson(successes: int, total: int) -> Interval | None:
    """The 95 % Wilson score interval of a share; None if the total is 0 (E. B. Wilson, JASA 22, 1927)."""
    if total <= 0:
        return None
    share, squared = successes / total, _Z * _Z
    middle = share + squared / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + squared / (4 * total * total))
    below = 1 + squared / total
    return Interval(low=max(0.0, (middle - spread) / below), high=min(1.0, (middle + spread) / below))


def weeks(days: Mapping[str, list[int]]) -> tuple[AgentWeek, ...]:
    """The weeks of the last two years from the counts of days, oldest first; weeks without work are zeros."""
    sums: dict[date, list[int]] = {}
    for day, counts in days.items():
        date_of_day = date.fromisoformat(day)
        monday = date_of_day - timedelta(days=date_of_day.weekday())
        sums[monday] = [a + b for a, b in zip(sums.get(monday, [0] * len(COUNTS)), counts, strict=True)]
    if not sums:
        return ()
    last = max(sums)
    first = max(min(sums), last - timedelta(weeks=MOST_WEEKS - 1))
    every = (first + timedelta(weeks=number) for number in range((last - first).days // 7 + 1))
    rows = ((monday, sums.get(monday, [0] * len(COUNTS))) for monday in every)
    return tuple(
        AgentWeek(
            week=monday.isoformat(), invocations=counts[0], turns=counts[1], success_count=counts[2],
            revision_count=counts[3], cancellation_count=counts[4],
        )
        for monday, counts in rows
    )  # fmt: skip


def area_counts(counts_by_area: Mapping[str, list[int]]) -> tuple[AreaCount, ...]:
    """Counts by area, those judged most often first."""
    ranked = sorted(counts_by_area.items(), key=lambda item: (-sum(item[1][:2]), item[0]))
    return tuple(
        AreaCount(area=area, success_count=good, failure_count=bad, turns=max(good + bad, *turns, 0))
        for area, (good, bad, *turns) in ranked
    )


def strong_areas(areas_counted: Iterable[AreaCount]) -> tuple[str, ...]:
    """At most 5 areas with more successes than failures among at least 10 turns, most successes first."""
    strong = (each for each in _judged_often(areas_counted) if each.success_count > each.failure_count)
    ranked = sorted(strong, key=lambda each: (-each.success_count, each.failure_count, each.area))
    return tuple(each.area for each in ranked[:MOST_AREAS])


def weak_areas(areas_counted: Iterable[AreaCount]) -> tuple[str, ...]:
    """At most 5 areas in which half of all turns failed, of at least 10 judged ones; most failures first.

    A turn of which nobody said anything is no failure, so it counts against the weakness of an area.
    """
    judged = _judged_often(areas_counted)
    weak = (each for each in judged if 2 * each.failure_count >= max(each.turns, each.success_count * 2))
    ranked = sorted(weak, key=lambda each: (-each.failure_count, each.success_count, each.area))
    return tuple(each.area for each in ranked[:MOST_AREAS])


def _judged_often(areas_counted: Iterable[AreaCount]) -> Iterator[AreaCount]:
    return (each for each in areas_counted if each.success_count + each.failure_count >= ENOUGH)


def period(days: Iterable[list[int]]) -> Period:
    """Days as one side of a comparison."""
    _, claims, success, *failed = [sum(column) for column in zip(*days, strict=True)] or [0] * len(COUNTS)
    failures = sum(failed)
    return Period(
        turns=claims, success_count=success, failure_count=failures,
        success_rate=success / (success + failures) if success + failures else None,
        success_interval=wilson(success, success + failures),
        failures_per_turn=min(1.0, failures / claims) if claims else None,
        failure_interval=wilson(min(failures, claims), claims),
    )  # fmt: skip


def change(before: Period, since: Period) -> Change:
    """How failures per turn changed; clear if both periods have enough turns and disjoint intervals."""
    first, second = before.failure_interval, since.failure_interval
    if first is None or second is None or min(before.turns, since.turns) < ENOUGH:
        return "too few to say"
    if second.high < first.low:
        return "better"
    return "worse" if second.low > first.high else "no clear change"
