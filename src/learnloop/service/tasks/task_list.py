"""Tasks as a list, filtered by a line, and one by its id."""

import heapq
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import get_args

from learnloop.errors import LearnloopError
from learnloop.ingest import primed_tasks, stored_tasks
from learnloop.models.base import Document
from learnloop.models.task import HowKnown, Task, TaskKind, TaskOutcome, TaskPlace, TaskTraits
from learnloop.service import id_prefix
from learnloop.service.lessons import filters
from learnloop.service.lessons.filters import FilterField, Query
from learnloop.service.tasks import by_meaning, catalogue
from learnloop.service.tasks.catalogue import Current
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.store.task_traits import TraitTest
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
    return by_meaning.page(newest(ws, line, most, is_stopped), similar(ws, line))


def similar(ws: Workspace, line: str) -> list[Task]:
    """The tasks near to the words of a line in meaning that match the rest of it, nearest first."""
    asked, conditions = filters.split_words(line)
    query, ids = _query(conditions), by_meaning.places(ws, asked)
    if not ids:
        return []
    try:
        with catalogue.current(ws, catalogue.WITHIN_S, 0.0) as (catalog, _):
            near = stored_tasks.at(Store(ws.root), list(catalog.places(ids)))
    except (LearnloopError, OSError):
        return []
    matches = [task for task in near if task.parent is None and query.matches(task)]
    return matches[: by_meaning.MOST_ADDED]


def newest(
    ws: Workspace, line: str = "", most: int = 300, is_stopped: Callable[[], bool] = lambda: False, *,
    subagents: bool = False, in_project: Callable[[str], bool] = lambda _: True,
) -> list[Task]:  # fmt: skip
    """The newest matching tasks, read a few at a time until there are so many, or nobody waits for them.

    What goes on on another day is a task of its own; parts of the line that are not understood are left out.
    """
    query = _query(line)
    tests = [("project", in_project), *catalogue.tests(line, FIELDS, TaskTraits._fields)]

    def matching(pages: Iterable[list[Task]]) -> list[Task]:
        matches: list[Task] = []
        for tasks in pages:
            listed = (
                task for task in tasks if (subagents or task.parent is None) and in_project(task.project)
            )
            matches += filter(query.matches, listed)
            if len(matches) >= most or is_stopped():
                break
        return matches[:most]

    try:
        with catalogue.current(ws, catalogue.WITHIN_S, 0.0) as current:
            return matching(read_pages(ws.root, current, tests, query.words, runs=subagents))
    except (LearnloopError, OSError):
        return matching(days(ws.root, query.words))


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
    task = by_id[id_prefix.resolve(typed, by_id, "task", "learn sessions --tasks lists them")]
    return task, [run for run in runs if run.parent == task.id]


def primed(ws: Workspace, task: str) -> tuple[PrimedSession, ...]:
    """The sessions that were told of a task, the newest first."""
    docs = Store(ws.root).documents(primed_tasks.place(task)).values()
    named = sorted((doc for doc in docs if doc["task"] == task), key=lambda doc: str(doc["ts"]), reverse=True)
    return tuple(PrimedSession(**{name: doc[name] for name in PrimedSession.model_fields}) for doc in named)


DayPlaces = tuple[str, list[TaskPlace]]
"""A UTC day, and which of its tasks may match; none where the catalogue lacks it."""
_AT_ONCE = 100
_ESCAPED = re.compile(r'["\\]')
"""What JSON does not have as it is."""


def read_pages(
    root: str, current: Current, tests: Iterable[TraitTest], words: Sequence[str], *, runs: bool
) -> Iterator[list[Task]]:
    """Tasks that pass tests of traits and are stored in files with all words; runs of subagents if asked for.

    Days that the catalogue lacks are read whole.
    """
    store = Store(root)
    holding = _days_holding(store, current, list(tests), words, runs)
    for day, places in holding if words else _days(current, tests, runs):
        if day in current.behind:
            yield stored_tasks.tasks_of_utc_days(store, (day, day))
        for at in range(0, len(places), _AT_ONCE):
            yield stored_tasks.at(store, places[at : at + _AT_ONCE])


def days(root: str, words: Iterable[str]) -> Iterator[list[Task]]:
    """The tasks of each day that is stored in files with all words, newest first, without a catalogue."""
    store = Store(root)
    for day in stored_tasks.days_holding(store, _needles(words)):
        yield stored_tasks.tasks_of_utc_days(store, (day, day))


def _needles(words: Iterable[str]) -> list[bytes]:
    return [word.encode() for word in words if word.isascii() and not _ESCAPED.search(word)]


def _days(current: Current, tests: Iterable[TraitTest], runs: bool) -> Iterator[DayPlaces]:
    places = groupby(current.catalog.matching(tests, runs=runs), attrgetter("day"))
    listed = ((day, list(group)) for day, group in places if day not in current.behind)
    return heapq.merge(listed, ((day, []) for day in current.behind), key=itemgetter(0), reverse=True)


def _days_holding(
    store: Store, current: Current, tests: Sequence[TraitTest], words: Sequence[str], runs: bool
) -> Iterator[DayPlaces]:
    days = {*current.catalog.days_with(words), *current.behind}
    for day, turns in stored_tasks.turns_holding(store, _needles(words), days):
        if all(turns) and day not in current.behind:
            places = current.catalog.matching(tests, runs=runs, day=day)
            yield day, [place for place in places if _holds(place, turns)]
        elif all(turns):
            yield day, []


def _holds(place: TaskPlace, turns_by_word: Sequence[set[str]]) -> bool:
    """Whether each word is in one of a task's turns, as far as their files are read line by line."""
    own = {turn.partition("/")[2].lower() for turn in place.turns.split()}
    return all("" in turns or own & turns for turns in turns_by_word)
