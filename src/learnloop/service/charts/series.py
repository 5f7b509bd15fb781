"""The data of charts: shares and corrections by week, and how long hooks took lately.

Each comes from one document that is read anyway, so a chart costs next to nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.ingest.effects import BOUNDS_MS, bucket
from learnloop.learn.profile import agent_tallies
from learnloop.models.base import Document

if TYPE_CHECKING:
    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance


class WeekShare(NamedTuple):
    """The share of one week's turns that were corrected."""

    week: str
    """Its Monday, YYYY-MM-DD."""
    turns: int
    share: float | None = None
    """0–1; None where there was no turn."""
    low: float = 0.0
    high: float = 1.0
    """The ends of the 95 % Wilson interval."""


class WeekCount(NamedTuple):
    """A count of one week."""

    week: str
    """Its Monday, YYYY-MM-DD."""
    seen: int


class Corrections(NamedTuple):
    """How often a lesson's correction was given, by week, and when the lesson was promoted."""

    weeks: tuple[WeekCount, ...] = ()
    """Oldest first, up to this week; weeks without any are included."""
    promoted: int | None = None
    """The position of the promotion's week in `weeks`; None where the lesson was not promoted."""
    missing: int = 0
    """Corrections that were counted, but whose time is no longer stored."""


def corrected_by_week(agent: "AgentPerformance") -> tuple[WeekShare, ...]:
    """The share of corrected turns of each week of an agent, oldest first, with its 95 % interval."""
    return tuple(_share(week.week, week.revision_count, week.turns) for week in agent.series)


def all_corrections_by_week(
    agents: "Iterable[AgentPerformance]", since: str, now: str
) -> tuple[WeekCount, ...]:
    """The corrected turns of all agents by week, oldest first; from that of `since`, else the first one."""
    corrected: Counter[str] = Counter()
    for agent in agents:
        corrected.update({week.week: week.revision_count for week in agent.series})
    start, end = _monday(since or min(corrected, default="")), _monday(now)
    if start is None or end is None:
        return ()
    return tuple(
        WeekCount(str(monday), corrected[str(monday)]) for monday in _mondays(start, max(end, start))
    )


def _share(week: str, corrected: int, turns: int) -> WeekShare:
    interval = agent_tallies.wilson(corrected, turns)
    if interval is None:
        return WeekShare(week, 0)
    return WeekShare(week, turns, corrected / turns, interval.low, interval.high)


def corrections_by_week(lesson: "Lesson", now: str) -> Corrections:
    """When a lesson's correction was given, by its stored evidence; `now` is an ISO time.

    Only a person's words and refusals count: an agent's offer corrects nobody.
    """
    if lesson.trust == "agent":
        return Corrections()
    times = sorted(seen.ts for seen in lesson.evidence if _monday(seen.ts))
    promoted = lesson.reviewed_at if lesson.status in ("active", "archived") else None
    start, end = _monday(times[0]) if times else None, _monday(now)
    if start is None or end is None:
        return Corrections()
    mondays = _mondays(start, max(end, start))
    counts = Counter(map(_monday, times))
    at = _monday(promoted) if promoted else None
    return Corrections(
        tuple(WeekCount(monday.isoformat(), counts[monday]) for monday in mondays),
        mondays.index(at) if at in mondays else None,
        max(0, lesson.seen_count - len(times)),
    )  # fmt: skip


def _mondays(start: date, end: date) -> list[date]:
    """The Mondays from `start` to `end`; of more than two years the latest."""
    count = min((end - start).days // 7 + 1, agent_tallies.MOST_WEEKS)
    return [end - timedelta(weeks=back) for back in reversed(range(count))]


def _monday(ts: str) -> date | None:
    try:
        day = date.fromisoformat(ts[:10])
    except ValueError:
        return None
    return day - timedelta(days=day.weekday())


LATEST_DAYS = 7
"""The days in a histogram: older ones may be of another version."""


class Histogram(Document):
    """Firings of hooks by duration."""

    bounds_ms: tuple[int, ...] = BOUNDS_MS
    """Upper bounds, milliseconds."""
    counts: tuple[int, ...] = ()
    """One more than bounds: the last counts the rest. Empty where nothing was measured."""
    days: int = LATEST_DAYS

    @property
    def total(self) -> int:
        """All firings."""
        return sum(self.counts)


def latencies(days: Mapping[str, Mapping[str, Any]], events: Iterable[Mapping[str, Any]]) -> Histogram:
    """The histogram of the latest measured days; before the first ingest, of the given events."""
    sums = [0] * (len(BOUNDS_MS) + 1)
    for day in sorted(days)[-LATEST_DAYS:]:
        for buckets in days[day].get("latencies", {}).values():
            sums = [total + count for total, count in zip(sums, buckets, strict=False)]
    if not any(sums):
        for event in events:
            took = event.get("hook_ms")
            if isinstance(took, int | float):
                sums[bucket(took)] += 1
    return Histogram(counts=tuple(sums) if any(sums) else ())
