"""The fields of a lesson that a person edits, as options and as the text that an editor opens.

The text is `name: value` a line; a list has one item on each indented line below its name, and a long value
goes on there. Lines that begin with `#` are comments.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from learnloop.errors import Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from learnloop.models.lesson import Lesson

PRIORITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
KINDS = ("checklist", "pattern", "warning", "requirement", "preference", "fact")
SCOPES = ("global", "project", "module")


class EditField(NamedTuple):
    """One editable field: its name in the text and where it lives in the lesson."""

    name: str
    holds: Literal["lesson", "triggers", "scope", "content"]
    key: str
    help: str
    many: bool = False
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """The option of `learn edit`."""
        return "--" + self.name.replace("_", "-")


FIELDS: tuple[EditField, ...] = (
    EditField("statement", "lesson", "statement", "what the agent reads: one sentence that says what to do"),
    EditField("title", "lesson", "title", "at most 100 characters"),
    EditField("description", "lesson", "description", "at most 1,000 characters"),
    EditField("priority", "lesson", "priority", "how much it matters", choices=PRIORITIES),
    EditField("kind", "lesson", "kind", "what sort of lesson it is", choices=KINDS),
    EditField("context", "lesson", "context", "what it is about: language, framework, domain"),
    EditField("expires", "lesson", "expires_at", "until when it applies, as 2027-01-31; empty: for good"),
    EditField("keyword", "lesson", "keywords", "a word to find it by", many=True),
    EditField("example", "lesson", "example", "how it looks when it is right"),
    EditField("counter_example", "lesson", "counter_example", "how it looks when it is wrong"),
    EditField("tool", "triggers", "tool_names", "a tool at which it matters", many=True),
    EditField(
        "file_pattern", "triggers", "file_patterns", "files at which it matters, like **/*.py", many=True
    ),
    EditField("command_pattern", "triggers", "command_patterns", "commands at which it matters", many=True),
    EditField("action_keyword", "triggers", "action_keywords", "a word that calls for it", many=True),
    EditField("context_keyword", "triggers", "context_keywords", "a word that fits it", many=True),
    EditField(
        "agent", "triggers", "agent_names", "a subagent that it is meant for, or host:codex", many=True
    ),
    EditField("scope", "scope", "scope", "where it counts", choices=SCOPES),
    EditField("project", "scope", "project", "the project's folder"),
    EditField("path", "scope", "path", "the folder below the project, for scope module"),
)
Values = dict[str, str | list[str]]


def content_fields(kind: str) -> tuple[EditField, ...]:
    """The fields that only lessons of a kind have; `--set` changes them, no option of their own does."""
    from learnloop.models.kinds import CONTENT_FIELDS

    return tuple(
        EditField(f"content.{part.name}", "content", part.name, part.help, part.is_list, part.choices)
        for part in CONTENT_FIELDS[kind]
    )


def add_options(parser: ArgumentParser, fields: Iterable[EditField]) -> None:
    """An option for each field."""
    for field in fields:
        parser.add_argument(
            field.option, dest=field.name, action="append" if field.many else "store",
            choices=field.choices or None, metavar=None if field.choices else "TEXT",
            help=f"{field.help}{' (several times)' if field.many else ''}",
        )  # fmt: skip


def given(args: Namespace, fields: Iterable[EditField]) -> Values:
    """The fields whose options were used."""
    return {
        field.name: [item for item in value if item] if field.many else value
        for field in fields
        if (value := getattr(args, field.name)) is not None
    }


@cache
def _by_name() -> dict[str, EditField]:
    content = (field for kind in KINDS for field in content_fields(kind))
    return {field.name: field for field in (*content, *FIELDS)}


def values(lesson: Lesson) -> Values:
    """The values of a lesson's editable fields."""
    entered: Values = {}
    for field in (*FIELDS, *content_fields(lesson.kind)):
        holder = lesson if field.holds in ("lesson", "scope") else getattr(lesson, field.holds)
        held = getattr(holder, field.key, None)
        entered[field.name] = list(held or ()) if field.many else (held or "")
    return entered


def assigned(settings: Iterable[str]) -> Values:
    """The fields of `NAME=VALUE` texts, a list with one item each; raises Refused for an unknown name."""
    entered: Values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        field = _by_name().get(name.strip())
        if field is None or not equals:
            names = ", ".join(sorted(field for field in _by_name() if "." in field))
            raise Refused(f"--set {setting[:60]!r} names no field", f"NAME=VALUE with one of {names}")
        if not field.many:
            entered[field.name] = value
            continue
        held = entered.setdefault(field.name, [])
        if isinstance(held, list):
            held += [part.strip() for part in value.split("\n") if part.strip()]
    return entered


def render(lesson: Lesson) -> str:
    """The text that an editor opens."""
    lines = ["# Save and close to keep your changes; leave the text as it is to change nothing."]
    for name, value in values(lesson).items():
        field = _by_name()[name]
        choices = f" ({', '.join(field.choices)})" if field.choices else ""
        lines += ["", f"# {field.help}{choices}{'; one on a line, indented' if field.many else ''}"]
        first, *more = ["", *value] if isinstance(value, list) else value.split("\n")
        lines += [f"{name}: {first}".rstrip(), *(f"  {part}" for part in more)]
    return "\n".join(lines) + "\n"


def parse(text: str) -> Values:
    """The fields of an edited text; raises Refused with the number of a line that cannot be read."""
    entered: Values = {}
    current: EditField | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        if raw.startswith("#") or not raw.strip():
            continue
        if raw[0].isspace():
            _continue(entered, current, raw.strip(), number)
        else:
            current = _start(entered, raw, number)
    return entered


def _start(entered: Values, raw: str, number: int) -> EditField:
    name, colon, value = raw.partition(":")
    field = _by_name().get(name.strip())
    if field is None or not colon:
        advice = f"it begins with one of {', '.join(field.name for field in FIELDS)}, content.…"
        raise Refused(f"line {number} makes no sense: {raw[:60]!r}", advice)
    if field.name in entered:
        raise Refused(f"line {number} names {field.name} a second time", "keep one of the two")
    value = value.strip()
    entered[field.name] = ([value] if value else []) if field.many else value
    return field


def _continue(entered: Values, field: EditField | None, value: str, number: int) -> None:
    if field is None:
        raise Refused(f"line {number} belongs to no field", "begin it with a field's name and a colon")
    held = entered[field.name]
    if isinstance(held, list):
        held.append(value)
    else:
        entered[field.name] = f"{held}\n{value}" if held else value


def changed(lesson: Lesson, edited: Values) -> Values:
    """The values that differ from the lesson's; raises Refused for a value that is not among the choices."""
    before = values(lesson)
    differing = {name: value for name, value in edited.items() if value != before.get(name, type(value)())}
    for name, value in differing.items():
        field = _by_name()[name]
        if field.choices and value not in field.choices:
            raise Refused(f"{name} cannot be {value!r}", f"take one of {', '.join(field.choices)}")
    return differing


def as_changes(lesson: Lesson, edited: Values) -> dict[str, Any]:
    """The changes of words, content and triggers, as the service takes them."""
    by_holder: dict[str, Values] = {}
    for name, value in edited.items():
        field = _by_name()[name]
        by_holder.setdefault(field.holds, {})[field.key] = value
    changes: dict[str, Any] = dict(by_holder.get("lesson", {}))
    if entered := by_holder.get("triggers"):
        changes["triggers"] = {**lesson.triggers.model_dump(), **entered}
    if content := by_holder.get("content"):
        changes["content"] = content
    return changes


def as_scope(lesson: Lesson, edited: Values) -> dict[str, str] | None:
    """The new scope, project and path; None where they do not change; raises Refused where one is missing."""
    asked = {name: str(value) for name, value in edited.items() if _by_name()[name].holds == "scope"}
    if not asked:
        return None
    scope = asked.get("scope") or ("module" if asked.get("path") else "project")
    project = "" if scope == "global" else asked.get("project") or lesson.project
    path = (asked.get("path") or lesson.path) if scope == "module" else ""
    if scope != "global" and not project:
        raise Refused("it is not clear which project is meant", "name its folder with --project")
    if scope == "module" and not path:
        raise Refused("a module needs a path below the project", "name it with --path")
    return {"scope": scope, "project": project, "path": path}
