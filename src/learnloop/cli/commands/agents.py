"""`learn agents`: how each agent's work went, and where it goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Sequence

    from learnloop.models.agent import AgentPerformance, AgentWeek, Period
    from learnloop.service.workspace import Workspace

_WEEKS = 12
_BAR = 20


def _add(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one agent, with all that is known of it")
    parser.add_argument("--project", metavar="FOLDER", help="only what was done in one project")
    parser.add_argument("--host", metavar="H", help="only what was done with one host, like claude")
    parser.add_argument("--split", action="store_true", help="a line for each project and host")
    options.add_json(parser)


def _run(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.profile import agents

    project = options.project_named(args.project) if args.project else None
    every = agents.performance(ws, project=project, host=args.host, split=args.split)
    if args.name is not None:
        every = agents.named(every, args.name)
    if args.json:
        output.documents(every)
        return 0
    if args.name is not None and not args.split:
        _show(every[0])
        return 0
    columns = [Column("AGENT", style="cyan")]
    columns += [Column("PROJECT"), Column("HOST")] if args.split else []
    columns += [
        Column("RUNS", "right"), Column("GOOD", "right"), Column("REVISED", "right"),
        Column("CANCELLED", "right"), Column("SUCCESS", "right"), Column("95 %"), Column("WEEKS"),
        Column("WEAK AT", wide=True),
    ]  # fmt: skip
    output.table(columns, [_cells(one, args.split) for one in every], empty=_EMPTY)
    return 0


_EMPTY = "No agent was at work yet: run learn install, then give your agent a task; or learn backfill"


def _cells(one: AgentPerformance, split: bool) -> list[object]:
    place = [one.project.rstrip("/").rpartition("/")[2] or one.project, one.host] if split else []
    counts = [one.total_invocations, one.success_count, one.revision_count, one.cancellation_count]
    weak = ", ".join(one.weak_areas)
    return [one.agent_name, *place, *counts, rate(one), between(one), spark(one.series[-_WEEKS:]), weak]


def rate(one: AgentPerformance) -> str:
    """The share of successes, or that there are too few to say."""
    if one.success_rate is None:
        return "–"
    return f"{one.success_rate:.0%}" if one.enough else "too few"


def between(one: AgentPerformance) -> str:
    """The interval of the share as numbers."""
    return f"{one.interval.low:.0%}–{one.interval.high:.0%}" if one.interval else ""


def spark(weeks: Iterable[AgentWeek]) -> str:
    """Invocations by week as a row of bars, oldest first."""
    counts = [week.invocations for week in weeks]
    most = max(counts, default=0)
    return "".join("▁▂▃▄▅▆▇█"[max(0, -(-8 * count // most) - 1)] if count else "·" for count in counts)


def _show(one: AgentPerformance) -> None:
    output.line(one.agent_name)
    judged = f"{one.success_count} good, {one.revision_count} revised, {one.cancellation_count} cancelled"
    output.fields(
        [
            ("runs", one.total_invocations), ("judged", judged),
            ("success", f"{rate(one)} ({between(one)})" if one.interval else "nothing was judged yet"),
            ("strong at", ", ".join(one.strong_areas)), ("weak at", ", ".join(one.weak_areas)),
            ("weeks", spark(one.series[-_WEEKS:])), ("last", output.local(one.last_updated)),
        ],
        indent="  ",
    )  # fmt: skip
    _chart(one)
    _themes(one)
    _lessons(one)


def _chart(one: AgentPerformance) -> None:
    """The share of successes over the weeks; one week alone shows no course."""
    from learnloop.service.charts import plot, series

    weeks = series.success_by_week(one)
    if sum(week.judged > 0 for week in weeks) > 1:
        output.line("\nSuccess by week, with 95 % intervals")
        for line in plot.plain(plot.shares(weeks[-_WEEKS:], 80, ascii_only=output.is_narrow())):
            output.line(line)


def _themes(one: AgentPerformance) -> None:
    if one.failure_patterns:
        output.line("\nGoes wrong again and again")
    for theme in one.failure_patterns:
        output.line(f"  {theme.count}×  {output.short(theme.pattern, 200)}")
        for example in theme.examples:
            output.line(f"        “{output.short(example, 160)}”")


def _lessons(one: AgentPerformance) -> None:
    if not one.lessons:
        return
    output.line("\nBefore and since lessons were promoted (corrections per turn)")
    columns = [Column("LESSON", style="cyan"), Column("BEFORE"), Column("SINCE"), Column("CHANGE"),
               Column("SAYS", wide=True)]  # fmt: skip
    rows: list[Sequence[object]] = [
        [effect.lesson_id[:6], side(effect.before), side(effect.since), effect.change, effect.statement]
        for effect in one.lessons
    ]
    output.table(columns, rows)


def side(period: Period) -> str:
    """Failures per turn on one side of a promotion, with its interval."""
    if period.failures_per_turn is None or period.failure_interval is None:
        return "no turns"
    low, high = period.failure_interval.low, period.failure_interval.high
    return f"{period.failures_per_turn:.0%} of {period.turns} ({low:.0%}–{high:.0%})"


COMMAND = Command(_add, _run)
