"""The report page: what it shows, gathered from the other rooms of the service, and how it is written."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import leather
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from learnloop.learn.lessons import scorer
from learnloop.models import usage_counts
from learnloop.models.agent import AgentPerformance
from learnloop.service import project_names
from learnloop.service.charts import series
from learnloop.service.charts.plot import range_words
from learnloop.service.charts.series import Histogram, WeekCount
from learnloop.service.health import health_report
from learnloop.service.health.health_report import Health
from learnloop.service.lessons import outcome_words, rows
from learnloop.service.profile import agent_figures
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.wire import clock, redact


class Theme(NamedTuple):
    """What an agent was corrected on more than once."""

    agent: str
    times: int
    words: str
    """The instruction; empty where there are only complaints."""
    quotes: tuple[str, ...]


class LessonResult(NamedTuple):
    """An active lesson, and what came of it since it was promoted."""

    statement: str
    project: str
    """The folder's name, told apart from others; empty where it holds everywhere."""
    promoted: str
    """ISO time."""
    told: int
    heeded: int
    ignored: int
    """The agent did otherwise, or the person had to say it again."""
    open: int
    came_back: int
    complaint: str
    """The person's last complaint."""

    @property
    def outcomes(self) -> str:
        """What became of the tellings: `heeded 2, open 1`."""
        return ", ".join(
            f"{name} {n}" for name in ("heeded", "ignored", "open") if (n := getattr(self, name))
        )


class ReportView(NamedTuple):
    """Everything on the page, in the order in which it is shown."""

    made: str
    since: str
    """ISO times; `since` is empty where the page shows all there is."""
    project: str
    weeks: tuple[WeekCount, ...]
    promotions: tuple[LessonResult, ...]
    """Lessons promoted since then, the newest first."""
    themes: tuple[Theme, ...]
    lessons: tuple[LessonResult, ...]
    """Those that were told or came back, what worked least first."""
    agents: tuple[AgentPerformance, ...]
    health: Health
    """Of all projects: hooks and their cost are counted by day alone."""

    @property
    def turns(self) -> int:
        """The turns of all agents."""
        return sum(agent.turns for agent in self.agents)

    @property
    def corrected(self) -> int:
        """The turns that were corrected."""
        return sum(agent.revision_count for agent in self.agents)


def gather(
    ws: Workspace, *, now_ms: int, since_ms: int = 0, project: str = "", quotes: bool = True
) -> ReportView:
    """Read the report; `since_ms` of 0 is all there is, an empty project every one."""
    since = clock.iso(since_ms) if since_ms else ""
    agents = agent_figures.performance(ws, project=project or None, since=since[:10])
    folders = project_names.names([project, *(row.project for row in rows.rows(ws, None))])
    outcomes = list(_outcomes(ws, project, quotes, folders))
    return ReportView(
        made=clock.iso(now_ms), since=since, project=folders.get(project, ""),
        weeks=series.all_corrections_by_week(agents, since, clock.iso(now_ms)),
        promotions=tuple(outcome for outcome in outcomes if outcome.promoted >= since),
        themes=tuple(_themes(agents, quotes)),
        lessons=tuple(sorted((each for each in outcomes if each.told or each.came_back), key=_worst_first)),
        agents=tuple(agent for agent in agents if agent.turns),
        health=health_report.health_report(ws, now_ms),
    )  # fmt: skip


def day(ts: str) -> str:
    """A time as a day: `22 Nov 2026`."""
    then = datetime.fromtimestamp(clock.parse_ms(ts) / 1000, UTC)
    return f"{then.day} {then:%b %Y}"


def _themes(agents: list[AgentPerformance], quotes: bool) -> Iterator[Theme]:
    themes = [(agent.agent_name, theme) for agent in agents for theme in agent.failure_patterns]
    for name, theme in sorted(themes, key=lambda pair: -pair[1].count):
        if quotes or theme.instruction:
            yield Theme(name, theme.count, theme.instruction, theme.examples if quotes else ())


def _outcomes(
    ws: Workspace, project: str, quotes: bool, folders: Mapping[str, str]
) -> Iterator[LessonResult]:
    """The active lessons that hold in a project, the latest promoted first."""
    docs = rows.documents_of(
        ws, lambda row: row.status == "active" and (row.scope == "global" or project in ("", row.project))
    )
    for doc in sorted(docs, key=lambda doc: doc.get("reviewed_at") or "", reverse=True):
        where = "" if doc.get("scope") == "global" else folders.get(doc.get("project", ""), "")
        yield _outcome(doc, where, quotes)


def _outcome(doc: dict[str, Any], where: str, quotes: bool) -> LessonResult:
    usage = usage_counts.current(doc.get("usage") or {})
    verdicts = scorer.verdicts(usage)
    told = usage.get("told_sessions") or usage.get("recalled", 0)
    complaint = outcome_words.last_complaint(doc) if quotes else None
    return LessonResult(
        statement=doc.get("statement", ""),
        project=where,
        promoted=doc.get("reviewed_at") or "",
        told=told, heeded=verdicts.heeded, ignored=verdicts.failed,
        open=max(0, told - verdicts.heeded - verdicts.failed), came_back=usage.get("recurred", 0),
        complaint=complaint["words"] if complaint else "",
    )  # fmt: skip


def _worst_first(outcome: LessonResult) -> tuple[int, int, str]:
    return -outcome.ignored - outcome.came_back, -outcome.heeded, outcome.statement


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


def page(ws: Workspace, *, days_ms: int = 0, project: str = "", quotes: bool = True) -> str:
    """The report of the last `days_ms` milliseconds (0: of all time) as HTML."""
    now_ms = clock.now_ms()
    since_ms = now_ms - days_ms if days_ms else 0
    report = gather(ws, now_ms=now_ms, since_ms=since_ms, project=project, quotes=quotes)
    return html(report, ws.settings.redaction.extras)


def write_for_console(ws: Workspace) -> Path:
    """Write the report of all time among the console's files, which `learn forget` removes; returns where."""
    files.replace(path(ws), [page(ws).encode("utf-8", "replace")])
    return path(ws)


def path(ws: Workspace) -> Path:
    """Where the report goes unless a place is named; `learn forget` removes it from there."""
    return Path(ws.root, "console", "report.html")
