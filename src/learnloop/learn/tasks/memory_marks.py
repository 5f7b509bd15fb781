"""What a person wants of memories: hidden ones are told no more, pinned ones stay. Pure."""

from collections.abc import Iterable
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

    hidden: frozenset[str]
    """Ids of memories."""
    hidden_tasks: frozenset[str]
    """Their tasks, which hooks tell no more."""
    pinned: dict[str, Memory]
    """As they were when they were pinned, by id."""


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
    return MemoryMarks(frozenset(tasks_by_hidden), hidden_tasks, pinned)


def marked(memory: Memory, decided: MemoryMarks) -> Memory:
    """The memory with its marks; one that is pinned does not expire."""
    is_pinned, is_hidden = memory.id in decided.pinned, memory.id in decided.hidden
    if not (is_pinned or is_hidden or memory.pinned or memory.hidden):
        return memory
    expires = None if is_pinned else memory.expires
    return memory.with_(pinned=is_pinned, hidden=is_hidden, expires=expires)


def _memory(doc: object) -> Memory | None:
    try:
        return Memory.model_validate(doc)
    except ValidationError:
        return None
