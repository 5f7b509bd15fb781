"""The edit form's values: from a lesson to fields of text and back, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop_tui import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop.models import Lesson

KINDS = ("fact", "preference", "requirement", "warning", "pattern", "checklist")
PRIORITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
TRIGGERS = {
    "tool_names": ("tools", "Write, Edit, Bash"),
    "file_patterns": ("files", "src/**/*.py, Dockerfile"),
    "command_patterns": ("commands", "git push*, npm *"),
    "action_keywords": ("actions", "deploy, migrate"),
    "context_keywords": ("words", "staging, invoice"),
    "agent_names": ("agents", "reviewer"),
}
"""Each trigger's label and an example."""
STATEMENT_MAX, TITLE_MAX, DESCRIPTION_MAX = 500, 100, 1000

Fields = dict[str, str]


def fields(lesson: Lesson) -> Fields:
    """What the form starts with."""
    made = {
        "statement": lesson.statement or suggestion(lesson),
        "title": lesson.title,
        "description": lesson.description,
        "kind": lesson.kind,
        "priority": lesson.priority,
    }
    triggers = lesson.triggers.model_dump()
    return {name: text.line(value) for name, value in made.items()} | {
        name: text.line(", ".join(triggers[name])) for name in TRIGGERS
    }


def suggestion(lesson: Lesson) -> str:
    """What a draft without words starts with: what the person said."""
    said = lesson.evidence[-1].quote if lesson.evidence else lesson.title
    return text.cut(said, STATEMENT_MAX)


def changes(lesson: Lesson, typed: Mapping[str, str]) -> dict[str, Any]:
    """What differs from the lesson, in the shape that an edit takes."""
    before = fields(lesson) | {"statement": text.line(lesson.statement)}
    now = {name: text.line(value) for name, value in typed.items()}
    changed: dict[str, Any] = {
        name: now[name]
        for name in ("statement", "title", "description", "kind", "priority")
        if now[name] != before[name]
    }
    if any(now[name] != before[name] for name in TRIGGERS):
        changed["triggers"] = {name: split(now[name]) for name in TRIGGERS}
    return changed


def split(value: str) -> list[str]:
    """A list as it is typed, with commas; each value once."""
    return list(dict.fromkeys(part for part in (raw.strip() for raw in value.split(",")) if part))


def problem(typed: Mapping[str, str]) -> tuple[str, str] | None:
    """The first field that cannot stay so, and why."""
    limits = (("statement", STATEMENT_MAX), ("title", TITLE_MAX), ("description", DESCRIPTION_MAX))
    if not text.line(typed["statement"]):
        return "statement", "A lesson needs a statement: one sentence in the present tense."
    for name, most in limits:
        length = len(text.line(typed[name]))
        if length > most:
            return name, f"The {name} is {length} characters long; {most} is the most."
    return None
