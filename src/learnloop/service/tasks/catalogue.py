"""The catalogue of tasks and memories, brought up to date before it is asked."""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from learnloop.ingest import task_memories
from learnloop.service.lessons import filters
from learnloop.service.lessons.filters import FilterField, Query
from learnloop.service.workspace import Workspace
from learnloop.store import memory_catalog
from learnloop.store.memory_catalog import MemoryCatalog
from learnloop.store.task_traits import TraitTest
from learnloop.wire import clock

WITHIN_S, WAIT_S = 0.5, 10.0
"""How long a list that is drawn waits, and how long one that has to be whole waits for another process."""


class Current(NamedTuple):
    """The catalogue, and the UTC days with tasks that it lacks, the newest first."""

    catalog: MemoryCatalog
    behind: list[str]


@contextlib.contextmanager
def current(ws: Workspace, within_s: float = float("inf"), wait_s: float = WAIT_S) -> Iterator[Current]:
    """The catalogue with all days that can be read in some time; raises Unreadable for damage."""
    behind = task_memories.refresh(ws.root, within_s, wait_s)
    with memory_catalog.opened(ws.root) as catalog:
        yield Current(catalog, behind)


def tests(line: str, fields: Sequence[FilterField], traits: Collection[str]) -> Iterator[TraitTest]:
    """What the parts of a line that name some traits ask of the values that the catalogue has of them."""
    for field in fields:
        parts = filters.naming(line, (field.name,)) if field.name in traits else ""
        query = filters.parse(parts, clock.now_ms(), [field._replace(read=lambda value: value)])
        if query.tests:
            yield field.name, partial(_on_day, query) if field.kind == "age" else query.matches


def _on_day(query: Query, day: str) -> bool:
    """Whether a time of a UTC day may match: then the day's begin or its end does."""
    return query.matches(f"{day}T00:00:00.000Z") or query.matches(f"{day}T23:59:59.999Z")
