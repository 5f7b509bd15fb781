"""The report as one HTML page that needs nothing else: no network, no script. Pure.

Whatever is printed passes `_printed` and the escaping after it. The policy in the page's head forbids scripts
and requests, should a text slip through all the same.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import leather
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from learnloop.service.charts.hook_latency import Histogram
from learnloop.service.charts.plot import range_words
from learnloop.service.report.report_view import ReportView, day
from learnloop.wire import redact

_WIDTH, _HEIGHT = 860, 300
_MOST_TICKS = 9


class _Marks(leather.Dots):  # type: ignore[misc]
    """Dots over named weeks, which the scale of the columns places well."""

    def validate_series(self, _series: object) -> bool:
        return True


def html(report: ReportView, extras: Sequence[str] = ()) -> str:
    """The page; `extras` are the person's own patterns of secrets."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        finalize=partial(_printed, extras),
    )  # fmt: skip
    environment.filters["day"] = day
    template = environment.get_template("report.html.jinja")
    return template.render(
        report=report, corrections=_corrections(report), latencies=_latencies(report.health.hook_latencies)
    )


def _printed(extras: Sequence[str], value: object) -> object:
    return value if isinstance(value, Markup) else redact.cleaned(str(value), extras)


def _corrections(report: ReportView) -> Markup | None:
    """Columns of corrections by week, with a dot as high as the lessons that were promoted in it."""
    weeks = [week.week for week in report.weeks]
    if not weeks:
        return None
    chart = leather.Chart()
    chart.add_columns([tuple(week) for week in report.weeks], name="corrections", fill_color="var(--accent)")
    promoted = Counter(map(_monday, (lesson.promoted for lesson in report.promotions if lesson.promoted)))
    dots = [(week, promoted[week]) for week in weeks if promoted[week]]
    if dots:
        chart.add_series(leather.Series(dots, name="lessons promoted"), _Marks("var(--mark)", 8))
    most = max(*(week.seen for week in report.weeks), *promoted.values(), 4)
    chart.add_y_scale(0, most)
    chart.add_y_axis(ticks=sorted({most * quarter // 4 for quarter in range(5)}))
    ticks = weeks[:: -(-len(weeks) // _MOST_TICKS)]
    chart.add_x_axis(ticks=ticks, tick_formatter=lambda week, *_: day(week)[:-5])
    return _svg(chart)


def _latencies(histogram: Histogram) -> Markup | None:
    """Bars of hook firings by their duration."""
    filled = [at for at, count in enumerate(histogram.counts) if count]
    if not filled:
        return None
    chart = leather.Chart()
    span = range(filled[0], filled[-1] + 1)
    chart.add_columns(
        [(range_words(histogram, at), histogram.counts[at]) for at in span], fill_color="var(--accent)"
    )
    return _svg(chart)


def _svg(chart: leather.Chart) -> Markup:
    """The chart as an element that scales with the page."""
    size = f'width="{_WIDTH}" height="{_HEIGHT}"'
    drawn = chart.to_svg(width=_WIDTH, height=_HEIGHT)
    return Markup(drawn.replace(size, f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"', 1))


def _monday(ts: str) -> str:
    then = date.fromisoformat(ts[:10])
    return (then - timedelta(days=then.weekday())).isoformat()
