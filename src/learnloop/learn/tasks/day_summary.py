"""The log of a day: its figures and what stands out, from tasks, feedback and lessons. Pure."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.learn.profile import agent_tallies
from learnloop.learn.tasks import patterns
from learnloop.models.day_log import DayLog, DayMetrics, LoggedTask, RepeatedError, SuccessPattern
from learnloop.models.feedback import Feedback
from learnloop.models.task import Task, TaskOutcome
from learnloop.wire import text

Doc = Mapping[str, Any]
FEWEST_SUCCESSES, FEWEST_JUDGED = 2, 3
"""Tasks of a kind from which on it may be what went well most often, and most surely."""
SHORT = 12
"""Characters of an id that are shown."""
QUIET = "No task on this day."
_MOST_LINES, _MOST_QUOTES, _QUOTE = 5, 3, 100
_UNITS = ((3_600_000, "h"), (60_000, "min"), (1000, "s"))


class DayFacts(NamedTuple):
    """What a day's log is made of."""

    date: str
    project: str
    timezone: str
    tasks: Sequence[Task]
    """Of the day, newest first, with the runs of subagents."""
    week: Sequence[Task] = ()
    """Of the week that ends with the day."""
    corrections: Sequence[Feedback] = ()
    drafted: Sequence[Doc] = ()
    """Lessons that were drafted on the day."""
    approved: Sequence[Doc] = ()
    heeded: Iterable[str] = ()
    """Ids of lessons that were told on the day and heeded."""
    experiments: Sequence[str] = ()
    """What each experiment with moments on the day counted."""


def write(facts: DayFacts) -> DayLog:
    """Return the log of a day."""
    own = [task for task in reversed(facts.tasks) if task.parent is None]
    runs = [task for task in facts.tasks if task.parent is not None]
    metrics = measure(own, runs)
    week = [task for task in facts.week if task.parent is None]
    successes = patterns.successes(week)[:_MOST_LINES]
    # Only what the day itself saw again: an old error that rests is no news.
    today = {task.id for task in facts.tasks}
    repeated = [error for error in patterns.errors(facts.week) if today & {*error.tasks}][:_MOST_LINES]
    return DayLog(
        date=facts.date, project=facts.project, timezone=facts.timezone,
        summary=_summary(own, metrics), metrics=metrics, tasks=tuple(map(_logged, own)),
        insights=tuple(_insights(facts, own, successes, repeated)) if own else (),
        successes=successes, errors=tuple(repeated),
    )  # fmt: skip


def measure(tasks: Sequence[Task], runs: Sequence[Task] = ()) -> DayMetrics:
    """Return the figures of tasks, and of runs of subagents."""
    outcomes = Counter(task.outcome for task in tasks)
    judged = len(tasks) - outcomes["unknown"]
    return DayMetrics(
        total=len(tasks), by_outcome=dict(outcomes.most_common()), judged=judged,
        success_rate=outcomes["success"] / judged if judged else None,
        interval=agent_tallies.wilson(outcomes["success"], judged),
        median_duration_ms=round(statistics.median(task.duration_ms for task in tasks)) if tasks else None,
        by_kind=_counted(task.kind for task in tasks), by_agent=_counted(task.agent for task in tasks),
        subagent_runs=len(runs), subagent_failures=sum(run.outcome == "failed" for run in runs),
    )  # fmt: skip


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _logged(task: Task) -> LoggedTask:
    return LoggedTask(
        id=task.id, title=task.title, outcome=task.outcome, known=task.known, kind=task.kind,
        agent=task.agent, duration_ms=task.duration_ms, turns=len(task.turns), continues=task.continues,
    )  # fmt: skip


def _summary(tasks: Sequence[Task], metrics: DayMetrics) -> str:
    if not tasks:
        return QUIET
    busy = duration(sum(task.busy_ms for task in tasks))
    plural = "task" if metrics.total == 1 else "tasks"
    return f"{metrics.total} {plural} ({outcomes_in_words(metrics.by_outcome)}), {busy} of work."


def outcomes_in_words(by_outcome: Mapping[TaskOutcome, int]) -> str:
    """Return counts by outcome: `3 success, 1 failed, 2 unknown`."""
    return ", ".join(f"{count} {name}" for name, count in by_outcome.items())


def duration(ms: int) -> str:
    """Return a duration in its largest unit, and the next: `1 h 5 min`, `42 s`."""
    for at, (size, unit) in enumerate(_UNITS):
        if ms >= size:
            rest = ms % size // _UNITS[at + 1][0] if at + 1 < len(_UNITS) else 0
            return f"{ms // size} {unit}" + (f" {rest} {_UNITS[at + 1][1]}" if rest else "")
    return "under a second"


def _insights(
    facts: DayFacts,
    tasks: Sequence[Task],
    successes: Sequence[SuccessPattern],
    errors: Sequence[RepeatedError],
) -> Iterator[str]:
    yield from _by_kind(tasks)
    for pattern in successes:
        names = ", ".join(_below(facts.project, name) for name in pattern.names)
        times = f"Went well {pattern.count} times in the last 7 days"
        yield f"{times}: {pattern.kind} with {names} ({_ids(pattern.tasks)})."
    for error in errors:
        fixes = ", ".join(_below(facts.project, name) for name in error.fixes)
        fixed = f" Before it passed: {fixes}." if fixes else ""
        where = f"{error.count} tasks of the last 7 days ({_ids(error.tasks)})"
        yield f"Came again: {error.error_class}, in {where}.{fixed}"
    yield from _lessons(facts, tasks)


def _below(project: str, name: str) -> str:
    """A file's name below the project; the first line of a command."""
    return text.cut(name.removeprefix(f"{project}/").partition("\n")[0], _QUOTE)


def _by_kind(tasks: Sequence[Task]) -> Iterator[str]:
    """The kind that went well most often, and the one that did most surely."""
    kinds = {task.kind for task in tasks} - {"other"}
    figures = {kind: measure([task for task in tasks if task.kind == kind]) for kind in kinds}
    well = {kind: metrics for kind, metrics in figures.items() if _successes(metrics) >= FEWEST_SUCCESSES}
    if not well:
        return
    often = min(well, key=lambda kind: (-_successes(well[kind]), kind))
    sure = {kind: metrics for kind, metrics in well.items() if _is_sure(metrics)}
    surest = min(sure, key=lambda kind: (-_least(sure[kind]), kind), default=None)
    both = " and most surely" if often == surest else ""
    yield f"Went well most often{both}: {often} ({_share(well[often])})."
    if surest and not both:
        yield f"Went well most surely: {surest} ({_share(sure[surest])})."


def _successes(metrics: DayMetrics) -> int:
    return metrics.by_outcome.get("success", 0)


def _is_sure(metrics: DayMetrics) -> bool:
    """Whether enough were judged, and most of them went well."""
    return metrics.judged >= FEWEST_JUDGED and 2 * _successes(metrics) > metrics.judged


def _least(metrics: DayMetrics) -> float:
    """What the share of successes is at least."""
    return metrics.interval.low if metrics.interval else 0.0


def _share(metrics: DayMetrics) -> str:
    unknown = metrics.total - metrics.judged
    more = f", {unknown} more unknown" if unknown else ""
    return f"{_successes(metrics)} of {metrics.judged} judged{more}"


def _lessons(facts: DayFacts, tasks: Sequence[Task]) -> Iterator[str]:
    """Corrections, and lessons that were born, told and heeded."""
    if facts.corrections:
        quotes = [
            text.cut(" ".join(item.user_message.split()), _QUOTE) for item in facts.corrections[:_MOST_QUOTES]
        ]
        yield f"Corrections: {len(facts.corrections)} – {' · '.join(quotes)}"
    if facts.drafted or facts.approved:
        names = " · ".join(_named(doc) for doc in facts.approved[:_MOST_QUOTES])
        yield f"Lessons: {len(facts.drafted)} drafted, {len(facts.approved)} approved" + (
            f" – {names}" if names else ""
        )
    if facts.experiments:
        yield f"Experiments: {'; '.join(facts.experiments)}."
    told = {lesson for task in tasks for lesson in task.told}
    if told:
        heeded = told & {*facts.heeded}
        which = f" ({_ids(sorted(heeded))})" if heeded else ""
        yield f"Lessons told: {len(told)} ({_ids(sorted(told))}); heeded: {len(heeded)}{which}."


def _named(doc: Doc) -> str:
    statement = str(doc.get("statement") or doc.get("title") or "")
    return f"{str(doc['id'])[:SHORT]} {text.cut(' '.join(statement.split()), _QUOTE)}"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST_LINES} more" if len(ids) > _MOST_LINES else ""
    return " ".join(each[:SHORT] for each in ids[:_MOST_LINES]) + more
