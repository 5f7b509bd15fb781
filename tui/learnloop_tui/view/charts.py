"""Charts as the console draws them: a title, the picture, and one sentence that says the same in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.wire import clock
from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance
    from learnloop.service.charts import plot
    from learnloop.service.charts.hook_latency import Histogram
    from learnloop.service.charts.series import Corrections
    from learnloop_tui.view.text import Line

_LOOKS = {"axis": "label", "mark": "accent", "range": "muted", "label": "muted"}
_WIDEST = 100
"""Wider pictures are no easier to read."""
_FEWEST_WEEKS = 2
"""One week alone shows no course."""


def success(one: AgentPerformance, width: int) -> list[Line]:
    """The share of successes over the weeks, with the 95 % interval of each."""
    from learnloop.service.charts import plot, series

    weeks = series.success_by_week(one)
    if sum(1 for week in weeks if week.judged) < _FEWEST_WEEKS:
        return []
    drawn = plot.shares(weeks, min(width - 2, _WIDEST))
    told = "● share of judged turns that went well; │ its 95 % interval; · a week without"
    return _with_title("Success by week", drawn, told, width)


def corrections(lesson: Lesson, width: int, now_ms: int) -> list[Line]:
    """How often a lesson's correction was given, before and since it was promoted."""
    from learnloop.service.charts import plot, series

    found = series.corrections_by_week(lesson, clock.iso(now_ms))
    if len(found.weeks) < _FEWEST_WEEKS and found.promoted is None:
        return []
    drawn = plot.counts(found, min(width - 2, _WIDEST))
    return _with_title("Corrections by week", drawn, _told(found), width)


def _told(found: Corrections) -> str:
    kept = f"; {found.missing} more in between are counted without their time" if found.missing else ""
    if found.promoted is None:
        return f"{found.before} in {len(found.weeks)} weeks{kept}"
    return f"{found.before} before it was promoted, {found.since} since{kept}"


def hook_times(found: Histogram, width: int) -> list[Line]:
    """How many firings of hooks took how long."""
    from learnloop.service.charts import plot

    drawn = plot.times(found, min(width - 2, _WIDEST))
    told = f"{found.total:,} firings of the latest {found.days} days measured"
    return _with_title("How long hooks take", drawn, told, width)


def _with_title(title: str, drawn: Sequence[plot.Line], told: str, width: int) -> list[Line]:
    return [*_framed(title, drawn, told, width)] if drawn else []


def _framed(title: str, drawn: Iterable[plot.Line], told: str, width: int) -> Iterator[Line]:
    yield ()
    yield ((f" {title} ", "brand"), ("─" * max(0, width - text.width(title) - 3), "label"))
    for line in drawn:
        yield ((" ", "text"), *((part, _LOOKS[role]) for part, role in line))
    yield from (((f" {line}", "muted"),) for line in text.wrap(told, width - 2))
