"""What a person wants of memories (hidden ones are told no more, pinned ones stay), and where. Pure."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import ValidationError

from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.decision import Decision
from learnloop.models.memory import Memory

ACTION, PRIMING = "memory", "priming"
EVERYWHERE = ""
"""Stands for the projects of which nothing was decided."""
_TOLD = ("episodic", "procedural", "technical")
"""Types whose tasks say to agents what they say."""


class MemoryMarks(NamedTuple):
    """What was decided last of each memory."""

    hidden: frozenset[str]
    """Ids and keys of memories."""
    hidden_tasks: frozenset[str]
    """Their tasks, which hooks tell no more."""
    pinned: frozenset[str]
    """Ids and keys of memories."""
    copies: tuple[Memory, ...]
    """As they were when they were pinned."""


def marks(decisions: Iterable[Decision]) -> MemoryMarks:
    """What the decisions in effect say of memories."""
    by_mark: dict[str, dict[str, Memory]] = {"hide": {}, "pin": {}}
    for decision in effective_decisions(decisions):
        mark, memory = str(decision.args.get("mark", "")), _memory(decision.args.get("memory"))
        by_id = by_mark.get(mark.removeprefix("un"))
        if decision.action != ACTION or memory is None or by_id is None:
            continue
        if mark in by_mark:
            by_id[memory.id] = memory
        else:
            for other in [other for other in by_id.values() if _names(other) & _names(memory)]:
                del by_id[other.id]
    hidden, pinned = (tuple(by_id.values()) for by_id in by_mark.values())
    tasks = frozenset(task for memory in hidden if memory.type in _TOLD for task in memory.tasks)
    return MemoryMarks(_all_names(hidden), tasks, _all_names(pinned), pinned)


def _names(memory: Memory) -> set[str]:
    """What a mark knows a memory by: its id follows its first task, its key what it says."""
    return {memory.id, memory.key} - {""}


def _all_names(memories: Iterable[Memory]) -> frozenset[str]:
    return frozenset().union(*map(_names, memories))


def marked(memory: Memory, decided: MemoryMarks) -> Memory:
    """The memory with its marks; one that is pinned does not expire."""
    is_pinned, is_hidden = (bool(_names(memory) & names) for names in (decided.pinned, decided.hidden))
    if not (is_pinned or is_hidden or memory.pinned or memory.hidden):
        return memory
    expires = None if is_pinned else memory.expires
    return memory.with_(pinned=is_pinned, hidden=is_hidden, expires=expires)


def _memory(doc: object) -> Memory | None:
    try:
        return Memory.model_validate(doc)
    except ValidationError:
        return None


def primed(decisions: Iterable[Decision]) -> dict[str, bool]:
    """The projects of which it was decided last whether agents are told earlier tasks."""
    decided: dict[str, bool] = {}
    for decision in effective_decisions(decisions):
        project, is_on = decision.args.get("project"), decision.args.get("on")
        if decision.action == PRIMING and isinstance(project, str) and isinstance(is_on, bool):
            decided[project] = is_on
    return decided


def is_primed(decided: Mapping[str, bool], project: str) -> bool:
    """Whether agents are told earlier tasks in a project."""
    return decided.get(project, decided.get(EVERYWHERE, False))
