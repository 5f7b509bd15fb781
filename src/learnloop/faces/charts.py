"""Charts on pages: a title, the picture, and one sentence that says the same in words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from learnloop.faces.parts import Chart
from learnloop.wire import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance
    from learnloop.service.charts.series import Corrections, Histogram

_FEWEST_WEEKS = 2
"""One week alone shows no course."""


def corrected(agent: AgentPerformance, *, ascii_only: bool) -> Iterator[Chart]:
    """The share of corrected turns over the weeks, with the 95 % interval of each."""
    from learnloop.service.charts import plot, series

    weeks = series.corrected_by_week(agent)
    if sum(week.turns > 0 for week in weeks) >= _FEWEST_WEEKS:
        words = "● share of turns that you corrected; │ its 95 % interval; · a week without"
        yield Chart("Corrected by week", partial(plot.shares, weeks, ascii_only=ascii_only), words)


def corrections(lesson: Lesson, now_ms: int) -> Iterator[Chart]:
    """How often a lesson's correction was given, week by week, and when it was promoted."""
    from learnloop.service.charts import plot, series

    weekly = series.corrections_by_week(lesson, clock.iso(now_ms))
    if len(weekly.weeks) >= _FEWEST_WEEKS or weekly.promoted is not None:
        yield Chart("Corrections by week", partial(plot.counts, weekly), _told(weekly))


def _told(series: Corrections) -> str:
    missing = f"; {series.missing} more in between are counted without their time" if series.missing else ""
    return f"{sum(week.seen for week in series.weeks)} in {len(series.weeks)} weeks{missing}"


def hook_times(series: Histogram) -> Chart:
    """How many firings of hooks took how long."""
    from learnloop.service.charts import plot

    words = f"{series.total:,} firings of the latest {series.days} days measured"
    return Chart("How long hooks take", partial(plot.times, series), words)
