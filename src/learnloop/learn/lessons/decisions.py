"""What decisions make of a lesson: a pure replay over what ingest knows of it.

A stored lesson keeps under `_base` the values that its decisions replaced, so the replay can begin anew each
time, and under `_added` that a person typed it, so that it goes when that decision is undone. What ingest
goes on counting (usage, evidence) is not replaced but added to, and noted under `_rated` and `_merged`, to be
taken out again.
"""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons import scorer, usefulness
from learnloop.models import Decision, Lesson

BASE = "_base"
ADDED = "_added"
RATED = "_rated"
ACTED = usefulness.ACTED
LEFT = "_left"
"""The status that an archived lesson had before."""
MERGED = "_merged"
_MOST_EVIDENCE = 40
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


def effective_decisions(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions that stand, in their order: those undone left out, undo and redo themselves too."""
    ordered = list(decisions)
    standing = effective_by_id(ordered)
    return [decision for decision in ordered if standing.get(decision.id)]


def effective_by_id(decisions: Iterable[Decision]) -> dict[str, bool]:
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


def _nobody(_lesson_id: str) -> Doc | None:
    return None


def replay(doc: Doc, decisions: Iterable[Decision], other: Callable[[str], Doc | None] = _nobody) -> Doc:
    """The lesson after the decisions that stand over it; {} where nothing is left of it.

    `doc` is the stored document, or {} for a lesson that only a decision `add` knows; `other` gives the
    stored documents of lessons that are merged into it.
    """
    told = list(decisions)
    added = next((decision for decision in told if decision.action == "add"), None)
    if added is None and (not doc or doc.get(ADDED)):
        return {}
    made = (
        _before({name: value for name, value in doc.items() if name != ACTED})
        if doc
        else _born(added.args.get("lesson") if added else None)
    )
    base: Doc = {}
    for decision in told:
        changes = _changes(made, decision)
        for name, value in changes.items():
            base.setdefault(name, made.get(name))
            made[name] = value
        if changes:
            made["updated"] = max(str(made.get("updated", "")), decision.ts)
            made[ACTED] = decision.ts
    if base:
        made[BASE] = base
    return _with_merged(_with_ratings(made, told), told, other) if made else made


def _with_ratings(doc: Doc, decisions: Iterable[Decision]) -> Doc:
    """The lesson with its ratings counted: one for each time it was recalled, the last word counts."""
    words = {
        str(dict(decision.args.get("of") or {}).get(doc.get("id"), "")): str(decision.args.get("verdict"))
        for decision in decisions
        if decision.action == "rate" and decision.args.get("verdict") in ("helpful", "harmful")
    }
    before = doc.pop(RATED, None) or {}
    rated = {name: list(words.values()).count(name) for name in ("helpful", "harmful")}
    if before or words:
        usage = dict(doc.get("usage") or {})
        for name, count in rated.items():
            usage[name] = max(usage.get(name, 0) - before.get(name, 0), 0) + count
        doc["usage"] = usage
    if words:
        doc[RATED] = rated
    return doc


def _with_merged(doc: Doc, decisions: Iterable[Decision], other: Callable[[str], Doc | None]) -> Doc:
    """The lesson with the evidence and sightings of those that were merged into it."""
    before = doc.pop(MERGED, None)
    if before:
        gone = set(before["events"])
        doc["evidence"] = [seen for seen in doc.get("evidence", ()) if seen["event_id"] not in gone]
        doc["seen_count"] = max(doc.get("seen_count", 1) - before["seen"], 1)
    names = dict.fromkeys(
        name
        for decision in decisions
        if decision.action == "merge" and decision.args.get("keep") == doc.get("id")
        for name in decision.lesson_ids
        if name != doc.get("id")
    )
    found = [told for name in names if (told := other(name))]
    if not found:
        return doc
    mine = {seen["event_id"] for seen in doc.get("evidence", ())}
    theirs = {seen["event_id"]: seen for told in found for seen in told.get("evidence", ())}
    new = [seen for event_id, seen in theirs.items() if event_id not in mine]
    seen_more = sum(told.get("seen_count", 1) for told in found)
    ordered = sorted([*doc.get("evidence", ()), *new], key=lambda seen: str(seen["ts"]))
    doc["evidence"] = ordered[-_MOST_EVIDENCE:]
    doc["seen_count"] = doc.get("seen_count", 1) + seen_more
    doc[MERGED] = {"events": [seen["event_id"] for seen in new], "seen": seen_more}
    return doc


def _before(doc: Doc) -> Doc:
    """The document without what decisions did to it."""
    made = {**{name: value for name, value in doc.items() if name != BASE}, **doc.get(BASE, {})}
    return {name: value for name, value in made.items() if value is not None or name[0] != "_"}


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
            changes = _valid(
                doc, {"status": "archived", "archived_reason": reason, "reviewed_at": decision.ts}
            )
            return changes and {**changes, LEFT: status}
        case "restore" if status == "archived":
            back = "draft" if doc.get(LEFT) == "draft" else "active"
            reviewed = None if back == "draft" else decision.ts
            kept = {"kept_at": decision.ts} if back == "draft" else {}
            return {
                "status": back,
                "archived_reason": None,
                "reviewed_at": reviewed,
                "superseded_by": None,
                **kept,
            }
        case "restore" if status == "rejected":
            return {"status": "draft", "rejection_reason": None}
        case "edit":
            return _edited(doc, args)
        case "scope":
            return _scoped(doc, args)
        case "pause" | "resume" if status == "active":
            return {"paused": decision.action == "pause"}
        case "gate" if status in ("active", "draft"):
            return {"gate": bool(args.get("on", True))}
        case "keep" if status in ("active", "draft"):
            return {"kept_at": decision.ts}
        case "merge" if status in ("active", "draft") and args.get("keep") != doc.get("id"):
            return {
                "status": "archived", "archived_reason": "superseded",
                "superseded_by": str(args.get("keep", "")), "reviewed_at": decision.ts, LEFT: status,
            }  # fmt: skip
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
    """The changes with the score that goes with them, or {} where the lesson would not be one with them."""
    if not changes:
        return {}
    merged = {name: value for name, value in {**doc, **changes}.items() if not name.startswith("_")}
    try:
        made = scorer.with_score(Lesson.model_validate(merged)).as_json()
    except ValidationError:
        return {}
    return {name: made.get(name) for name in (*changes, "score")}
