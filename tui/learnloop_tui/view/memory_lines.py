"""How tasks, memories and logs of days look as lines. Pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from learnloop.faces import task_page
from learnloop.faces.beliefs import folder
from learnloop.models.memory import Memory
from learnloop.models.task import Task
from learnloop_tui.view import detail, text
from learnloop_tui.view.memory_state import GroupHead
from learnloop_tui.view.page_parts import block, draw, message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from learnloop.service.tasks.task_list import PrimedSession
    from learnloop_tui.view.memory_state import MemoryRow, Shown
    from learnloop_tui.view.text import Line

_TYPE, _WHERE, _AGE = 11, 13, 7
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
            glyph, look = task_page.OUTCOMES[item.outcome]
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
    when = partial(detail.ago, now_ms=now_ms)
    match item:
        case Task():
            parts = task_page.task(item, when, lessons, primed)
        case Memory():
            parts = task_page.memory(item, when)
        case _:
            return [*_day(day, min(width, text.READABLE))]
    return [*draw(parts, width), *_priming(item.project, width, is_primed)]


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
