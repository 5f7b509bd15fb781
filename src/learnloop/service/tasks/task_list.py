"""Tasks as a list, filtered by a line, and one by its id."""

import sys
from collections.abc import Callable, Iterable
from itertools import islice, takewhile
from typing import get_args

from learnloop.errors import LearnloopError
from learnloop.ingest import recalls, stored_tasks, task_history
from learnloop.models.base import Document
from learnloop.models.ids import SHORTEST
from learnloop.models.task import HowKnown, Task, TaskKind, TaskOutcome, TaskTraits
from learnloop.service import id_prefix
from learnloop.service.lessons import filters
from learnloop.service.lessons.filters import FilterField, Query
from learnloop.service.tasks import by_meaning
from learnloop.service.workspace import Workspace
from learnloop.store.document_table import Span
from learnloop.store.store import Store
from learnloop.store.task_table import TaskTable
from learnloop.wire import clock

FIELDS: tuple[FilterField, ...] = (
    FilterField("outcome", "word", "how it went", "outcome:failed,revised", lambda task: task.outcome,
                get_args(TaskOutcome)),
    FilterField("known", "word", "whether somebody said so", "known:said", lambda task: task.known,
                get_args(HowKnown)),
    FilterField("kind", "word", "what kind of work it was", "kind:code", lambda task: task.kind,
                get_args(TaskKind)),
    FilterField("tag", "word", "a language or area of it", "tag:testing", lambda task: task.tags),
    FilterField("project", "word", "the project's folder", "project:shop", lambda task: task.project),
    FilterField("agent", "word", "whose work it was", "agent:reviewer", lambda task: task.agent),
    FilterField("branch", "word", "the branch of git", "branch:main", lambda task: task.branch),
    FilterField("file", "word", "a file that it wrote", "file:cart.ts", lambda task: task.files,
                is_stored=True),
    FilterField("error", "word", "an error in it", 'error:"not found"', lambda task: task.error_classes),
    FilterField("calls", "number", "how many calls it took", "calls:>50", lambda task: task.calls),
    FilterField("turns", "number", "how many turns it took", "turns:>1", lambda task: len(task.turns)),
    FilterField("started", "age", "how long ago, or since when", "started:<7d", lambda task: task.started),
)  # fmt: skip
"""Every field, in the order of the help."""


class PrimedSession(Document):
    """An agent that was told of a task in a later session."""

    session_id: str
    agent: str
    ts: str
    score: int
    """How near the task was then."""


def words(task: Task) -> str:
    """What words of a filter are looked for in."""
    return "\n".join([task.title, task.input, *task.files, *task.commands]).lower()


def tasks(
    ws: Workspace, line: str = "", most: int = sys.maxsize, *, subagents: bool = False,
    in_project: Callable[[str], bool] = lambda _: True,
) -> list[Task]:  # fmt: skip
    """The newest tasks that match a line of the filter language; subagents' runs only if asked for.

    With a model also those near to its words in meaning. Raises Refused with the first part that is not
    understood.
    """
    filters.understood(_query(line))
    exact = newest(ws, line, most, subagents=subagents, in_project=in_project)
    near = [task for task in similar(ws, line) if in_project(task.project)]
    return by_meaning.joined(exact, near)[:most]


def page(ws: Workspace, line: str, most: int, is_stopped: Callable[[], bool]) -> by_meaning.SearchPage:
    """The newest tasks that match a line or are near to its words in meaning."""
    listed, behind = _listed(ws, line, most, is_stopped, within_s=task_history.WITHIN_S)
    return by_meaning.page(listed, similar(ws, line), behind)


def similar(ws: Workspace, line: str) -> list[Task]:
    """The tasks near to the words of a line in meaning that match the rest of it, nearest first."""
    asked, conditions = filters.split_words(line)
    query, ids = _query(conditions), by_meaning.places(ws, asked)
    if not ids:
        return []
    try:
        with task_history.current(ws.root, task_history.WITHIN_S, 0.0) as (connection, _):
            near = [task for name in ids for task in TaskTable(connection).named(name) if task.id == name]
    except (LearnloopError, OSError):
        return []
    return list(filter(query.matches, near))[: by_meaning.MOST_ADDED]


def newest(
    ws: Workspace, line: str = "", most: int = 300, *, subagents: bool = False,
    in_project: Callable[[str], bool] = lambda _: True,
) -> list[Task]:  # fmt: skip
    """The newest matching tasks; parts of the line that are not understood are left out.

    What goes on on another day is a task of its own.
    """
    return _listed(ws, line, most, subagents=subagents, in_project=in_project)[0]


def _listed(
    ws: Workspace, line: str, most: int, is_stopped: Callable[[], bool] = lambda: False, *,
    subagents: bool = False, in_project: Callable[[str], bool] = lambda _: True,
    within_s: float = float("inf"),
) -> tuple[list[Task], int]:  # fmt: skip
    """The newest matching tasks of the days that can be read in some time, and how many days were not."""
    query = _query(line)
    tests = [("project", in_project), *filters.trait_tests(line, FIELDS, TaskTraits._fields)]

    def matching(every: Iterable[Task]) -> list[Task]:
        awaited = takewhile(lambda _: not is_stopped(), every)
        listed = (task for task in awaited if (subagents or task.parent is None) and in_project(task.project))
        return list(islice(filter(query.matches, listed), most))

    wait_s = task_history.WAIT_S if within_s > task_history.WITHIN_S else 0.0
    try:
        with task_history.current(ws.root, within_s, wait_s) as (connection, behind):
            every = TaskTable(connection).newest(tests, query.words, runs=subagents)
            return matching(every), behind
    except (LearnloopError, OSError):
        return matching(stored_tasks.newest(ws.root)), 0


def _query(line: str) -> Query:
    return filters.parse(line, clock.now_ms(), FIELDS, words)


def find(ws: Workspace, typed: str) -> tuple[Task, list[Task]]:
    """A task by its id, that of one of its turns, or a unique beginning; with the runs of its subagents.

    Raises NotFound and Ambiguous.
    """
    every = _named(ws, typed.strip().lower())
    by_id = {name: task for task in every for name in (task.id, *task.turns)}
    task = by_id[id_prefix.resolve(typed, by_id, "task", "learn sessions --tasks lists them")]
    return task, [run for run in _named(ws, task.id) if run.parent == task.id]


def _named(ws: Workspace, beginning: str) -> list[Task]:
    """The tasks of which an id, or one of a turn, begins so, and the runs of their subagents."""
    if len(beginning) < SHORTEST:
        return []
    try:
        with task_history.current(ws.root) as (connection, _):
            return TaskTable(connection).named(beginning)
    except (LearnloopError, OSError):
        return list(stored_tasks.newest(ws.root))


def primed(ws: Workspace, task: str) -> tuple[PrimedSession, ...]:
    """The sessions that were told of a task, the newest first."""
    docs = Store(ws.root).all_documents(recalls.PRIMED, Span(owner=task))
    named = sorted((doc for doc in docs if doc["task"] == task), key=lambda doc: str(doc["ts"]), reverse=True)
    return tuple(PrimedSession(**{name: doc[name] for name in PrimedSession.model_fields}) for doc in named)
