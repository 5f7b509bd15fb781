"""How tasks, memories and logs of days look as lines. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.models.memory import Memory
from learnloop.models.task import Task
from learnloop.service.elapsed import elapsed
from learnloop_tui.view import detail, text
from learnloop_tui.view.memory_state import GroupHead
from learnloop_tui.view.page_parts import block, field, heading, message
from learnloop_tui.view.preference_state import folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from learnloop.service.tasks.task_list import PrimedSession
    from learnloop_tui.view.memory_state import MemoryRow, Shown
    from learnloop_tui.view.text import Line

_OUTCOMES = {
    "success": ("✓", "good"), "failed": ("✗", "bad"), "revised": ("~", "warn"), "cancelled": ("-", "muted"),
    "unknown": ("·", "label"),
}  # fmt: skip
_STEPS = {"done": ("✓", "muted"), "failed": ("✗", "bad"), "refused": ("-", "warn")}
_HOW = {"said": "as you said", "inferred": "inferred", "none": "nobody said"}
_TYPE, _WHERE, _AGE = 11, 13, 7
_MOST_TELLINGS = 8
_WHERE_FROM = 46
"""From which width on the project is shown."""
_EMPTY: dict[Shown, tuple[str, str]] = {
    "tasks": ("No tasks yet", "A task is what you ask an agent for; learn ingest --all reads older ones."),
    "memories": ("No memories yet", "They come from tasks that did something."),
    "days": ("No days yet", "A day with a task is listed from the next day on."),
}


def header(shown: Shown, width: int) -> Line:
    """The heading above the columns."""
    lead = f"    {text.fit('type', _TYPE) if shown == 'memories' else ''}"
    name = {"tasks": "task", "memories": "memory", "days": "day"}[shown]
    return _columns(((lead, "label"),), (name, "label"), width, "project", "label", "age")


def row(item: Any, width: int, now_ms: int) -> Line:
    """A task with its outcome, a memory with its type, a day; or the heading over a group."""
    match item:
        case GroupHead():
            return ((f"  {text.cut(item.name, width - 12)}", "strong"), (f" {item.held:,}", "muted"))
        case Task():
            glyph, look = _OUTCOMES[item.outcome]
            age = detail.short_ago(item.started, now_ms)
            title = (item.title, "text")
            return _columns(((f" {glyph} ", look),), title, width, folder(item.project), "muted", age)
        case Memory():
            look = "muted" if item.hidden else "text"
            mark = "-" if item.hidden else "★" if item.pinned else " "
            lead, age = (text.fit(item.type, _TYPE), look), detail.short_ago(item.ts, now_ms)
            mark_and_type = ((f" {mark} ", "accent"), lead)
            return _columns(mark_and_type, (item.text, look), width, folder(item.project), "muted", age)
    age = detail.short_ago(f"{item.id}T12:00:00Z", now_ms)
    return _columns((("   ", "text"),), (item.id, "text"), width, "", "muted", age)


def _columns(lead: Line, words: tuple[str, str], width: int, where: str, look: str, age: str) -> Line:
    is_wide = width >= _WHERE_FROM
    lead_cells = sum(text.width(part) for part, _ in lead)
    cells = max(8, width - lead_cells - _AGE - (_WHERE + 1 if is_wide else 0))
    project = ((f" {text.fit(where, _WHERE)}", look),) if is_wide else ()
    return (
        *lead, (text.fit(words[0], cells), words[1]), *project, (text.fit(age, _AGE, right=True), look)
    )  # fmt: skip


def nothing(shown: Shown, query: str) -> list[Line]:
    """What an empty list shows."""
    if query:
        return message("No match", [f"Nothing here fits “{text.cut(query, 40)}”."])
    title, hint = _EMPTY[shown]
    return message(title, [hint], [("f", "Show the next list."), ("7", "See whether hooks report.")])


def page(
    item: MemoryRow, width: int, now_ms: int, *, is_primed: bool, lessons: Mapping[str, str], day: str,
    primed: Sequence[PrimedSession],
) -> list[Line]:  # fmt: skip
    """Everything about a task or a memory; of a day its log."""
    width = min(width, text.READABLE)
    match item:
        case Task():
            lines = [
                *_task(item, width, now_ms, lessons),
                *_primed(primed, width, now_ms),
                *_steps(item, width),
            ]
            return [*lines, *_priming(item.project, width, is_primed)]
        case Memory():
            return [*_memory(item, width, now_ms), *_priming(item.project, width, is_primed)]
    return [*_day(day, width)]


def _task(task: Task, width: int, now_ms: int, lessons: Mapping[str, str]) -> Iterator[Line]:
    glyph, look = _OUTCOMES[task.outcome]
    yield from block(task.title, width, "strong")
    yield ()
    yield from field("outcome", f"{glyph} {task.outcome}, {_HOW[task.known]}", width, look)
    took = f"{elapsed(task.duration_ms)}, {elapsed(task.busy_ms)} at work"
    asked = " ".join(task.input.split())
    facts = (
        ("asked", asked if asked != task.title else ""), ("error", task.error),
        ("began", f"{detail.ago(task.started, now_ms)} · took {took}"),
        ("where", " · ".join(filter(None, (task.project, task.branch)))),
        ("agent", f"{task.agent} · {task.host}"), ("kind", " · ".join((task.kind, *task.tags))),
        ("needs", " · ".join(task.prerequisites)), ("done when", " · ".join(task.criteria)),
        ("files", ", ".join(task.files)), ("turns", f"{len(task.turns):,}" if len(task.turns) > 1 else ""),
        ("continues", (task.continues or "")[:12]),
    )  # fmt: skip
    yield from (line for label, words in facts if words for line in field(label, words, width))
    if task.told:
        yield from heading("Lessons told in it", width)
        for name in task.told:
            yield from block(lessons.get(name, name[:8]), width, "quote")


def _primed(primed: Sequence[PrimedSession], width: int, now_ms: int) -> Iterator[Line]:
    """The later sessions that were told of a task."""
    if primed:
        yield from heading(f"Told to later sessions ({len(primed):,})", width)
    for each in primed[:_MOST_TELLINGS]:
        who = f"{each.agent} · session {each.session_id[:8]} · score {each.score}"
        yield from block(f"{detail.ago(each.ts, now_ms)} · {who}", width, "text")


def _steps(task: Task, width: int) -> Iterator[Line]:
    if task.steps:
        yield from heading(f"Steps ({task.calls:,})", width)
    for step in task.steps:
        glyph, look = _STEPS[step.result]
        words = f"{step.tool} {step.target}{f' – {step.error_class}' if step.error_class else ''}"
        yield ((f" {glyph} ", look), (text.cut(words, width - 4), look))
    if task.calls > len(task.steps):
        yield from block(f"{task.calls - len(task.steps):,} between are left out", width, "muted")


def _memory(memory: Memory, width: int, now_ms: int) -> Iterator[Line]:
    yield from block(memory.text, width, "strong")
    yield ()
    marks = [name for name in ("pinned", "hidden") if getattr(memory, name)]
    tasks = "task" if memory.seen == 1 else "tasks"
    until = "you unpin it or forget it" if memory.pinned else "you forget its project"
    facts = (
        ("type", " · ".join((memory.type, *marks))),
        ("seen", f"in {memory.seen:,} {tasks}, last {detail.ago(memory.ts, now_ms)}"),
        ("where", memory.project), ("agent", memory.agent), ("files", ", ".join(memory.files)),
        ("about", ", ".join(memory.relevance)),
        ("until", f"{memory.expires[:10]}, with its events" if memory.expires else until),
    )  # fmt: skip
    yield from (line for label, words in facts if words for line in field(label, words, width))


def _priming(project: str, width: int, is_primed: bool) -> Iterator[Line]:
    where = project_name(project)
    told = f"Agents are told earlier tasks in {where}."
    words = told if is_primed else f"Agents are not told earlier tasks in {where}; P switches that on."
    yield ()
    yield from block(words, width, "good" if is_primed else "muted")


def project_name(project: str) -> str:
    """A project as words name it."""
    return folder(project) or project or "no project"


def _day(words: str, width: int) -> Iterator[Line]:
    """A log without its front matter."""
    body = words.partition("\n---\n")[2] if words.startswith("---\n") else words
    for line in text.clean(body).splitlines():
        look = "brand" if line.startswith("#") else "text"
        yield from block(line.lstrip("# "), width, look) if line.strip() else [()]
