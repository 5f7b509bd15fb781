"""Makes drafts from structured knowledge: a block, a graph's node, a note. Pure.

Field names are those of the process-knowledge schema (`type` or `process_type`, `label`, `priority`,
`trigger_conditions`, one content by type). The draft's context lists unknown fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons import call_patterns, meaning, scorer, trigger_words, triggers
from learnloop.learn.lessons.drafts import category_of
from learnloop.learn.offers import injection_flags
from learnloop.learn.offers.plain_yaml import Malformed, Path, YamlMapping
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Evidence, Lesson
from learnloop.wire import text as wire_text

KINDS = ("checklist", "pattern", "warning", "requirement")
PRIORITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
_NEEDED: dict[str, tuple[str, ...]] = {
    "checklist": ("items",), "pattern": ("situation", "action"), "warning": ("risk",),
    "requirement": ("constraint",),
}  # fmt: skip
_OPTIONAL: dict[str, tuple[str, ...]] = {
    "checklist": ("title", "format"), "pattern": ("rationale", "example"),
    "warning": ("severity", "detection", "mitigation"), "requirement": ("rationale", "validation"),
}  # fmt: skip
_TRIGGERS = {
    "tool_names": "tool_names", "file_patterns": "file_patterns", "command_patterns": "command_patterns",
    "action_keywords": "action_keywords", "context_keywords": "context_keywords",
    "triad_names": "context_keywords", "agent_names": "agent_names",
}  # fmt: skip
"""A triad's name is what the work is about; nothing says which triad is active, so it limits nothing."""
_KNOWN = frozenset(
    ("type", "process_type", "priority", "label", "title", "description", "confidence", "evidence",
     "statement", "trigger_conditions", "triggers", "scope", "example", "counter_example", "category",
     "id", "created_by", "created_at", "updated_at", "updated_by", "status", "triad", *KINDS)
)  # fmt: skip
_TITLE, _DESCRIPTION, _FIELD, _ITEM, _ITEMS, _TRIGGER, _MOST_TRIGGERS = 100, 1000, 300, 160, 20, 120, 12
_SEVERITIES = ("low", "medium", "high", "critical")


@dataclass(frozen=True)
class Origin:
    """The source of a draft."""

    event_id: str
    ts: str
    rule: str
    """The draft's `source`: `block:process_knowledge`, `import:memory`."""
    session_id: str = ""
    project: str = ""
    number: int = 0
    """Its number among several of the same event."""
    quote: str = ""
    trust: str = "agent"
    before: Mapping[str, Any] = field(default_factory=dict)
    """The turn: `agent`, `files`, `commands`, `task`, `transcript_path`."""


def lesson_from_block(read: YamlMapping, origin: Origin) -> Lesson:
    """The draft for a block's fields; raises Malformed with line and reason if they are invalid."""
    fields = _Fields(read)
    kind_of_content = next((kind for kind in KINDS if kind in read.value), "pattern")
    kind = fields.choice(("type", "process_type"), KINDS, kind_of_content, lower=True)
    content = fields.content(kind)
    label = fields.text("label", "title")
    description = fields.text("description")
    sentence = fields.text("statement") or _statement(kind, label, content, description)
    if not sentence:
        raise Malformed("neither label nor description nor content says anything", read.line())
    scope = fields.choice(("scope",), ("project", "global"), "project", lower=True)
    priority = fields.choice(("priority",), PRIORITIES, "MEDIUM")
    priorities = {"priority": priority}
    if priority == "CRITICAL":  # only proposed: nobody but a person makes a lesson CRITICAL
        priorities = {"priority": "HIGH", "proposed_priority": priority}
    values = {
        "kind": kind, "content": content, **priorities,
        "confidence": fields.number("confidence", 0.8),
        "title": wire_text.cut(label or sentence.rstrip("."), _TITLE),
        "description": wire_text.cut(description, _DESCRIPTION),
        "context": _context(fields, read, sentence),
        "category": fields.text("category") or category_of(f"{sentence} {description}"),
        "example": fields.text("example") or None, "counter_example": fields.text("counter_example") or None,
        "statement": wire_text.cut(sentence, _FIELD), "scope": scope if origin.project else "global",
    }  # fmt: skip
    return build_lesson(values, fields.triggers(), origin)


def build_lesson(values: Mapping[str, Any], declared: Mapping[str, Any], origin: Origin) -> Lesson:
    """A draft with id, triggers, evidence and fingerprint; declared triggers replace derived ones.

    Raises Malformed if a field is invalid.
    """
    statement = str(values["statement"])
    flagged = injection_flags.injection_warning("\n".join([*map(str, values.values()), origin.quote]))
    derived = triggers.derive(
        statement, str(values.get("description", "")), files=_tuple(origin, "files"),
        commands=_tuple(origin, "commands"),
    ).as_json()  # fmt: skip
    places = {name: value for name, value in declared.items() if value}
    global_ = values.get("scope") == "global" or not origin.project
    project = "" if global_ else origin.project
    context = str(values.get("context", ""))
    doc = {
        **values, "id": draft_id(origin.event_id, f"{origin.rule}:{origin.number}"), "source": origin.rule,
        "check": call_patterns.derive(statement),
        "triggers": places or derived, "scope": "global" if global_ else "project", "project": project,
        "context": wire_text.cut(f"Flagged: it {flagged}. {context}" if flagged else context, _DESCRIPTION),
        "keywords": trigger_words.content_words(f"{statement} {values.get('description', '')}"),
        "trust": "external" if flagged else origin.trust,
        "evidence": [_evidence(origin).as_json()], "created": origin.ts, "updated": origin.ts,
        "fingerprint": meaning.fingerprint_of(statement, "global" if global_ else "project", project),
    }  # fmt: skip
    try:
        return scorer.with_score(Lesson.model_validate(doc))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Malformed(f"{place}: {first['msg']}") from None


def _evidence(origin: Origin) -> Evidence:
    before = origin.before
    return Evidence(
        quote=wire_text.cut(origin.quote, 600), session_id=origin.session_id, event_id=origin.event_id,
        ts=origin.ts, agent=str(before.get("agent") or "main"),
        task=wire_text.cut(str(before.get("task", "")), 300), files=_tuple(origin, "files")[:10],
        commands=tuple(wire_text.cut(command, 200) for command in _tuple(origin, "commands")[-5:]),
        transcript_path=str(before.get("transcript_path", "")),
    )  # fmt: skip


def _tuple(origin: Origin, name: str) -> tuple[str, ...]:
    return tuple(str(value) for value in origin.before.get(name, ()))


def _statement(kind: str, label: str, content: Mapping[str, Any] | None, description: str) -> str:
    """One sentence from the most important part of the content, the description or the label."""
    get = (content or {}).get
    items = [item["text"].rstrip(".") for item in get("items", ())]
    by_kind = {
        "pattern": f"{get('situation', '')}: {get('action', '')}" if content else "",
        "warning": ". ".join(part for part in (get("risk", ""), get("mitigation", "")) if part),
        "requirement": get("constraint", ""),
        "checklist": f"{label or get('title', '')}: {', '.join(items)}" if content else "",
    }[kind]
    plain = " ".join((by_kind or description or label).split()).strip(" :")
    return plain if not plain or plain[-1] in ".!?" else f"{plain}."


def _context(fields: "_Fields", read: YamlMapping, sentence: str) -> str:
    evidence = fields.text("evidence")
    unknown = [name for name in read.value if name not in _KNOWN]
    parts = [evidence if evidence != sentence else ""]
    parts.append(f"Not understood: {', '.join(name[:40] for name in unknown[:10])}." if unknown else "")
    return wire_text.cut(" ".join(part for part in parts if part), _DESCRIPTION)


class _Fields:
    """Reads a mapping field by field; each error names its line."""

    def __init__(self, read: YamlMapping) -> None:
        self._read, self._value = read, read.value

    def text(self, *names: str) -> str:
        """The first of these fields that is present, on one line."""
        name = next((name for name in names if name in self._value), "")
        return self._plain(self._value.get(name, ""), (name,))

    def number(self, name: str, default: float) -> float:
        """A number from 0 to 1."""
        given = self._value.get(name)
        if given in (None, ""):
            return default
        try:
            number = float(given)
        except (TypeError, ValueError):
            raise Malformed(f"{name} is not a number", self._read.line(name)) from None
        if not 0 <= number <= 1:
            raise Malformed(f"{name} is not between 0 and 1", self._read.line(name))
        return number

    def choice(
        self, names: tuple[str, ...], allowed: tuple[str, ...], default: str, *, lower: bool = False
    ) -> str:
        """One of the allowed words. `type: Concept`, used by graph nodes, is skipped for the next name."""
        for name in names:
            given = self.text(name)
            word = given.lower() if lower else given.upper()
            if word in allowed:
                return word
            if given and word != "concept":
                reason = f"{name} is {given[:40]!r}, not one of {', '.join(allowed)}"
                raise Malformed(reason, self._read.line(name))
        return default

    def triggers(self) -> dict[str, tuple[str, ...]]:
        """The declared triggers by a lesson's field names."""
        name = next((key for key in ("trigger_conditions", "triggers") if key in self._value), "")
        given = self._value.get(name) or {}
        if not isinstance(given, dict):
            raise Malformed(f"{name} is no mapping", self._read.line(name))
        triggers: dict[str, tuple[str, ...]] = {}
        for key, values in given.items():
            if key in _TRIGGERS:
                patterns = self._list(values, (name, key), _TRIGGER, _MOST_TRIGGERS)
                before = triggers.get(_TRIGGERS[key], ())
                triggers[_TRIGGERS[key]] = tuple(dict.fromkeys((*before, *patterns)))
        return triggers

    def content(self, kind: str) -> dict[str, Any] | None:
        """The content of a kind; None if it is not present."""
        given = self._value.get(kind)
        if not given:
            return None
        if kind == "checklist" and isinstance(given, list):
            given = {"items": given}
        if not isinstance(given, dict):
            raise Malformed(f"{kind} is no mapping", self._read.line(kind))
        parts = (*_NEEDED[kind], *_OPTIONAL[kind])
        content = {name: self._part(kind, name, given[name]) for name in given if name in parts}
        missing = [name for name in _NEEDED[kind] if not content.get(name)]
        if missing:
            raise Malformed(f"{kind} has no {missing[0]}", self._read.line(kind))
        return {name: value for name, value in content.items() if value}

    def _part(self, kind: str, name: str, value: Any) -> Any:
        if name == "items":
            if isinstance(value, list):
                value = [item.get("text", item) if isinstance(item, dict) else item for item in value]
            return [{"text": item} for item in self._list(value, (kind, name), _ITEM, _ITEMS)]
        text = wire_text.cut(self._plain(value, (kind, name)), _TITLE if name == "title" else _FIELD)
        if name == "severity":
            return text.lower() if text.lower() in _SEVERITIES else ""
        if name == "format":
            return text if text == "numbered" else ""
        return text

    def _list(self, value: Any, path: Path, longest: int, most: int) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        if len(values) > most:
            raise Malformed(f"{'.'.join(path)} has more than {most} entries", self._read.line(*path))
        texts = (self._plain(item, (*path, str(at))) for at, item in enumerate(values))
        return tuple(wire_text.cut(item, longest) for item in texts if item)

    def _plain(self, value: Any, path: Path) -> str:
        if value is None or value == "":
            return ""
        if isinstance(value, dict | list):
            raise Malformed(f"{'.'.join(path)} is no text", self._read.line(*path))
        return " ".join(str(value).split())
