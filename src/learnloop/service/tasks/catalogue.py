"""The catalogue of tasks and memories, brought up to date before it is asked."""

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from learnloop.ingest import task_memories
from learnloop.service.workspace import Workspace
from learnloop.store import memory_catalog
from learnloop.store.memory_catalog import MemoryCatalog

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
