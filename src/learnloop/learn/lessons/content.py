"""The content of the six kinds of lessons: checked, converted, written for people and for agents. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from learnloop.models.kinds import CONTENT_FIELDS, FIELD_MAX, ITEM_MAX, ITEMS_MAX, MODELS, is_empty
from learnloop.wire.text import cut

Doc = Mapping[str, Any]
ROOM = 1_500
"""Characters that the default budget of a call (400 tokens) leaves for one lesson after the heading."""


def problems(kind: str, content: Doc | None) -> dict[str, str]:
    """What is wrong with each field of a content, in words; empty if it is valid or empty."""
    fields = {field.name: field for field in CONTENT_FIELDS.get(kind, ())}
    unknown = [name for name in content or {} if name not in fields]
    if unknown:
        allowed = f"it has {', '.join(fields)}" if fields else "its statement says everything"
        return {unknown[0]: f"A {kind} has no {unknown[0]}: {allowed}."}
    if is_empty(content) or kind not in MODELS:
        return {}
    try:
        MODELS[kind].model_validate(dict(content or {}))
    except ValidationError as invalid:
        messages: dict[str, str] = {}
        for error in invalid.errors(include_url=False, include_input=False):
            name = str(error["loc"][0])
            messages.setdefault(name, _error_message(fields[name].label, error))
        return messages
    return {}


def _error_message(label: str, error: Any) -> str:
    """A field's error in words."""
    limit = error.get("ctx", {})
    item = f" {error['loc'][1] + 1}" if len(error["loc"]) > 1 else ""
    match error["type"]:
        case "missing" | "string_too_short" | "too_short":
            return f"“{label}”{item} is empty."
        case "string_too_long":
            return f"“{label}”{item} is too long: {limit['max_length']} characters is the most."
        case "too_long":
            return f"“{label}” has {limit['actual_length']} entries: {limit['max_length']} is the most."
        case "literal_error":
            return f"“{label}” is one of {limit['expected']}."
        case "value_error":
            return f"“{label}”{item}: {limit['error']}."
    return f"“{label}”{item}: {error['msg']}."


def validated_content(kind: str, content: Doc | None) -> dict[str, Any] | None:
    """The content as stored; None if it is empty or the kind has none.

    Raises pydantic's ValidationError if it is invalid.
    """
    if kind not in MODELS or is_empty(content):
        return None
    return MODELS[kind].model_validate(dict(content or {})).as_json()


def convert_content(lesson: Doc, kind: str) -> dict[str, Any]:
    """A lesson's content in the fields of another kind; parts without a field there are left out.

    Main points stay main points and reasons reasons. An empty content gets the statement as its main point.
    """
    old = str(lesson.get("kind", "fact"))
    content: dict[str, Any] = dict(lesson.get("content") or {})
    if old == kind:
        return content
    main, why, how, example = _parts(old, content)
    main = main or [str(lesson.get("statement", ""))]
    joined = cut("; ".join(main), FIELD_MAX)
    title = content.get("title") or str(lesson.get("title", ""))
    fields: dict[str, Any] = {
        "checklist": {"title": title, "items": [cut(item, ITEM_MAX) for item in main][:ITEMS_MAX]},
        "pattern": {
            "situation": content.get("situation", ""), "action": joined, "rationale": why, "example": example
        },
        "warning": {"risk": joined, "mitigation": how or why},
        "requirement": {"constraint": joined, "rationale": why, "validation": how},
    }.get(kind, {})  # fmt: skip
    return {name: value for name, value in fields.items() if value and value != [""]}


def _parts(kind: str, content: Doc) -> tuple[list[str], str, str, str]:
    """A content's main points, reason, method and example."""
    get = content.get
    match kind:
        case "checklist":
            return list(get("items") or ()), "", "", ""
        case "pattern":
            return [get("action") or ""], get("rationale") or "", "", get("example") or ""
        case "warning":
            return [get("risk") or ""], "", get("mitigation") or get("detection") or "", ""
        case "requirement":
            return [get("constraint") or ""], get("rationale") or "", get("validation") or "", ""
    return [], "", "", ""


def agent_text(
    lesson: Doc, room: int = ROOM, safe: Callable[[str], str] = lambda words: " ".join(words.split())
) -> str:
    """A lesson for an agent, on one line: the statement, then the parts of its content as plain facts.

    `safe` sanitises each text. If the line is longer than `room` characters, whole parts are left out, the
    least important first; the statement is never cut.
    """
    statement = _sentence(safe(str(lesson.get("statement", ""))))
    parts = _parts_for_agents(str(lesson.get("kind", "")), lesson.get("content") or {}, safe)
    shown = [
        (weight, words)
        for weight, words, values in parts
        if not all(_says(statement, value) for value in values)
    ]
    while shown and len(_joined(statement, shown)) > room:
        shown.remove(min(shown, key=lambda part: part[0]))
    return _joined(statement, shown)


def essential_text(lesson: Doc) -> str:
    """What an agent gets whatever the budget: the statement and the most important parts."""
    content = lesson.get("content") or {}
    parts = _parts_for_agents(str(lesson.get("kind", "")), content, lambda words: " ".join(words.split()))
    important = [(weight, words) for weight, words, _ in parts if weight > 7]
    return _joined(str(lesson.get("statement", "")), important)


def _joined(statement: str, parts: Iterable[tuple[int, str]]) -> str:
    return " ".join([statement, *(words for _, words in parts)])


def _parts_for_agents(
    kind: str, content: Doc, safe: Callable[[str], str]
) -> Iterator[tuple[int, str, list[str]]]:
    """Each part of a content: its importance 0–10, the text with its label, and the bare values."""
    if kind == "checklist" and content.get("items"):
        items = [safe(str(item)).rstrip(".;") for item in content["items"]]
        listed = "; ".join(f"{number}) {item}" for number, item in enumerate(items, 1))
        title = safe(str(content.get("title") or "")).rstrip(".:")
        heading = f"{title}, to verify before proceeding" if title else "To verify before proceeding"
        yield 9, f"{heading}: {listed}.", items
    for weight, name, words, _ in _PARTS.get(kind, ()):
        value = safe(str(content.get(name) or ""))
        if value:
            yield weight, f"{words}: {_sentence(value)}", [value]


_PARTS: dict[str, tuple[tuple[int, str, str, str], ...]] = {
    "pattern": (
        (8, "situation", "When", "When"), (9, "action", "Then", "Do"), (5, "rationale", "Why", "Why"),
        (2, "example", "Example", "Example"),
    ),
    "warning": (
        (8, "risk", "Risk", "Risk"), (4, "severity", "Severity", "Severity"),
        (5, "detection", "How it is noticed", "How to detect"),
        (9, "mitigation", "What prevents it", "Mitigation"),
    ),
    "requirement": (
        (9, "constraint", "Must hold", "Constraint"), (5, "rationale", "Why", "Why"),
        (8, "validation", "Verified with", "Verify with"),
    ),
}  # fmt: skip
"""The parts of each kind: importance 0–10, field, label for agents, label for people."""


def _sentence(words: str) -> str:
    return words if not words or words[-1] in ".!?…:" else f"{words}."


_WORD = re.compile(r"\w+")


def _says(statement: str, words: str) -> bool:
    """Whether the statement contains these words in this order."""
    plain = " ".join(_WORD.findall(words.casefold()))
    return bool(plain) and f" {plain} " in f" {' '.join(_WORD.findall(statement.casefold()))} "


def display_lines(lesson: Doc) -> list[str]:
    """A lesson's content as lines for a person; none if it is empty."""
    kind, content = str(lesson.get("kind", "")), lesson.get("content") or {}
    if is_empty(content):
        return []
    title = str(content.get("title") or lesson.get("title") or lesson.get("statement") or "").rstrip(".")
    if kind == "checklist":
        sign = {"numbered": "{}.", "bulleted": "-"}.get(str(content.get("format")), "- [ ]")
        items = (f"{sign.format(number)} {item}" for number, item in enumerate(content.get("items") or (), 1))
        return [title.upper(), "", "Before proceeding, verify:", *items]
    lines = [f"{kind.upper()}: {title}", ""]
    for _, name, _, label in _PARTS.get(kind, ()):
        value = str(content.get(name) or "")
        if value:
            lines += [""] if name == "example" else []
            lines.append(f"{label}: {value.upper() if name == 'severity' else value}")
    return lines


def heading(kind: str, priority: str) -> str:
    """The heading over a lesson's content: its priority and its kind."""
    return {
        "CRITICAL": f"⚠ CRITICAL {kind.upper()}",
        "HIGH": f"⚠ HIGH PRIORITY {kind.upper()}",
        "MEDIUM": f"ℹ {kind.title()}",
    }.get(priority, f"ℹ Note: {kind.title()}")
