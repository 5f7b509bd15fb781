"""What a person wants of memories: hidden ones are told no more, pinned ones stay. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision
from learnloop.models.memory import Memory

ACTION = "memory"
_TOLD = ("episodic", "procedural", "technical")
"""Types whose tasks say to agents what they say."""


class MemoryMarks(NamedTuple):
    """What was decided last of each memory."""

    hidden: frozenset[str] = frozenset()
    """Ids of memories."""
    hidden_tasks: frozenset[str] = frozenset()
    """Their tasks, which hooks tell no more."""
    pinned: tuple[Memory, ...] = ()
    """As they were when they were pinned."""


def marks(decisions: Iterable[Decision]) -> MemoryMarks:
    """What the decisions in effect say of memories."""
    tasks_by_hidden: dict[str, tuple[str, ...]] = {}
    pinned: dict[str, Memory] = {}
    for decision in effective_decisions(decisions):
        mark, memory = decision.args.get("mark"), _memory(decision.args.get("memory"))
        if decision.action == ACTION and memory and mark in ("hide", "unhide"):
            tasks_by_hidden.pop(memory.id, None)
            tasks = memory.tasks if memory.type in _TOLD else ()
            tasks_by_hidden |= {memory.id: tasks} if mark == "hide" else {}
        elif decision.action == ACTION and memory and mark in ("pin", "unpin"):
            pinned.pop(memory.id, None)
            pinned |= {memory.id: memory} if mark == "pin" else {}
    hidden_tasks = frozenset(task for tasks in tasks_by_hidden.values() for task in tasks)
    return MemoryMarks(frozenset(tasks_by_hidden), hidden_tasks, tuple(pinned.values()))


def marked(memories: Sequence[Memory], decided: MemoryMarks) -> list[Memory]:
    """The memories with their marks, newest first; a pinned one that is derived no more comes as it was."""
    present = {memory.id for memory in memories}
    pinned = {memory.id for memory in decided.pinned}
    every = [*memories, *(memory for memory in decided.pinned if memory.id not in present)]
    fields = [(memory, memory.id in pinned, memory.id in decided.hidden) for memory in every]
    return sorted(
        (
            memory.with_(pinned=is_pinned, hidden=is_hidden, expires=None if is_pinned else memory.expires)
            for memory, is_pinned, is_hidden in fields
        ),
        key=lambda memory: (memory.ts, memory.id), reverse=True,
    )  # fmt: skip


def _memory(doc: object) -> Memory | None:
    try:
        return Memory.model_validate(doc)
    except ValidationError:
        return None
