"""The six kinds of lessons: their content checked, carried over, put for people and for agents. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from learnloop.models.kinds import CONTENT_FIELDS, FIELD_MAX, ITEM_MAX, ITEMS_MAX, MODELS, is_empty

Doc = Mapping[str, Any]
ROOM = 1_500
"""Characters of a lesson that the default budget of a call (400 tokens) has room for, heading taken off."""


def problems(kind: str, content: Doc | None) -> dict[str, str]:
    """What is wrong with each field of a content, in words; nothing where it is right or empty."""
    fields = {field.name: field for field in CONTENT_FIELDS.get(kind, ())}
    unknown = [name for name in content or {} if name not in fields]
    if unknown:
        known = f"it has {', '.join(fields)}" if fields else "its statement says everything"
        return {unknown[0]: f"A {kind} has no {unknown[0]}: {known}."}
    if is_empty(content) or kind not in MODELS:
        return {}
    try:
        MODELS[kind].model_validate(dict(content or {}))
    except ValidationError as error:
        found: dict[str, str] = {}
        for one in error.errors(include_url=False, include_input=False):
            name = str(one["loc"][0])
            found.setdefault(name, _said(fields[name].label, one))
        return found
    return {}


def _said(label: str, error: Any) -> str:
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
    """The content as it is kept, or None where nothing is written; raises pydantic's ValidationError."""
    if kind not in MODELS or is_empty(content):
        return None
    return MODELS[kind].model_validate(dict(content or {})).as_json()


def convert_content(lesson: Doc, kind: str) -> dict[str, Any]:
    """What a lesson holds, in the fields of another kind; what has no place there is left out.

    Main points stay main points and reasons reasons; where nothing was held, the statement is the main point.
    """
    old = str(lesson.get("kind", "fact"))
    content: dict[str, Any] = dict(lesson.get("content") or {})
    if old == kind:
        return content
    main, why, how, example = _parts(old, content)
    main = main or [str(lesson.get("statement", ""))]
    joined = _fit("; ".join(main))
    title = content.get("title") or str(lesson.get("title", ""))
    made: dict[str, Any] = {
        "checklist": {"title": title, "items": [_fit(item, ITEM_MAX) for item in main][:ITEMS_MAX]},
        "pattern": {
            "situation": content.get("situation", ""), "action": joined, "rationale": why, "example": example
        },
        "warning": {"risk": joined, "mitigation": how or why},
        "requirement": {"constraint": joined, "rationale": why, "validation": how},
    }.get(kind, {})  # fmt: skip
    return {name: value for name, value in made.items() if value and value != [""]}


def _parts(kind: str, content: Doc) -> tuple[list[str], str, str, str]:
    """A content's main points, reason, way and example."""
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


def _fit(text: str, most: int = FIELD_MAX) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def agent_text(
    lesson: Doc, room: int = ROOM, safe: Callable[[str], str] = lambda words: " ".join(words.split())
) -> str:
    """What an agent is told of a lesson, on one line: the statement, then as plain facts what the kind holds.

    `safe` makes each text harmless. Where all of it does not fit into `room` characters, whole parts are left
    out, the least important first; the statement alone is never cut.
    """
    statement = _sentence(safe(str(lesson.get("statement", ""))))
    told = _told(str(lesson.get("kind", "")), lesson.get("content") or {}, safe)
    kept = [(weight, words) for weight, words, said in told if not _says(statement, said)]
    while kept and len(_joined(statement, kept)) > room:
        kept.remove(min(kept, key=lambda part: part[0]))
    return _joined(statement, kept)


def essential_text(lesson: Doc) -> str:
    """What has to reach the agent whatever the budget: the statement and the parts that matter most."""
    content = lesson.get("content") or {}
    told = _told(str(lesson.get("kind", "")), content, lambda words: " ".join(words.split()))
    return _joined(
        str(lesson.get("statement", "")), [(weight, words) for weight, words, _ in told if weight > 7]
    )


def _joined(statement: str, parts: Iterable[tuple[int, str]]) -> str:
    return " ".join([statement, *(words for _, words in parts)])


def _told(kind: str, content: Doc, safe: Callable[[str], str]) -> Iterator[tuple[int, str, str]]:
    """Each part of a content: how much it matters, how it is told, and what it says."""
    if kind == "checklist" and content.get("items"):
        items = [safe(str(item)).rstrip(".;") for item in content["items"]]
        listed = "; ".join(f"{number}) {item}" for number, item in enumerate(items, 1))
        yield 9, f"{_called(content, safe)}: {listed}.", listed
    for weight, name, words in _PARTS.get(kind, ()):
        value = safe(str(content.get(name) or ""))
        if value:
            yield weight, f"{words}: {_sentence(value)}", value


def _called(content: Doc, safe: Callable[[str], str]) -> str:
    title = safe(str(content.get("title") or "")).rstrip(".:")
    return f"{title}, to verify before proceeding" if title else "To verify before proceeding"


_PARTS: dict[str, tuple[tuple[int, str, str], ...]] = {
    "pattern": (
        (8, "situation", "When"), (9, "action", "Then"), (5, "rationale", "Why"), (2, "example", "Example"),
    ),
    "warning": (
        (8, "risk", "Risk"), (4, "severity", "Severity"), (5, "detection", "How it is noticed"),
        (9, "mitigation", "What prevents it"),
    ),
    "requirement": (
        (9, "constraint", "Must hold"), (5, "rationale", "Why"), (8, "validation", "Verified with"),
    ),
}  # fmt: skip


def _sentence(words: str) -> str:
    return words if not words or words[-1] in ".!?…:" else f"{words}."


_WORD = re.compile(r"\w+")


def _says(statement: str, words: str) -> bool:
    """Whether the statement has those words already, in that order."""
    plain = " ".join(_WORD.findall(words.casefold()))
    return bool(plain) and f" {plain} " in f" {' '.join(_WORD.findall(statement.casefold()))} "


def display_lines(lesson: Doc) -> list[str]:
    """What a person reads of a lesson's content, a line each; nothing where it holds nothing."""
    kind, content = str(lesson.get("kind", "")), lesson.get("content") or {}
    if is_empty(content):
        return []
    title = str(content.get("title") or lesson.get("title") or lesson.get("statement") or "").rstrip(".")
    if kind == "checklist":
        return [title.upper(), "", "Before proceeding, verify:", *_items(content)]
    lines = [f"{kind.upper()}: {title}", ""]
    for name, label in _LABELS.get(kind, ()):
        value = str(content.get(name) or "")
        if value:
            lines += [""] if name == "example" else []
            lines.append(f"{label}: {value.upper() if name == 'severity' else value}")
    return lines


_LABELS: dict[str, tuple[tuple[str, str], ...]] = {
    "pattern": (("situation", "When"), ("action", "Do"), ("rationale", "Why"), ("example", "Example")),
    "warning": (
        ("risk", "Risk"), ("severity", "Severity"), ("detection", "How to detect"),
        ("mitigation", "Mitigation"),
    ),
    "requirement": (("constraint", "Constraint"), ("rationale", "Why"), ("validation", "Verify with")),
}  # fmt: skip


def _items(content: Doc) -> Iterator[str]:
    signs = {"numbered": "{}.", "bulleted": "-"}
    sign = signs.get(str(content.get("format")), "- [ ]")
    for number, item in enumerate(content.get("items") or (), 1):
        yield f"{sign.format(number)} {item}"


def heading(kind: str, priority: str) -> str:
    """What stands over a lesson's content: how much it matters, and what it is."""
    return {
        "CRITICAL": f"⚠ CRITICAL {kind.upper()}",
        "HIGH": f"⚠ HIGH PRIORITY {kind.upper()}",
        "MEDIUM": f"ℹ {kind.title()}",
    }.get(priority, f"ℹ Note: {kind.title()}")
