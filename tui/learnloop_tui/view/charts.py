"""Charts as the console draws them: a title, the picture, and one sentence that says the same in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.wire import clock
from learnloop_tui.view.page_parts import block, heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.models import Lesson
    from learnloop.models.agent import AgentPerformance
    from learnloop.service.charts import plot
    from learnloop.service.charts.series import Corrections, Histogram
    from learnloop_tui.view.text import Line

_LOOKS = {"axis": "label", "mark": "accent", "range": "muted", "label": "muted"}
_WIDEST = 100
"""Wider pictures are no easier to read."""
_FEWEST_WEEKS = 2
"""One week alone shows no course."""


def corrected(agent: AgentPerformance, width: int) -> list[Line]:
    """The share of corrected turns over the weeks, with the 95 % interval of each."""
    from learnloop.service.charts import plot, series

    weeks = series.corrected_by_week(agent)
    if sum(1 for week in weeks if week.turns) < _FEWEST_WEEKS:
        return []
    drawn = plot.shares(weeks, min(width - 2, _WIDEST))
    words = "● share of turns that you corrected; │ its 95 % interval; · a week without"
    return _with_title("Corrected by week", drawn, words, width)


def corrections(lesson: Lesson, width: int, now_ms: int) -> list[Line]:
    """How often a lesson's correction was given, week by week, and when it was promoted."""
    from learnloop.service.charts import plot, series

    weekly = series.corrections_by_week(lesson, clock.iso(now_ms))
    if len(weekly.weeks) < _FEWEST_WEEKS and weekly.promoted is None:
        return []
    drawn = plot.counts(weekly, min(width - 2, _WIDEST))
    return _with_title("Corrections by week", drawn, _told(weekly), width)


def _told(series: Corrections) -> str:
    missing = f"; {series.missing} more in between are counted without their time" if series.missing else ""
    return f"{sum(week.seen for week in series.weeks)} in {len(series.weeks)} weeks{missing}"


def hook_times(series: Histogram, width: int) -> list[Line]:
    """How many firings of hooks took how long."""
    from learnloop.service.charts import plot

    drawn = plot.times(series, min(width - 2, _WIDEST))
    words = f"{series.total:,} firings of the latest {series.days} days measured"
    return _with_title("How long hooks take", drawn, words, width)


def _with_title(title: str, drawn: Sequence[plot.Line], words: str, width: int) -> list[Line]:
    if not drawn:
        return []
    picture = [((" ", "text"), *((part, _LOOKS[role]) for part, role in line)) for line in drawn]
    return [*heading(title, width), *picture, *block(words, width, "muted")]
