"""What decisions make of a lesson: a pure replay over what ingest knows of it.

A stored lesson keeps under `_base` the values that its decisions replaced, so the replay can begin anew each
time, and under `_added` that a person typed it, so that it goes when that decision is undone.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from learnloop.models import Decision, Lesson

BASE = "_base"
ADDED = "_added"
_EDITABLE = frozenset(
    [
        "statement",
        "title",
        "description",
        "kind",
        "priority",
        "category",
        "context",
        "keywords",
        "example",
        "counter_example",
        "triggers",
        "content",
        "expires_at",
        "confidence",
        "gate",
    ]
)
Doc = dict[str, Any]


def live(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions that stand, in their order: those undone left out, undo and redo themselves too."""
    ordered = list(decisions)
    standing = resolved(ordered)
    return [decision for decision in ordered if standing.get(decision.id)]


def resolved(decisions: Iterable[Decision]) -> dict[str, bool]:
    """For every decision but undo and redo whether it stands."""
    standing: dict[str, bool] = {}
    named: dict[str, str] = {}
    for decision in decisions:
        if decision.action not in ("undo", "redo"):
            standing[decision.id] = True
            continue
        target = str(decision.args.get("decision", ""))
        is_standing = decision.action == "redo"
        if target in named:  # an undo that is undone, a redo that names the undo
            target, is_standing = named[target], True
        named[decision.id] = target
        if target in standing:
            standing[target] = is_standing
    return standing


def replay(doc: Doc, decisions: Iterable[Decision]) -> Doc:
    """The lesson after the decisions that stand over it; {} where nothing is left of it.

    `doc` is the stored document, or {} for a lesson that only a decision `add` knows.
    """
    told = list(decisions)
    added = next((decision for decision in told if decision.action == "add"), None)
    if added is None and (not doc or doc.get(ADDED)):
        return {}
    made = _before(doc) if doc else _born(added.args.get("lesson") if added else None)
    base: Doc = {}
    for decision in told:
        changes = _changes(made, decision)
        for name, value in changes.items():
            base.setdefault(name, made.get(name))
            made[name] = value
        if changes:
            made["updated"] = max(str(made.get("updated", "")), decision.ts)
    if base:
        made[BASE] = base
    return made


def _before(doc: Doc) -> Doc:
    """The document without what decisions did to it."""
    return {**{name: value for name, value in doc.items() if name != BASE}, **doc.get(BASE, {})}


def _born(lesson: object) -> Doc:
    if not isinstance(lesson, dict):
        return {}
    try:
        return {**Lesson.model_validate(lesson).as_json(), ADDED: True}
    except ValidationError:
        return {}


def _changes(doc: Doc, decision: Decision) -> Doc:
    """What a decision changes in a lesson as it stands; {} where it makes no sense any more."""
    status, args = doc.get("status", "draft"), decision.args
    match decision.action:
        case "promote" if status == "draft":
            return _promoted(doc, decision)
        case "reject" if status == "draft":
            reason = str(args.get("reason", "")) or None
            return {"status": "rejected", "rejection_reason": reason, "reviewed_at": decision.ts}
        case "archive" if status in ("active", "draft"):
            reason = args.get("reason", "unused")
            return _valid(doc, {"status": "archived", "archived_reason": reason, "reviewed_at": decision.ts})
        case "restore" if status == "archived":
            return {"status": "active", "archived_reason": None, "reviewed_at": decision.ts}
        case "restore" if status == "rejected":
            return {"status": "draft", "rejection_reason": None}
        case "edit":
            return _edited(doc, args)
        case "scope":
            return _scoped(doc, args)
        case "pause" | "resume" if status == "active":
            return {"paused": decision.action == "pause"}
    return {}


def _promoted(doc: Doc, decision: Decision) -> Doc:
    words = decision.args.get("statement")
    changes: Doc = {"status": "active", "reviewed_at": decision.ts}
    if words:
        changes |= {"statement": str(words), "title": _title(str(words)), "needs_words": False}
    elif doc.get("needs_words") or not doc.get("statement"):
        return {}
    return _valid(doc, changes)


def _edited(doc: Doc, args: Doc) -> Doc:
    changes = {name: value for name, value in args.items() if name in _EDITABLE}
    if changes.get("statement"):
        changes["needs_words"] = False
        changes.setdefault("title", _title(str(changes["statement"])))
    return _valid(doc, changes)


def _scoped(doc: Doc, args: Doc) -> Doc:
    scope = args.get("scope")
    project = "" if scope == "global" else args.get("project") or doc.get("project", "")
    path = args.get("path") or "" if scope == "module" else ""
    return _valid(doc, {"scope": scope, "project": project, "path": path})


def _title(statement: str) -> str:
    bare = statement.rstrip(".")
    return bare if len(bare) <= 100 else bare[:99] + "…"


def _valid(doc: Doc, changes: Doc) -> Doc:
    """The changes, or {} where the lesson would not be one with them."""
    merged = {name: value for name, value in {**doc, **changes}.items() if not name.startswith("_")}
    try:
        made = Lesson.model_validate(merged).as_json()
    except ValidationError:
        return {}
    return {name: made.get(name) for name in changes}
