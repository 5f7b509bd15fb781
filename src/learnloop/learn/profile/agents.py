"""How agents' work went over: what a turn counts for whom, shares and their uncertainty, areas, weeks.

Pure. A tally is what the store keeps of one agent in one project with one host: sums, and under `_` names
what they can be told apart by (days, areas, lessons told, the newest corrections).
"""

import hashlib
import math
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from learnloop.learn.profile import areas
from learnloop.models.agent import AgentWeek, AreaCount, Change, Interval, Period
from learnloop.wire import text

Doc = dict[str, Any]

MAIN = "main"
ENOUGH = 10
"""From so many judged turns on a rate says something: at 10 the 95 % interval is still up to ±26 points."""
LEAST = 2
"""So many times a theme or an area has to come up."""
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
_FAILURES = ("revision", "cancellation")


class Contribution(NamedTuple):
    """What one turn counts for one agent."""

    agent: str
    day: str
    counts: tuple[int, ...]
    """In the order of `COUNTS`."""
    areas: tuple[str, ...] = ()
    """Areas of the work, where it was judged."""
    told: tuple[str, ...] = ()


def stored_name(raw: str) -> str:
    """An agent's name as it is kept: one line, nothing that steers a terminal, at most 100 characters.

    A longer one ends in a hash of all of it, so that two long names stay two.
    """
    name = " ".join(text.clean(raw).split()) or "unnamed"
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 9]}…{hashlib.sha256(raw.encode('utf-8', 'replace')).hexdigest()[:8]}"


def contributions(turn: Doc) -> list[Contribution]:
    """What a turn counts: its outcome for the one agent its claim goes to, invocations for each.

    `main` is invoked by each prompt of a person, a subagent by each of its starts.
    """
    claimant = stored_name(turn.get("agent_used") or MAIN)
    invoked = _invocations(turn)
    outcome = turn.get("outcome", "unknown")
    judged = tuple(int(outcome == name) for name in COUNTS[2:])
    work = areas.areas_of_turn(turn) if any(judged) else ()
    found = []
    for agent in sorted({*invoked, claimant}):
        is_claim = agent == claimant
        counts = (invoked.get(agent, 0), int(is_claim), *(judged if is_claim else (0, 0, 0)))
        told = tuple(turn.get("recalled", ())) if is_claim else ()
        found.append(Contribution(agent, _day_of(turn["started"]), counts, work if is_claim else (), told))
    return found


def _day_of(ts: str) -> str:
    """The UTC day of a time; the first of days where it is none."""
    try:
        return date.fromisoformat(ts[:10]).isoformat()
    except ValueError:
        return "1970-01-01"


def _invocations(turn: Doc) -> dict[str, int]:
    found = {MAIN: 1} if turn.get("origin") == "human" else {}
    starts = turn.get("starts")
    counted = starts if starts is not None else dict.fromkeys(turn.get("agents", ()), 1)
    for agent, count in counted.items():
        name = stored_name(agent)
        if name != MAIN and count:
            found[name] = found.get(name, 0) + count
    return found


def tally_id(agent: str, project: str, host: str) -> str:
    """The name of a tally in the store: safe whatever the agent is called."""
    return hashlib.sha256("\0".join((agent, project, host)).encode("utf-8", "replace")).hexdigest()[:16]


def empty_tally(agent: str, project: str, host: str) -> Doc:
    """A tally of nothing."""
    return {
        "id": tally_id(agent, project, host), "agent_name": agent, "project": project, "host": host,
        **dict.fromkeys(_SUMS, 0), "last_updated": "",
        "_days": {}, "_areas": {}, "_told": {}, "_remarks": {},
    }  # fmt: skip


def count_contribution(tally: Doc, share: Contribution, sign: int) -> None:
    """Count a share in (sign 1), or take it out again (-1); a tally never goes below nothing."""
    for name, count in zip(_SUMS, share.counts, strict=True):
        tally[name] = max(0, tally[name] + sign * count)
    days = tally["_days"]
    counted = [max(0, old + sign * new) for old, new in zip(_day(days, share.day), share.counts, strict=True)]
    days[share.day] = counted
    if not any(counted):
        del days[share.day]
    while len(days) > MOST_DAYS:
        del days[min(days)]
    success, failure = share.counts[2], share.counts[3] + share.counts[4]
    for area in share.areas:
        known = tally["_areas"].get(area, [0, 0])
        made = [max(0, known[0] + sign * success), max(0, known[1] + sign * failure)]
        _keep(tally["_areas"], area, made, any(made))
    for lesson in share.told:
        told = tally["_told"].get(lesson, 0) + sign
        _keep(tally["_told"], lesson, told, told > 0)
    while len(tally["_told"]) > MOST_TOLD:
        del tally["_told"][next(iter(tally["_told"]))]


def _day(days: dict[str, list[int]], day: str) -> list[int]:
    return days.get(day) or [0] * len(COUNTS)


def _keep(found: Doc, name: str, value: object, wanted: bool) -> None:
    if wanted:
        found[name] = value
    else:
        found.pop(name, None)


def is_empty(tally: Doc) -> bool:
    """Whether nothing is counted in it."""
    return not (any(tally[name] for name in _SUMS) or tally["_days"] or tally["_remarks"])


def merge_tallies(agent: str, tallies: Iterable[Doc]) -> Doc:
    """Several tallies of one agent as one."""
    made = empty_tally(agent, "", "")
    for tally in tallies:
        for name in _SUMS:
            made[name] += tally[name]
        made["last_updated"] = max(made["last_updated"], tally["last_updated"])
        for day, counts in tally["_days"].items():
            made["_days"][day] = [a + b for a, b in zip(_day(made["_days"], day), counts, strict=True)]
        for area, counts in tally["_areas"].items():
            known = made["_areas"].get(area, [0, 0])
            made["_areas"][area] = [known[0] + counts[0], known[1] + counts[1]]
        for lesson, count in tally["_told"].items():
            made["_told"][lesson] = made["_told"].get(lesson, 0) + count
        made["_remarks"] |= tally["_remarks"]
    return made


def wilson(successes: int, total: int) -> Interval | None:
    """The 95 % Wilson score interval of a share, None of nothing (E. B. Wilson, JASA 22, 1927)."""
    if total <= 0:
        return None
    share, squared = successes / total, _Z * _Z
    middle = share + squared / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + squared / (4 * total * total))
    below = 1 + squared / total
    return Interval(low=max(0.0, (middle - spread) / below), high=min(1.0, (middle + spread) / below))


def weeks(days: Mapping[str, list[int]]) -> tuple[AgentWeek, ...]:
    """The last two years' weeks from days, oldest first, quiet ones between them as zeros."""
    sums: dict[date, list[int]] = {}
    for day, counts in days.items():
        found = date.fromisoformat(day)
        monday = found - timedelta(days=found.weekday())
        sums[monday] = [a + b for a, b in zip(sums.get(monday, [0] * len(COUNTS)), counts, strict=True)]
    if not sums:
        return ()
    last = max(sums)
    first = max(min(sums), last - timedelta(weeks=MOST_WEEKS - 1))
    every = (first + timedelta(weeks=number) for number in range((last - first).days // 7 + 1))
    return tuple(_week(monday, sums.get(monday, [0] * len(COUNTS))) for monday in every)


def _week(monday: date, counts: list[int]) -> AgentWeek:
    return AgentWeek(
        week=monday.isoformat(), invocations=counts[0], success_count=counts[2], revision_count=counts[3],
        cancellation_count=counts[4],
    )  # fmt: skip


def area_counts(found: Mapping[str, list[int]]) -> tuple[AreaCount, ...]:
    """All areas, those judged most often first."""
    made = [AreaCount(area=area, success_count=one, failure_count=two) for area, (one, two) in found.items()]
    return tuple(sorted(made, key=lambda one: (-one.success_count - one.failure_count, one.area)))


def strong_areas(found: Iterable[AreaCount]) -> tuple[str, ...]:
    """At most 5 areas with 2 successes or more, and more successes than failures; the most first."""
    chosen = [one for one in found if one.success_count >= LEAST and one.success_count > one.failure_count]
    ranked = sorted(chosen, key=lambda one: (-one.success_count, one.failure_count, one.area))
    return tuple(one.area for one in ranked[:MOST_AREAS])


def weak_areas(found: Iterable[AreaCount]) -> tuple[str, ...]:
    """At most 5 areas with 2 failures or more, and at least as many failures as successes; the most first."""
    chosen = [one for one in found if one.failure_count >= LEAST and one.failure_count >= one.success_count]
    ranked = sorted(chosen, key=lambda one: (-one.failure_count, one.success_count, one.area))
    return tuple(one.area for one in ranked[:MOST_AREAS])


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
    """How failures per turn changed: clear where each side has enough turns and the intervals are apart."""
    one, other = before.failure_interval, since.failure_interval
    if one is None or other is None or min(before.turns, since.turns) < ENOUGH:
        return "too few to say"
    if other.high < one.low:
        return "better"
    return "worse" if other.low > one.high else "no clear change"
