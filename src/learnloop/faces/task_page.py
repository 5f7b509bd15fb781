"""Tasks and memories: all that a page about one says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces.parts import Field, Heading, Pieces, Title, Words
from learnloop.service.elapsed import elapsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from learnloop.faces.parts import Part, When
    from learnloop.models.memory import Memory
    from learnloop.models.task import Task
    from learnloop.service.tasks.task_list import PrimedSession

OUTCOMES = {
    "success": ("✓", "good"), "failed": ("✗", "bad"), "revised": ("~", "warn"), "cancelled": ("-", "muted"),
    "unknown": ("·", "label"),
}  # fmt: skip
"""A glyph and a look for how a task ended."""
_STEPS = {"done": ("✓", "muted"), "failed": ("✗", "bad"), "refused": ("⊘", "warn")}
_HOW = {"said": "as you said", "inferred": "inferred", "none": "nobody said"}
_MOST_TELLINGS = 8


def task(
    task: Task,
    when: When,
    told: Mapping[str, str],
    primed: Sequence[PrimedSession],
    runs: Sequence[Task] = (),
) -> Iterator[Part]:
    """A task: `told` are the words of lessons by id, `runs` the work of its subagents."""
    yield Title(task.title)
    yield Words()
    yield Field("outcome", _outcome(task), OUTCOMES[task.outcome][1])
    asked = " ".join(task.input.split())
    yield Field("asked", asked if asked != task.title else "")
    yield Field("corrected", " · ".join(task.corrections))
    yield Field("error", task.error)
    took = f"{elapsed(task.duration_ms)}, {elapsed(task.busy_ms)} at work"
    yield Field("began", f"{when(task.started)} · took {took}")
    yield Field("where", " · ".join(filter(None, (task.project, task.branch))))
    yield Field("agent", f"{task.agent} · {task.host} · session {task.session_id}")
    yield Field("kind", " · ".join((task.kind, *task.tags)))
    yield Field("needs", " · ".join(task.prerequisites))
    yield Field("done when", " · ".join(task.criteria))
    yield Field("files", ", ".join(task.files))
    yield Field("turns", f"{len(task.turns):,}" if len(task.turns) > 1 else "")
    yield Field("continues", (task.continues or "")[:12])
    yield Field("part of", (task.parent or "")[:12])
    if task.told:
        yield Heading("Lessons told in it")
        yield from (Words(told.get(name, name[:8]), "quote") for name in task.told)
    yield from _primed(primed, when)
    yield from _steps(f"Steps ({task.calls:,})", task)
    for run in runs:
        yield from _steps(f"{run.agent} · {_outcome(run)} · {run.calls:,} calls · {run.id[:12]}", run)


def _outcome(task: Task) -> str:
    quality = f", quality {task.quality:g}" if task.quality is not None else ""
    return f"{OUTCOMES[task.outcome][0]} {task.outcome}, {_HOW[task.known]}{quality}"


def _primed(primed: Sequence[PrimedSession], when: When) -> Iterator[Part]:
    """The later sessions that were told of a task."""
    if primed:
        yield Heading(f"Told to later sessions ({len(primed):,})")
    for each in primed[:_MOST_TELLINGS]:
        who = f"{each.agent} · session {each.session_id[:8]} · score {each.score}"
        yield Words(f"{when(each.ts)} · {who}")


def _steps(title: str, task: Task) -> Iterator[Part]:
    if task.steps:
        yield Heading(title)
    for step in task.steps:
        glyph, look = _STEPS[step.result]
        error = f" – {step.error_class}" if step.error_class else ""
        yield Pieces(((f"{glyph} ", look), (f"{step.tool} {step.target}{error}", look)))
    if task.calls > len(task.steps):
        yield Words(f"{task.calls - len(task.steps):,} between are left out", "muted")


def memory(memory: Memory, when: When) -> Iterator[Part]:
    """A memory."""
    yield Title(memory.text)
    yield Words()
    yield Field("type", " · ".join((memory.type, *marks(memory))))
    tasks = "task" if memory.seen == 1 else "tasks"
    yield Field("seen", f"in {memory.seen:,} {tasks}, last {when(memory.ts)}")
    yield Field("where", memory.project)
    yield Field("agent", memory.agent)
    yield Field("files", ", ".join(memory.files))
    yield Field("about", ", ".join(memory.relevance))
    yield Field("tasks", ", ".join(name[:12] for name in memory.tasks))
    until = "you unpin it or forget it" if memory.pinned else "you forget its project"
    yield Field("until", f"{memory.expires[:10]}, with its events" if memory.expires else until)
    yield Field("id", memory.id)


def marks(memory: Memory) -> Iterator[str]:
    """What a person decided of a memory, and whether it came from outside."""
    named = (("pinned", memory.pinned), ("hidden", memory.hidden), ("external", memory.trust == "external"))
    return (name for name, holds in named if holds)
