"""Memories as a list, filtered by a line, hidden or pinned."""

import heapq
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice, takewhile
from typing import get_args

from learnloop.errors import Refused
from learnloop.ingest import task_history
from learnloop.learn.tasks import memory_kinds, memory_marks
from learnloop.models import Decision
from learnloop.models.memory import JoinedPieces, Memory, MemoryType
from learnloop.service import id_prefix
from learnloop.service.lessons import documents, filters
from learnloop.service.lessons.filters import FilterField, Query
from learnloop.service.review import verdicts
from learnloop.service.tasks import by_meaning
from learnloop.service.workspace import Workspace
from learnloop.store.memory_table import MemoryTable
from learnloop.wire import clock

FIELDS: tuple[FilterField, ...] = (
    FilterField("type", "word", "what kind it is", "type:procedural", lambda memory: memory.type,
                get_args(MemoryType)),
    FilterField("project", "word", "the project's folder", "project:shop", lambda memory: memory.project),
    FilterField("agent", "word", "whose work it was", "agent:reviewer", lambda memory: memory.agent),
    FilterField("file", "word", "a file that it is about", "file:cart.ts", lambda memory: memory.files,
                is_stored=True),
    FilterField("tag", "word", "an area or name in it", "tag:testing", lambda memory: memory.relevance,
                is_stored=True),
    FilterField("is", "word", "what you made of it", "is:pinned", lambda memory: _marks(memory),
                ("hidden", "pinned")),
    FilterField("seen", "number", "how many tasks say so", "seen:>2", lambda memory: memory.seen),
    FilterField("ts", "age", "how old its newest task is", "ts:<7d", lambda memory: memory.ts),
)  # fmt: skip
"""Every field, in the order of the help."""
_TRAITS = {"type": "type", "project": "project", "agent": "agent", "is": "", "seen": "seen", "ts": "started"}
"""What the database has of memories, by the fields that ask for it."""


def _marks(memory: Memory) -> tuple[str, ...]:
    return tuple(name for name in ("hidden", "pinned") if getattr(memory, name))


def words(memory: Memory) -> str:
    """What words of a filter are looked for in."""
    return "\n".join([memory.text, *memory.files, *memory.relevance]).lower()


def memories(ws: Workspace, line: str = "", most: int = sys.maxsize, project: str = "") -> list[Memory]:
    """The memories that match a line of the filter language, newest first; waits until all tasks are read.

    With a model also those of tasks near to its words in meaning. Raises Refused with the first part that is
    not understood.
    """
    filters.understood(_query(line))
    exact, _ = newest(ws, line, most, project=project, within_s=float("inf"), wait_s=task_history.WAIT_S)
    return by_meaning.joined(exact, similar(ws, line, project))[:most]


def page(ws: Workspace, line: str, most: int, is_stopped: Callable[[], bool]) -> by_meaning.SearchPage:
    """The newest memories that match a line, or whose tasks are near to its words in meaning."""
    listed, behind = newest(ws, line, most, is_stopped=is_stopped)
    return by_meaning.page(listed, similar(ws, line), behind)


def similar(ws: Workspace, line: str, project: str = "") -> list[Memory]:
    """The memories of tasks near to a line's words in meaning that match the rest of it, nearest first."""
    asked, conditions = filters.split_words(line)
    query, tasks = _query(conditions), by_meaning.places(ws, asked)
    if not tasks:
        return []
    decided = memory_marks.marks(documents.decisions(ws.root))
    with task_history.current(ws.root, task_history.WITHIN_S, 0.0) as (connection, _):
        table = MemoryTable(connection)
        every = (
            each for task in tasks for kind in get_args(MemoryType) for each in table.beginning(kind, task)
        )
        near = map(partial(_memory, ws), every)
        by_id = {memory.id: memory_marks.marked(memory, decided) for memory in near}
    matches = (
        memory for memory in by_id.values() if project in ("", memory.project) and query.matches(memory)
    )
    return list(islice(matches, by_meaning.MOST_ADDED))


def _query(line: str) -> Query:
    return filters.parse(line, clock.now_ms(), FIELDS, words)


def newest(
    ws: Workspace, line: str = "", most: int = 300, *, project: str = "",
    within_s: float = task_history.WITHIN_S, wait_s: float = 0.0,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[list[Memory], int]:  # fmt: skip
    """The newest matching memories, and how many days with tasks could not be read in the time.

    Parts of the line that are not understood are left out; nothing is read once nobody waits for it.
    """
    query = _query(line)
    with task_history.current(ws.root, within_s, wait_s) as (connection, behind):
        table = MemoryTable(connection)
        every = _marked(ws, table, _joined(ws, table, line, query.words, project))
        matches = (
            memory for memory in takewhile(lambda _: not is_stopped(), every)
            if project in ("", memory.project) and query.matches(memory)
        )  # fmt: skip
        return list(islice(matches, most)), behind


def _joined(
    ws: Workspace, table: MemoryTable, line: str, words: Iterable[str], project: str
) -> Iterable[JoinedPieces]:
    """What may match a line, newest first."""
    tests = dict(filters.trait_tests(line, FIELDS, _TRAITS))
    if not (of_marks := tests.pop("is", None)) or of_marks(()):
        of_project = [("project", project.__eq__)] if project else []
        return table.newest(words, [*of_project, *((_TRAITS[name], test) for name, test in tests.items())])
    decided = memory_marks.marks(documents.decisions(ws.root))
    names = decided.hidden | decided.pinned
    by_id = (each for name in names for each in _derived(table, name).values())
    return table.of_keys({*names, *(each.newest.key for each in by_id)})


def _marked(ws: Workspace, table: MemoryTable, joined: Iterable[JoinedPieces]) -> Iterator[Memory]:
    """The memories as the decisions mark them, with pinned ones that are gone."""
    decided = memory_marks.marks(documents.decisions(ws.root))
    derived = map(partial(_memory, ws), joined)
    newest_first = sorted({memory.id: memory for memory in decided.copies}.values(), key=_ts, reverse=True)
    gone = (each for each in newest_first if not (table.says(each.key) or _derived(table, each.id)))
    every = heapq.merge(derived, gone, key=_ts, reverse=True)
    return (memory_marks.marked(memory, decided) for memory in every)


def _memory(ws: Workspace, joined: JoinedPieces) -> Memory:
    return memory_kinds.memory(joined, ws.settings.retention_days)


def _ts(memory: Memory) -> str:
    return memory.ts


def _derived(table: MemoryTable, beginning: str) -> dict[str, JoinedPieces]:
    """Joined pieces by the ids of their memories: of a type, some of a task's id, and a number if any."""
    kind, _, rest = beginning.partition("-")
    task, _, number = rest.partition("-")
    every = {memory_kinds.name(each): each for each in table.beginning(kind, task)}
    return {name: each for name, each in every.items() if number in ("", str(each.number + 1))}


def find(ws: Workspace, typed: str) -> Memory:
    """A memory by its id or a unique beginning of it; raises NotFound and Ambiguous."""
    with task_history.current(ws.root) as (connection, _):
        table = MemoryTable(connection)
        joined = _derived(table, typed.strip().lower())
        by_id = {memory.id: memory for memory in _marked(ws, table, joined.values())}
    named = next(iter(joined)) if len(joined) == 1 else typed
    return by_id[id_prefix.resolve(named, by_id, "memory", "learn prime --memories lists them")]


def mark(ws: Workspace, typed: str, name: str) -> Decision:
    """Hide, unhide, pin or unpin a memory; raises NotFound, Ambiguous, and Refused where it is so already."""
    memory = find(ws, typed)
    is_marked = memory.hidden if name.endswith("hide") else memory.pinned
    if is_marked is not name.startswith("un"):
        raise Refused(
            f"{memory.id} is {'' if is_marked else 'not '}marked so",
            "learn prime --memories is:hidden,pinned",
        )
    return mark_memory(ws, memory, name)


def mark_memory(ws: Workspace, memory: Memory, name: str) -> Decision:
    """Hide, unhide, pin or unpin a memory as it was listed."""
    args = {"mark": name, "memory": memory.as_json()}
    return verdicts.decide(ws, memory_marks.ACTION, [], args)
