"""Structured knowledge (a block, a graph's node, a note) mapped onto a draft lesson. Pure.

Field names are those of the process-knowledge schema (`type` or `process_type`, `label`, `priority`,
`trigger_conditions`, one content by type); what is not known is named in the draft, not lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons import fingerprint, scorer, triggers
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
    "triad_names": "agent_names", "agent_names": "agent_names",
}  # fmt: skip
_KNOWN = frozenset(
    ("type", "process_type", "priority", "label", "title", "description", "confidence", "evidence",
     "statement", "trigger_conditions", "triggers", "scope", "example", "counter_example", "category",
     "id", "created_by", "created_at", "updated_at", "updated_by", "status", "triad", *KINDS)
)  # fmt: skip
_TITLE, _DESCRIPTION, _FIELD, _ITEM, _ITEMS, _TRIGGER, _MOST_TRIGGERS = 100, 1000, 300, 160, 20, 120, 12
_SEVERITIES = ("low", "medium", "high", "critical")


@dataclass(frozen=True)
class Origin:
    """Where knowledge comes from."""

    event_id: str
    ts: str
    rule: str
    """What the draft's source says: `block:process_knowledge`, `import:triads`."""
    session_id: str = ""
    project: str = ""
    number: int = 0
    """Which one of several of the same event."""
    quote: str = ""
    trust: str = "agent"
    before: Mapping[str, Any] = field(default_factory=dict)
    """The turn: `agent`, `files`, `commands`, `task`, `transcript_path`."""


def lesson_from_block(read: YamlMapping, origin: Origin) -> Lesson:
    """The draft of a piece of knowledge; raises Malformed with line and reason where it is none."""
    fields = _Fields(read)
    kind = fields.choice(("type", "process_type"), KINDS, _only_kind(read.value), lower=True)
    content = fields.content(kind)
    label = fields.text("label", "title")
    description = fields.text("description")
    said = fields.text("statement") or _statement(kind, label, content, description)
    if not said:
        raise Malformed("neither label nor description nor content says anything", read.line())
    scope = fields.choice(("scope",), ("project", "global"), "project", lower=True)
    made = {
        "kind": kind, "content": content, **_priority(fields.choice(("priority",), PRIORITIES, "MEDIUM")),
        "confidence": fields.number("confidence", 0.8),
        "title": wire_text.cut(label or said.rstrip("."), _TITLE),
        "description": wire_text.cut(description, _DESCRIPTION),
        "context": _context(fields, read, said),
        "category": fields.text("category") or category_of(f"{said} {description}"),
        "example": fields.text("example") or None, "counter_example": fields.text("counter_example") or None,
        "statement": wire_text.cut(said, _FIELD), "scope": scope if origin.project else "global",
    }  # fmt: skip
    return build_lesson(made, fields.triggers(), origin)


def _priority(said: str) -> dict[str, str]:
    """CRITICAL is only proposed: a person makes a lesson CRITICAL, nobody else."""
    return {"priority": "HIGH", "proposed_priority": said} if said == "CRITICAL" else {"priority": said}


def build_lesson(made: Mapping[str, Any], declared: Mapping[str, Any], origin: Origin) -> Lesson:
    """A draft with id, triggers, evidence and fingerprint; triggers that are declared replace derived ones.

    Raises Malformed where a field is not what a lesson's may be.
    """
    statement, flagged = str(made["statement"]), injection_flags.injection_warning(_all_words(made, origin))
    derived = triggers.derive(
        statement, str(made.get("description", "")), files=_tuple(origin, "files"),
        commands=_tuple(origin, "commands"),
    ).as_json()  # fmt: skip
    places = {name: value for name, value in declared.items() if value}
    global_ = made.get("scope") == "global" or not origin.project
    project = "" if global_ else origin.project
    context = str(made.get("context", ""))
    doc = {
        **made, "id": draft_id(origin.event_id, f"{origin.rule}:{origin.number}"), "source": origin.rule,
        "triggers": places or derived, "scope": "global" if global_ else "project", "project": project,
        "context": wire_text.cut(f"Flagged: it {flagged}. {context}" if flagged else context, _DESCRIPTION),
        "keywords": triggers.content_words(f"{statement} {made.get('description', '')}"),
        "trust": "external" if flagged else origin.trust,
        "evidence": [_evidence(origin).as_json()], "created": origin.ts, "updated": origin.ts,
        "fingerprint": fingerprint.fingerprint_of(statement, "global" if global_ else "project", project),
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


def _all_words(made: Mapping[str, Any], origin: Origin) -> str:
    return "\n".join([*(str(value) for value in made.values()), origin.quote])


def _only_kind(value: Mapping[str, Any]) -> str:
    """The kind whose content is there; a pattern where none is."""
    return next((kind for kind in KINDS if kind in value), "pattern")


def _statement(kind: str, label: str, content: Mapping[str, Any] | None, description: str) -> str:
    """One sentence that says what there is to know; the content itself is told besides."""
    get = (content or {}).get
    said = {
        "pattern": f"{get('situation', '')}: {get('action', '')}" if content else "",
        "warning": ". ".join(part for part in (get("risk", ""), get("mitigation", "")) if part),
        "requirement": get("constraint", ""),
        "checklist": f"{label or get('title', '')}: {', '.join(_items(content))}" if content else "",
    }[kind]
    plain = " ".join((said or description or label).split()).strip(" :")
    return plain if not plain or plain[-1] in ".!?" else f"{plain}."


def _items(content: Mapping[str, Any] | None) -> list[str]:
    return [item["text"].rstrip(".") for item in (content or {}).get("items", ())]


def _context(fields: "_Fields", read: YamlMapping, said: str) -> str:
    told = fields.text("evidence")
    unknown = [name for name in read.value if name not in _KNOWN]
    parts = [told if told != said else ""]
    parts.append(f"Not understood: {', '.join(name[:40] for name in unknown[:10])}." if unknown else "")
    return wire_text.cut(" ".join(part for part in parts if part), _DESCRIPTION)


class _Fields:
    """A piece of knowledge read field by field, each complaint with its line."""

    def __init__(self, read: YamlMapping) -> None:
        self._read, self._value = read, read.value

    def text(self, *names: str) -> str:
        """The first of these fields that is there, on one line."""
        name = next((name for name in names if name in self._value), "")
        return self._plain(self._value.get(name, ""), (name,))

    def number(self, name: str, default: float) -> float:
        """A number from 0 to 1."""
        given = self._value.get(name)
        if given in (None, ""):
            return default
        try:
            found = float(given)
        except (TypeError, ValueError):
            raise Malformed(f"{name} is not a number", self._read.line(name)) from None
        if not 0 <= found <= 1:
            raise Malformed(f"{name} is not between 0 and 1", self._read.line(name))
        return found

    def choice(
        self, names: tuple[str, ...], known: tuple[str, ...], default: str, *, lower: bool = False
    ) -> str:
        """One of the known words; `type: Concept`, as a graph's node says, leaves it to the other name."""
        for name in names:
            given = self.text(name)
            word = given.lower() if lower else given.upper()
            if word in known:
                return word
            if given and word != "concept":
                raise Malformed(
                    f"{name} is {given[:40]!r}, not one of {', '.join(known)}", self._read.line(name)
                )
        return default

    def triggers(self) -> dict[str, tuple[str, ...]]:
        """When it matters, by the names that a lesson has."""
        name = next((one for one in ("trigger_conditions", "triggers") if one in self._value), "")
        given = self._value.get(name) or {}
        if not isinstance(given, dict):
            raise Malformed(f"{name} is no mapping", self._read.line(name))
        made: dict[str, tuple[str, ...]] = {}
        for key, values in given.items():
            if key in _TRIGGERS:
                found = self._list(values, (name, key), _TRIGGER, _MOST_TRIGGERS)
                made[_TRIGGERS[key]] = tuple(dict.fromkeys((*made.get(_TRIGGERS[key], ()), *found)))
        return made

    def content(self, kind: str) -> dict[str, Any] | None:
        """What the kind holds, None where it is not there."""
        given = self._value.get(kind)
        if not given:
            return None
        if kind == "checklist" and isinstance(given, list):
            given = {"items": given}
        if not isinstance(given, dict):
            raise Malformed(f"{kind} is no mapping", self._read.line(kind))
        made = {name: self._part(kind, name, given[name]) for name in given if name in self._parts(kind)}
        missing = [name for name in _NEEDED[kind] if not made.get(name)]
        if missing:
            raise Malformed(f"{kind} has no {missing[0]}", self._read.line(kind))
        return {name: value for name, value in made.items() if value}

    @staticmethod
    def _parts(kind: str) -> tuple[str, ...]:
        return (*_NEEDED[kind], *_OPTIONAL[kind])

    def _part(self, kind: str, name: str, value: Any) -> Any:
        if name == "items":
            return [{"text": item} for item in self._items(value)]
        said = wire_text.cut(self._plain(value, (kind, name)), _TITLE if name == "title" else _FIELD)
        if name == "severity":
            return said.lower() if said.lower() in _SEVERITIES else ""
        if name == "format":
            return said if said == "numbered" else ""
        return said

    def _items(self, value: Any) -> list[str]:
        if isinstance(value, list):
            value = [item.get("text", item) if isinstance(item, dict) else item for item in value]
        return list(self._list(value, ("checklist", "items"), _ITEM, _ITEMS))

    def _list(self, value: Any, path: Path, longest: int, most: int) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        if len(values) > most:
            raise Malformed(f"{'.'.join(path)} has more than {most} entries", self._read.line(*path))
        found = (wire_text.cut(self._plain(one, (*path, str(at))), longest) for at, one in enumerate(values))
        return tuple(one for one in found if one)

    def _plain(self, value: Any, path: Path) -> str:
        if value is None or value == "":
            return ""
        if isinstance(value, dict | list):
            raise Malformed(f"{'.'.join(path)} is no text", self._read.line(*path))
        return " ".join(str(value).split())
