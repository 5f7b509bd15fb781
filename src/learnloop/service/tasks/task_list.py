"""Tasks as a list, filtered by a line, and one by its id."""

import re
import sys
from collections.abc import Callable
from typing import get_args

from learnloop.errors import LearnloopError
from learnloop.ingest import primed_tasks, stored_tasks, task_memories
from learnloop.models.base import Document
from learnloop.models.task import HowKnown, Task, TaskKind, TaskOutcome, TaskTraits
from learnloop.service import id_prefix
from learnloop.service.lessons import filters
from learnloop.service.lessons.filters import FilterField, Query
from learnloop.service.tasks import by_meaning
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock

FIELDS: tuple[FilterField, ...] = (
    FilterField("outcome", "word", "how it went", "outcome:failed,revised", lambda task: task.outcome,
                get_args(TaskOutcome)),
    FilterField("known", "word", "whether somebody said so", "known:said", lambda task: task.known,
                get_args(HowKnown)),
    FilterField("kind", "word", "what kind of work it was", "kind:code", lambda task: task.kind,
                get_args(TaskKind)),
    FilterField("tag", "word", "a language or area of it", "tag:testing", lambda task: task.tags),
    FilterField("project", "word", "the project's folder", "project:shop", lambda task: task.project,
                is_stored=True),
    FilterField("agent", "word", "whose work it was", "agent:reviewer", lambda task: task.agent,
                is_stored=True),
    FilterField("branch", "word", "the branch of git", "branch:main", lambda task: task.branch,
                is_stored=True),
    FilterField("file", "word", "a file that it wrote", "file:cart.ts", lambda task: task.files,
                is_stored=True),
    FilterField("error", "word", "an error in it", 'error:"not found"', lambda task: _errors(task)),
    FilterField("calls", "number", "how many calls it took", "calls:>50", lambda task: task.calls),
    FilterField("turns", "number", "how many turns it took", "turns:>1", lambda task: len(task.turns)),
    FilterField("started", "age", "how long ago, or since when", "started:<7d", lambda task: task.started),
)  # fmt: skip
"""Every field, in the order of the help."""


def _errors(task: Task) -> tuple[str, ...]:
    return (task.error_class, *(step.error_class for step in task.steps if step.error_class))


class PrimedSession(Document):
    """An agent that was told of a task in a later session."""

    session_id: str
    agent: str
    ts: str
    score: int
    """How near the task was then."""


_REFRESHED_S = 0.5
"""How long the catalogue is brought up to date before a filter by outcome or kind."""
_ESCAPED = re.compile(r'["\\]')
"""What JSON does not have as it is."""


def words(task: Task) -> str:
    """What words of a filter are looked for in."""
    return "\n".join([task.title, task.input, *task.files, *task.commands]).lower()


def tasks(
    ws: Workspace, line: str = "", most: int = sys.maxsize, *, subagents: bool = False,
    accept: Callable[[Task], bool] = lambda _task: True,
) -> list[Task]:  # fmt: skip
    """The newest accepted tasks that match a line of the filter language; subagents' runs only if asked for.

    With a model also those near to its words in meaning. Raises Refused with the first part that is not
    understood.
    """
    filters.understood(_query(line))

    def is_listed(task: Task) -> bool:
        return (subagents or task.parent is None) and accept(task)

    exact = newest(ws, line, most, accept=is_listed)
    return by_meaning.joined(exact, similar(ws, line, is_listed))[:most]


def similar(
    ws: Workspace, line: str, accept: Callable[[Task], bool] = lambda task: task.parent is None
) -> list[Task]:
    """The accepted tasks near to the words of a line in meaning that match the rest of it, nearest first."""
    asked, conditions = filters.split_words(line)
    places = by_meaning.places(ws, asked)
    store, query = Store(ws.root), _query(conditions)
    needles = [f'"{name}"'.encode() for name in places]
    days = stored_tasks.days_holding(store, needles, any) if needles else ()
    stored = (task for day in days for task in stored_tasks.tasks_of_utc_days(store, (day, day)))
    matches = [task for task in stored if task.id in places and accept(task) and query.matches(task)]
    return sorted(matches, key=lambda task: places[task.id])[: by_meaning.MOST_ADDED]


def newest(
    ws: Workspace, line: str = "", most: int = 300, is_stopped: Callable[[], bool] = lambda: False,
    accept: Callable[[Task], bool] = lambda task: task.parent is None,
) -> list[Task]:  # fmt: skip
    """The newest matching tasks, read day by day until there are so many, or nobody waits for them.

    What goes on on another day is a task of its own; parts of the line that are not understood are left out.
    """
    query, store, matches = _query(line), Store(ws.root), list[Task]()
    plain = [word.encode() for word in query.words if word.isascii() and not _ESCAPED.search(word)]
    passed_over = _days_without(ws, line)
    for day in stored_tasks.days_holding(store, plain):
        if len(matches) >= most or is_stopped():
            break
        if day in passed_over:
            continue
        stored = stored_tasks.tasks_of_utc_days(store, (day, day))
        matches += [task for task in stored if accept(task) and query.matches(task)]
    return matches


def _days_without(ws: Workspace, line: str) -> set[str]:
    """The UTC days of which the catalogue says that no task has the outcome and kind of a line."""
    query = _query(filters.naming(line, TaskTraits._fields))
    if not query.tests:
        return set()
    try:
        task_memories.refresh(ws.root, _REFRESHED_S)
        by_day = task_memories.traits(ws.root)
    except (LearnloopError, OSError):
        return set()
    return {day for day, traits in by_day.items() if not any(map(query.matches, traits))}


def _query(line: str) -> Query:
    return filters.parse(line, clock.now_ms(), FIELDS, words)


def find(ws: Workspace, typed: str) -> tuple[Task, list[Task]]:
    """A task by its id, that of one of its turns, or a unique beginning; with the runs of its subagents.

    Raises NotFound and Ambiguous.
    """
    store, by_id, runs = Store(ws.root), dict[str, Task](), list[Task]()
    for day in stored_tasks.days_holding(store, [f'"{typed.strip().lower()}'.encode()]):
        stored = stored_tasks.tasks_of_utc_days(store, (day, day))
        by_id |= {name: task for task in stored for name in (task.id, *task.turns)}
        runs += [task for task in stored if task.parent]
    task = by_id[id_prefix.resolve(typed, by_id, "task", "learn tasks lists them")]
    return task, [run for run in runs if run.parent == task.id]


def primed(ws: Workspace, task: str) -> tuple[PrimedSession, ...]:
    """The sessions that were told of a task, the newest first."""
    docs = Store(ws.root).documents(primed_tasks.place(task)).values()
    named = sorted((doc for doc in docs if doc["task"] == task), key=lambda doc: str(doc["ts"]), reverse=True)
    return tuple(PrimedSession(**{name: doc[name] for name in PrimedSession.model_fields}) for doc in named)
