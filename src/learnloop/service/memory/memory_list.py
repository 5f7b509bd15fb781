"""Memories as a list, filtered by a line; hidden or pinned by the person."""

from typing import get_args

from learnloop.errors import Refused
from learnloop.ingest import stored_tasks
from learnloop.learn.tasks import memory_kinds, memory_marks
from learnloop.models import Decision
from learnloop.models.memory import Memory, MemoryType
from learnloop.service import id_prefix
from learnloop.service.lessons import documents, filters
from learnloop.service.lessons.filters import FilterField
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock

FIELDS: tuple[FilterField, ...] = (
    FilterField("type", "word", "what kind it is", "type:procedural", lambda memory: memory.type,
                get_args(MemoryType)),
    FilterField("project", "word", "the project's folder", "project:shop", lambda memory: memory.project),
    FilterField("agent", "word", "whose work it was", "agent:reviewer", lambda memory: memory.agent),
    FilterField("file", "word", "a file that it is about", "file:cart.ts", lambda memory: memory.files),
    FilterField("tag", "word", "an area or name in it", "tag:testing", lambda memory: memory.relevance),
    FilterField("is", "word", "what you made of it", "is:pinned", lambda memory: _marks(memory),
                ("hidden", "pinned")),
    FilterField("seen", "number", "how many tasks say so", "seen:>2", lambda memory: memory.seen),
    FilterField("ts", "age", "how old its newest task is", "ts:<7d", lambda memory: memory.ts),
)  # fmt: skip
"""Every field, in the order of the help."""


def _marks(memory: Memory) -> tuple[str, ...]:
    return tuple(name for name in ("hidden", "pinned") if getattr(memory, name))


def words(memory: Memory) -> str:
    """What words of a filter are looked for in."""
    return "\n".join([memory.text, *memory.files, *memory.relevance]).lower()


def memories(ws: Workspace, line: str = "") -> list[Memory]:
    """The memories that match a line of the filter language, newest first.

    Raises Refused with the first part that is not understood.
    """
    query = filters.parse(line, clock.now_ms(), FIELDS, words)
    if query.problems:
        raise Refused(
            f"the filter is not understood: {query.problems[0]}", "docs/filter.md lists what it knows"
        )
    return [memory for memory in with_marks(ws, derived(ws)) if query.matches(memory)]


def derived(ws: Workspace) -> list[Memory]:
    """What all tasks taught, without what a person decided; reads every task."""
    return memory_kinds.memories(stored_tasks.tasks(Store(ws.root)), ws.settings.retention_days)


def with_marks(ws: Workspace, memories: list[Memory]) -> list[Memory]:
    """The memories as the decisions so far mark them, newest first, with those that are pinned."""
    return memory_marks.marked(memories, memory_marks.marks(documents.decisions(ws.root)))


def find(ws: Workspace, typed: str) -> Memory:
    """A memory by its id or a unique beginning of it; raises NotFound and Ambiguous."""
    by_id = {memory.id: memory for memory in memories(ws)}
    return by_id[id_prefix.resolve(typed, by_id, "memory", "learn memories lists them")]


def mark(ws: Workspace, typed: str, name: str) -> Decision:
    """Hide, unhide, pin or unpin a memory; raises NotFound, Ambiguous, and Refused where it is so already."""
    memory = find(ws, typed)
    is_marked = memory.hidden if name.endswith("hide") else memory.pinned
    if is_marked is not name.startswith("un"):
        raise Refused(
            f"{memory.id} is {'' if is_marked else 'not '}marked so", "learn memories is:hidden,pinned"
        )
    return mark_memory(ws, memory, name)


def mark_memory(ws: Workspace, memory: Memory, name: str) -> Decision:
    """Hide, unhide, pin or unpin a memory as it was listed."""
    args = {"mark": name, "memory": memory.as_json()}
    return verdicts.decide(ws, memory_marks.ACTION, [], args)
