"""What charts are drawn from: shares by week, corrections before and since a promotion.

Each is worked out of one document that is read anyway, so that a chart costs nothing to speak of.
"""

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from learnloop.learn.profile import agent_tallies

if TYPE_CHECKING:
    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance


class WeekShare(NamedTuple):
    """How one week's judged turns went over."""

    week: str
    """Its Monday, YYYY-MM-DD."""
    judged: int
    share: float | None = None
    """0–1; None where nothing was judged."""
    low: float = 0.0
    high: float = 1.0
    """The ends of the 95 % Wilson interval."""


class WeekCount(NamedTuple):
    """How often something was seen in one week."""

    week: str
    """Its Monday, YYYY-MM-DD."""
    seen: int


class Corrections(NamedTuple):
    """How often a lesson's correction was given, week by week, and when the lesson was promoted."""

    weeks: tuple[WeekCount, ...] = ()
    """Oldest first, quiet ones included, up to this week."""
    promoted: int | None = None
    """The place of the week of the promotion among them; None where it was not promoted."""
    before: int = 0
    since: int = 0
    """Counted to the moment, so that the week of the promotion is split."""
    missing: int = 0
    """Corrections that were counted, but whose time is not kept any more."""


def success_by_week(one: "AgentPerformance") -> tuple[WeekShare, ...]:
    """The share of successes of each week of an agent, oldest first, with its 95 % interval."""
    return tuple(
        _share(
            week.week, week.success_count, week.success_count + week.revision_count + week.cancellation_count
        )
        for week in one.series
    )


def _share(week: str, good: int, judged: int) -> WeekShare:
    interval = agent_tallies.wilson(good, judged)
    if interval is None:
        return WeekShare(week, 0)
    return WeekShare(week, judged, good / judged, interval.low, interval.high)


def corrections_by_week(lesson: "Lesson", now: str) -> Corrections:
    """When a lesson's correction was given, by what is kept of its evidence; `now` as documents carry times.

    Only words of a person or a refusal count: what an agent offers corrects nobody.
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
    since = sum(ts >= promoted for ts in times) if promoted else 0
    return Corrections(
        tuple(WeekCount(monday.isoformat(), counts[monday]) for monday in mondays),
        mondays.index(at) if at in mondays else None,
        len(times) - since, since, max(0, lesson.seen_count - len(times)),
    )  # fmt: skip


def _mondays(start: date, end: date) -> list[date]:
    """Every week between two Mondays, at most two years of them, the newest."""
    count = min((end - start).days // 7 + 1, agent_tallies.MOST_WEEKS)
    return [end - timedelta(weeks=back) for back in reversed(range(count))]


def _monday(ts: str) -> date | None:
    try:
        day = date.fromisoformat(ts[:10])
    except ValueError:
        return None
    return day - timedelta(days=day.weekday())
