"""The edit form's values: from a lesson to fields of text and back, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.models.kinds import CONTENT_FIELDS, is_empty
from learnloop_tui.view import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop.models import Lesson

KINDS = ("fact", "preference", "requirement", "warning", "pattern", "checklist")
PRIORITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
TRIGGERS = {
    "tool_names": ("tools", "Write, Edit, Bash"), "file_patterns": ("files", "src/**/*.py, Dockerfile"),
    "command_patterns": ("commands", "git push*, npm *"), "action_keywords": ("actions", "deploy, migrate"),
    "context_keywords": ("words", "staging, invoice"), "agent_names": ("agents", "reviewer"),
}  # fmt: skip
"""Each trigger's label and an example."""
STATEMENT_MAX, TITLE_MAX, DESCRIPTION_MAX = 500, 100, 1000

Fields = dict[str, str]


def fields(lesson: Lesson) -> Fields:
    """What the form starts with."""
    filled = {
        "statement": lesson.statement, "title": lesson.title, "description": lesson.description,
        "kind": lesson.kind, "priority": lesson.priority, "run": lesson.run.line if lesson.run else "",
    }  # fmt: skip
    triggers = lesson.triggers.model_dump()
    listed = {name: text.line(", ".join(triggers[name])) for name in TRIGGERS}
    return {name: text.line(value) for name, value in filled.items()} | listed | _contents(lesson)


def _contents(lesson: Lesson) -> Fields:
    """The fields of every kind's content under `kind-field`, those of other kinds empty; an item a line."""
    typed: Fields = {}
    for kind in CONTENT_FIELDS:
        typed |= as_content(kind, _held(lesson, kind))
    return typed


def _held(lesson: Lesson, kind: str) -> dict[str, Any]:
    return lesson.content.model_dump() if lesson.content and lesson.kind == kind else {}


def as_content(kind: str, content: Mapping[str, Any]) -> Fields:
    """A kind's content as fields of the form; choices that nobody made are the first."""
    values: Fields = {}
    for field in CONTENT_FIELDS[kind]:
        value = content.get(field.name) or (field.choices[0] if field.choices else "")
        values[f"{kind}-{field.name}"] = (
            text.line(value) if isinstance(value, str) else "\n".join(map(text.line, value))
        )
    return values


def content(kind: str, typed: Mapping[str, str]) -> dict[str, Any]:
    """What is typed of a kind's content, in the shape that an edit takes."""
    values: dict[str, Any] = {}
    for field in CONTENT_FIELDS[kind]:
        value = typed[f"{kind}-{field.name}"]
        lines = (text.line(line) for line in value.splitlines())
        values[field.name] = [line for line in lines if line] if field.is_list else text.line(value)
    return values


def carried(lesson: Lesson, old: str, kind: str, typed: Mapping[str, str]) -> Fields:
    """The fields of a kind, filled from those of another kind; empty where something is typed."""
    from learnloop.learn.lessons import content as kind_content

    before = content(old, typed)
    if is_empty(before) or not is_empty(content(kind, typed)):
        return {}
    held = {"kind": old, "statement": typed["statement"], "title": typed["title"], "content": before}
    return as_content(kind, kind_content.convert_content({**lesson.as_json(), **held}, kind))


def changes(lesson: Lesson, typed: Mapping[str, str]) -> dict[str, Any]:
    """What differs from the lesson, in the shape that an edit takes."""
    before = fields(lesson)
    now = {name: text.line(value) for name, value in typed.items()}
    changed: dict[str, Any] = {
        name: now[name]
        for name in ("statement", "title", "description", "kind", "priority", "run")
        if now[name] != before[name]
    }
    kind = typed["kind"]
    held, typed_now = _held(lesson, kind), content(kind, typed)
    is_written = not (is_empty(typed_now) and is_empty(held))
    if is_written and typed_now != content(kind, as_content(kind, held)):
        changed["content"] = typed_now
    if any(now[name] != before[name] for name in TRIGGERS):
        changed["triggers"] = {name: split(now[name]) for name in TRIGGERS}
    return changed


def split(value: str) -> list[str]:
    """A list as it is typed, with commas; each value once."""
    return list(dict.fromkeys(part for part in (raw.strip() for raw in value.split(",")) if part))


def problem(typed: Mapping[str, str], *, needs_words: bool = False) -> tuple[str, str] | None:
    """The first field that cannot stay so, and why; a lesson that needs words may go on without."""
    limits = (("statement", STATEMENT_MAX), ("title", TITLE_MAX), ("description", DESCRIPTION_MAX))
    if not (needs_words or text.line(typed["statement"])):
        return "statement", "A lesson needs a statement: what the agent should do, in one sentence."
    for name, most in limits:
        length = len(text.line(typed[name]))
        if length > most:
            return name, f"The {name} is {length} characters long; {most} is the most."
    from learnloop.learn.lessons import content as kind_content
    from learnloop.learn.lessons import trigger_limits

    kind = typed["kind"]
    held = {name: value for name, value in content(kind, typed).items() if value}
    for name, wrong in kind_content.problems(kind, held).items():
        return f"{kind}-{name}", wrong
    return trigger_limits.problem({name: split(typed[name]) for name in TRIGGERS})
