"""The log of a day: what to do about it first, then what was worked on. Pure."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from learnloop.learn.profile import agent_tallies
from learnloop.learn.tasks import patterns
from learnloop.models.task import DayCorrection, DayLog, DayMetrics, LoggedTask, RepeatedError, Task
from learnloop.models.turn import Feedback
from learnloop.wire import text

Doc = Mapping[str, Any]
MARK = "status: auto-generated"
"""Begins what a file of ours says first: one without it is somebody's own."""
QUIET = "No task on this day."
LEFT_OPEN = ("cancelled", "failed")
_SHORT, _MOST_LINES, _QUOTE, _MOST_CORRECTIONS, _FEWEST_JUDGED = 12, 5, 100, 12, 3
_UNITS = ((3_600_000, "h"), (60_000, "min"), (1000, "s"))
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\[]<>*"})
"""Captured words must neither load a picture nor look like a heading, a link or a ticked box."""


class DayFacts(NamedTuple):
    """What a day's log is made of."""

    date: str
    first: str
    project: str
    timezone: str
    tasks: Sequence[Task]
    """Of the day, newest first, with the runs of subagents."""
    week: Sequence[Task] = ()
    """Of the week that ends with the day."""
    corrections: Sequence[Feedback] = ()
    lessons: Sequence[Doc] = ()
    """All lessons: each names the events that it comes from."""
    heeded: Iterable[str] = ()
    """Ids of lessons that were told on the day and heeded."""
    experiments: Sequence[str] = ()
    """What each experiment with moments on the day counted."""


def write(facts: DayFacts) -> DayLog:
    """Return the log of a day."""
    own = [task for task in reversed(facts.tasks) if task.parent is None]
    metrics, logged = measure(own), tuple(map(_logged, own))
    # Only what the day itself saw again: an old error that rests is no news.
    today = {task.id for task in facts.tasks}
    repeated = [error for error in patterns.errors(facts.week) if today & {*error.tasks}][:_MOST_LINES]
    return DayLog(
        date=facts.date, first=facts.first, project=facts.project, timezone=facts.timezone,
        summary=_summary(own, metrics), metrics=metrics, tasks=logged, errors=tuple(repeated),
        open=tuple(task for task in logged if task.outcome in LEFT_OPEN),
        corrections=tuple(_corrections(facts)), insights=tuple(_lessons(facts, own)),
    )  # fmt: skip


def measure(tasks: Sequence[Task]) -> DayMetrics:
    """Return the figures of tasks."""
    outcomes = Counter(task.outcome for task in tasks)
    judged = len(tasks) - outcomes["unknown"]
    return DayMetrics(
        total=len(tasks), by_outcome=dict(outcomes.most_common()), judged=judged,
        success_rate=outcomes["success"] / judged if judged >= max(len(tasks) / 2, _FEWEST_JUDGED) else None,
        median_duration_ms=round(statistics.median(task.duration_ms for task in tasks)) if tasks else None,
        by_kind=dict(Counter(task.kind for task in tasks).most_common()),
    )  # fmt: skip


def _logged(task: Task) -> LoggedTask:
    return LoggedTask(
        id=task.id, title=task.title, outcome=task.outcome, known=task.known, kind=task.kind,
        agent=task.agent, project=task.project, started=task.started, duration_ms=task.duration_ms,
        turns=len(task.turns), error=task.error, continues=task.continues,
    )  # fmt: skip


def _summary(tasks: Sequence[Task], metrics: DayMetrics) -> str:
    if not tasks:
        return QUIET
    projects = len({task.project for task in tasks})
    pieces = "1 piece of work" if metrics.total == 1 else f"{metrics.total} pieces of work"
    where = f" in {projects} projects" if projects > 1 else ""
    counts = metrics.by_outcome
    went = (("revised", "went back to you"), ("success", "you accepted"), ("failed", "failed"),
            ("cancelled", "were stopped"))  # fmt: skip
    results = ", ".join(f"{counts[name]} {words}" for name, words in went if name in counts)
    busy = duration(sum(task.busy_ms for task in tasks))
    return f"{pieces}{where}, {busy} at work{f': {results}' if results else ''}."


def _corrections(facts: DayFacts) -> Iterator[DayCorrection]:
    """The corrections of the day with the lesson that came of each; one that came of several stands once."""
    by_event = {seen["event_id"]: lesson for lesson in facts.lessons for seen in lesson["evidence"]}
    said = ((by_event.get(item.event_id or item.id, {}), item) for item in facts.corrections)
    once = {lesson.get("id", item.id): (lesson, item) for lesson, item in said}
    for lesson, item in islice(once.values(), _MOST_CORRECTIONS):
        words = text.cut(_one_line(item.user_message), _QUOTE)
        yield DayCorrection(
            words=words, project=item.project_path,
            lesson=str(lesson.get("id", "")), status=str(lesson.get("status", "")),
        )  # fmt: skip


def _lessons(facts: DayFacts, tasks: Sequence[Task]) -> Iterator[str]:
    """Lessons that were told and heeded, and what experiments counted."""
    if facts.experiments:
        yield f"Experiments: {'; '.join(facts.experiments)}."
    told = {lesson for task in tasks for lesson in task.told}
    if told:
        heeded = told & {*facts.heeded}
        which = f" ({_ids(sorted(heeded))})" if heeded else ""
        yield f"Lessons told: {len(told)} ({_ids(sorted(told))}); heeded: {len(heeded)}{which}."


def duration(ms: int) -> str:
    """Return a duration in its largest unit, and the next: `1 h 5 min`, `42 s`."""
    for at, (size, unit) in enumerate(_UNITS):
        if ms >= size:
            rest = ms % size // _UNITS[at + 1][0] if at + 1 < len(_UNITS) else 0
            return f"{ms // size} {unit}" + (f" {rest} {_UNITS[at + 1][1]}" if rest else "")
    return "under a second"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST_LINES} more" if len(ids) > _MOST_LINES else ""
    return " ".join(each[:_SHORT] for each in ids[:_MOST_LINES]) + more


def page(log: DayLog, *, front_matter: bool = True) -> str:
    """Return a log as Markdown; without front matter a comment says whose it is."""
    head = [f"<!-- {MARK} -->"]
    if front_matter:
        head = ["---", f"date: {log.date}", "type: daily-log", MARK, f'timezone: "{log.timezone}"', "---"]
    return "\n".join([*head, "", *_lines(log)]) + "\n"


def _lines(log: DayLog) -> Iterator[str]:
    days = log.date if log.first == log.date else f"{log.first} to {log.date}"
    yield from (f"# Daily Log - {days}", "", log.summary)
    sections = (
        ("Left open", map(_open, log.open)),
        ("You corrected", map(_correction, log.corrections)),
        ("Came again", (_error(error, log.tasks) for error in log.errors)),
        ("Work", (_task(task, with_day=log.first != log.date) for task in log.tasks)),
        ("Lessons", map(_plain, log.insights)),
    )  # fmt: skip
    for title, lines in sections:
        if items := [f"- {line}" for line in lines]:
            yield from ("", f"## {title}", *items)
    if log.metrics.total:
        yield from ("", _figures(log.metrics))


def _figures(metrics: DayMetrics) -> str:
    rate = metrics.success_rate
    success = "" if rate is None else f"{rate:.0%} of {metrics.judged} judged went well"
    unknown = metrics.total - metrics.judged
    kinds = ", ".join(f"{name} {count}" for name, count in metrics.by_kind.items())
    parts = [success, f"nobody said how {unknown} went" if unknown else "", kinds]
    parts.append(f"half of them took less than {duration(metrics.median_duration_ms or 0)}")
    return _plain(" · ".join(filter(None, parts)))


def _open(task: LoggedTask) -> str:
    why = f"its last test failed: {text.cut(task.error, _QUOTE)}" if task.error else "it ended in an error"
    why = "it was stopped" if task.outcome == "cancelled" else why
    return _plain(f"{task.title} – {why} ({_folder(task.project)} · {task.id[:_SHORT]})")


def _correction(item: DayCorrection) -> str:
    short = item.lesson[:_SHORT]
    way = f": learn promote {short}" if item.status == "draft" else f" {short}"
    came = f" → {item.status}{way}" if item.lesson else ""
    return _plain(f"“{item.words}” ({_folder(item.project)}){came}")


def _error(error: RepeatedError, tasks: Sequence[LoggedTask]) -> str:
    folders = {f"{task.project}/" for task in tasks if task.project}
    fixes = ", ".join(_below(folders, name) for name in error.fixes)
    fixed = f" Before it passed: {fixes}." if fixes else ""
    where = f"{error.count} tasks of the last 7 days ({_ids(error.tasks)})"
    return _plain(f"{error.error_class}, in {where}.{fixed}")


def _below(folders: Iterable[str], name: str) -> str:
    """A file's name below its project; the first line of a command."""
    inside = next((folder for folder in folders if name.startswith(folder)), "")
    return text.cut(name.removeprefix(inside).partition("\n")[0], _QUOTE)


def _task(task: LoggedTask, *, with_day: bool) -> str:
    tick = "x" if task.outcome == "success" else " "
    outcome = f"{task.outcome}, inferred" if task.known == "inferred" else task.outcome
    turns = f"{task.turns} turns" if task.turns > 1 else ""
    agent = task.agent if task.agent != agent_tallies.MAIN else ""
    before = f"continues {task.continues[:_SHORT]}" if task.continues else ""
    parts = [outcome, task.kind, turns, duration(task.duration_ms), agent,
             _folder(task.project), task.id[:_SHORT], before]  # fmt: skip
    day = f"{task.started[:10]} " if with_day else ""
    return f"[{tick}] {day}{_plain(task.title)} ({_plain(' · '.join(filter(None, parts)))})"


def _folder(project: str) -> str:
    return project.rstrip("/").rpartition("/")[2] or "no project"


def _plain(words: str) -> str:
    return _one_line(words).translate(_ESCAPED)


def _one_line(words: str) -> str:
    return " ".join(words.split())
