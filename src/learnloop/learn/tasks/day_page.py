"""The log of a day as Markdown. Pure."""

import json
from collections.abc import Iterator

from learnloop.learn.profile import agent_tallies
from learnloop.learn.tasks import day_summary
from learnloop.models.day_log import DayLog, DayMetrics, LoggedTask

MARK = "status: auto-generated"
"""A line of the front matter: a file without it is somebody's own."""
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\[]<>*"})
"""Captured words must neither load a picture nor look like a heading, a link or a ticked box."""


def page(log: DayLog) -> str:
    """Return the text of a log's file."""
    return "\n".join(_lines(log)) + "\n"


def _lines(log: DayLog) -> Iterator[str]:
    yield from ("---", f"date: {log.date}", "type: daily-log", MARK)
    yield from (
        f"project: {json.dumps(_one_line(log.project), ensure_ascii=False)}",
        f'timezone: "{log.timezone}"',
        "---",
        "",
    )
    yield from (f"# Daily Log - {log.date}", "", "## Summary", log.summary)
    if log.metrics.total:
        yield from ("", "## Metrics", *_metrics(log.metrics))
        yield from ("", "## Tasks", *map(_task, log.tasks))
        yield from ("", "## Insights", *(f"- {_plain(insight)}" for insight in log.insights))
        if not log.insights:
            yield "Nothing stands out."


def _metrics(metrics: DayMetrics) -> Iterator[str]:
    yield f"- Total Tasks: {metrics.total} ({day_summary.outcomes_in_words(metrics.by_outcome)})"
    yield f"- Success Rate: {rate(metrics)}"
    yield f"- Median Duration: {day_summary.duration(metrics.median_duration_ms or 0)}"
    yield f"- By Kind: {_listed(metrics.by_kind)}"
    yield f"- By Agent: {_listed(metrics.by_agent)}"
    if metrics.subagent_runs:
        yield f"- Subagent Runs: {metrics.subagent_runs} ({metrics.subagent_failures} failed)"


def rate(metrics: DayMetrics) -> str:
    """Return the share of successes with its interval, and how many tasks are unknown."""
    unknown = metrics.total - metrics.judged
    if metrics.success_rate is None or metrics.interval is None:
        return f"not known ({unknown} unknown)"
    low, high = round(metrics.interval.low * 100), round(metrics.interval.high * 100)
    share = f"{metrics.success_rate * 100:.1f} % of {metrics.judged} judged"
    return f"{share} (95 % interval {low}–{high} %; {unknown} unknown)"


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{_plain(name)} {count}" for name, count in counts.items())


def _task(task: LoggedTask) -> str:
    tick = "x" if task.outcome == "success" else " "
    known = ", inferred" if task.known == "inferred" else ""
    turns = f"{task.turns} turns" if task.turns > 1 else ""
    agent = task.agent if task.agent != agent_tallies.MAIN else ""
    before = f"continues {task.continues[: day_summary.SHORT]}" if task.continues else ""
    took = day_summary.duration(task.duration_ms)
    parts = [f"{task.outcome}{known}", task.kind, turns, took, agent, task.id[: day_summary.SHORT], before]
    return f"- [{tick}] {_plain(task.title)} ({_plain(' · '.join(filter(None, parts)))})"


def _plain(words: str) -> str:
    return _one_line(words).translate(_ESCAPED)


def _one_line(words: str) -> str:
    return " ".join(words.split())
