"""Applies a person's decisions to a lesson: a pure replay over the stored document.

A stored lesson keeps three things so that the replay can start from scratch each time:
`_base`: the values that decisions replaced; `_added`: that a person typed it, so that undo removes it;
`_rated` and `_merged`: what decisions added to counters that ingest goes on counting (usage, evidence).
"""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from learnloop.learn.lessons import acts, claims, origins, scorer
from learnloop.models import Decision, Lesson
from learnloop.models.lesson_check import MOST_RULES, OLDER, reading_first, reads_first, upgraded
from learnloop.wire.text import cut

BASE = "_base"
ADDED = "_added"
RATED = "_rated"
ACTED = scorer.ACTED
LEFT = "_left"
"""The status that an archived lesson had before."""
MERGED = "_merged"
_MOST_EVIDENCE = 40
_CLAIM_CHARS = 2_000
_EDITABLE = frozenset((
    "statement", "title", "description", "kind", "priority", "category", "context", "keywords", "example",
    "counter_example", "triggers", "content", "expires_at", "confidence", "stops",
    "reminds", "check", "run",
))  # fmt: skip
Doc = dict[str, Any]


def effective_decisions(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions that are not undone, in their order, without undo and redo themselves.

    A claimed one stands where a person accepted it.
    """
    ordered = list(decisions)
    is_effective, by_id = effective_by_id(ordered), {decision.id: decision for decision in ordered}
    effective = []
    for decision in ordered:
        if is_effective.get(decision.id) and decision.action == "accept":
            accepted = (by_id[name] for name in _settled(decision) if name in by_id)
            effective += [other.model_copy(update={"ts": decision.ts}) for other in accepted if other.claimed]
        elif is_effective.get(decision.id):
            effective.append(decision)
    return effective


def held_decisions(decisions: Iterable[Decision]) -> list[Decision]:
    """The claimed decisions that no person has accepted or discarded, in their order."""
    ordered = list(decisions)
    is_effective = effective_by_id(ordered)
    settled = {
        name
        for decision in ordered
        if is_effective.get(decision.id) and decision.action in ("accept", "discard")
        for name in _settled(decision)
    }
    return [decision for decision in ordered if decision.claimed and decision.id not in settled]


def _settled(decision: Decision) -> list[str]:
    names = decision.args.get("decisions")
    return [str(name) for name in names] if isinstance(names, list | tuple) else []


def effective_by_id(decisions: Iterable[Decision]) -> dict[str, bool]:
    """For every decision, except undo and redo and those that are claimed, whether it is in effect."""
    effective: dict[str, bool] = {}
    targets: dict[str, str] = {}
    for decision in decisions:
        if decision.claimed:
            continue
        if decision.action not in ("undo", "redo"):
            effective[decision.id] = True
            continue
        target = str(decision.args.get("decision", ""))
        is_effective = decision.action == "redo"
        if target in targets:  # an undo that is undone, a redo that names the undo
            target, is_effective = targets[target], True
        targets[decision.id] = target
        if target in effective:
            effective[target] = is_effective
    return effective


def replay(
    doc: Doc,
    decisions: Iterable[Decision],
    other: Callable[[str], Doc | None] = lambda _: None,
    held: Iterable[Decision] = (),
) -> Doc:
    """The lesson after all effective decisions about it; {} if nothing is left of it.

    `doc` is the stored document, or {} if only a decision `add` contains the lesson. `other` returns the
    stored document of a lesson that is merged into it. `held` are the claimed decisions about it, which
    change nothing but are listed; what one of them would add is a draft.
    """
    ordered, claimed = list(decisions), list(held)
    added = next((decision for decision in (*ordered, *claimed) if decision.action == "add"), None)
    if added is None and (not doc or doc.get(ADDED)):
        return {}
    lesson = _without_decisions(doc) if doc else _added_lesson(added.args.get("lesson") if added else None)
    if added is not None and lesson.get(ADDED):
        given = dict(added.args.get("lesson") or {})
        own = {"status": given.get("status", "draft"), "trust": given.get("trust", "user")}
        lesson |= {"status": "draft", "trust": "agent"} if added in claimed else own
    base: Doc = {}
    for decision in ordered:
        changes = _changes(lesson, decision)
        for name, value in changes.items():
            base.setdefault(name, lesson.get(name))
            lesson[name] = value
        if changes:
            lesson["updated"] = max(str(lesson.get("updated", "")), decision.ts)
            lesson[ACTED] = decision.ts
    if any(decision.by == claims.HAND for decision in claimed):
        base.setdefault("status", lesson.get("status"))
        lesson["status"] = "draft"
    if base:
        lesson[BASE] = base
    if claimed or lesson.get("claims"):
        lesson["claims"] = [_claim(decision) for decision in claimed]
    return _with_merged(_with_ratings(lesson, ordered), ordered, other) if lesson else lesson


def _claim(decision: Decision) -> Doc:
    changes = {
        name: value for name, value in decision.args.items() if name not in ("lesson", "stop", "way", "check")
    }
    return {
        "decision": decision.id, "ts": decision.ts, "action": decision.action, "reason": decision.claimed,
        "words": cut(", ".join(f"{name}: {value}" for name, value in changes.items()), _CLAIM_CHARS),
    }  # fmt: skip


def _with_ratings(doc: Doc, decisions: Iterable[Decision]) -> Doc:
    """The lesson with its ratings counted: one for each recall, of several ratings the last."""
    ratings = {
        str(dict(decision.args.get("of") or {}).get(doc.get("id"), "")): decision
        for decision in decisions
        if decision.action == "rate" and decision.args.get("verdict") in ("helpful", "harmful")
    }
    words = {recall: str(decision.args["verdict"]) for recall, decision in ratings.items()}
    before = doc.pop(RATED, None) or {}
    rated = {name: list(words.values()).count(name) for name in ("helpful", "harmful")}
    if before or words:
        usage = dict(doc.get("usage") or {})
        for name, count in rated.items():
            usage[name] = max(usage.get(name, 0) - before.get(name, 0), 0) + count
        helpful = [decision.ts for decision in ratings.values() if decision.args["verdict"] == "helpful"]
        usage["last_useful"] = max(helpful, default=None)
        doc["usage"] = usage
    if words:
        doc[RATED] = rated
    return doc


def _with_merged(doc: Doc, decisions: Iterable[Decision], other: Callable[[str], Doc | None]) -> Doc:
    """The lesson with the evidence and sightings of the lessons merged into it that are trusted as much."""
    before = doc.pop(MERGED, None)
    if before:
        gone = set(before["events"])
        doc["evidence"] = [seen for seen in doc.get("evidence", ()) if seen["event_id"] not in gone]
        doc["seen_count"] = max(doc.get("seen_count", 1) - before["seen"], 1)
    names = dict.fromkeys(name for decision in decisions for name in _joined(decision, str(doc.get("id"))))
    lessons = [lesson for name in names if (lesson := other(name))]
    merged = [lesson for lesson in lessons if not origins.is_less_trusted(lesson, doc)]
    if not merged:
        return doc
    mine = {seen["event_id"] for seen in doc.get("evidence", ())}
    theirs = {seen["event_id"]: seen for lesson in merged for seen in lesson.get("evidence", ())}
    new = [seen for event_id, seen in theirs.items() if event_id not in mine]
    seen_more = sum(lesson.get("seen_count", 1) for lesson in merged)
    ordered = sorted([*doc.get("evidence", ()), *new], key=lambda seen: str(seen["ts"]))
    doc["evidence"] = ordered[-_MOST_EVIDENCE:]
    doc["seen_count"] = doc.get("seen_count", 1) + seen_more
    doc[MERGED] = {"events": [seen["event_id"] for seen in new], "seen": seen_more}
    return doc


def _joined(decision: Decision, lesson_id: str) -> list[str]:
    """The lessons that a decision joins to this one."""
    if decision.action == "merge" and decision.args.get("keep") == lesson_id:
        return [name for name in decision.lesson_ids if name != lesson_id]
    return [name for name, keeper in decision.settled.items() if keeper == lesson_id]


def _successor(doc: Doc, decision: Decision) -> str:
    """The lesson that stands for this one from a decision on; empty where it stays."""
    lesson_id = str(doc.get("id"))
    if decision.action == "merge" and decision.args.get("keep") != lesson_id:
        return str(decision.args.get("keep", ""))
    return decision.settled.get(lesson_id, "")


def _without_decisions(doc: Doc) -> Doc:
    """The document with the effects of decisions removed."""
    restored = {name: value for name, value in doc.items() if name not in (ACTED, BASE)} | doc.get(BASE, {})
    restored = upgraded(restored)
    return {name: value for name, value in restored.items() if value is not None or name[0] != "_"}


def _added_lesson(lesson: object) -> Doc:
    if not isinstance(lesson, dict):
        return {}
    try:
        return {**Lesson.model_validate({**lesson, "run": None}).as_json(), ADDED: True}
    except ValidationError:
        return {}


def _changes(doc: Doc, decision: Decision) -> Doc:
    """The fields that a decision changes; {} if it does not fit the lesson's present state."""
    status, args = doc.get("status", "draft"), decision.args
    is_live = status in ("active", "draft")
    if keeper := _successor(doc, decision):
        return {**_archived(decision, "superseded", status), "superseded_by": keeper} if is_live else {}
    match decision.action:
        case "promote" if status == "draft":
            return _promoted(doc, decision)
        case "reject" if status == "draft":
            reason = str(args.get("reason", "")) or None
            return {"status": "rejected", "rejection_reason": reason, "reviewed_at": decision.ts}
        case "archive" if is_live:
            reason = args.get("reason", "unused")
            archived = {"status": "archived", "archived_reason": reason, "reviewed_at": decision.ts}
            changes = _valid(doc, archived)
            return changes and {**changes, LEFT: status}
        case "restore" if status == "archived":
            is_draft = doc.get(LEFT) == "draft"
            return {
                "status": "draft" if is_draft else "active", "archived_reason": None,
                "reviewed_at": None if is_draft else decision.ts, "superseded_by": None,
                **({"kept_at": decision.ts} if is_draft else {}),
            }  # fmt: skip
        case "restore" if status == "rejected":
            return {"status": "draft", "rejection_reason": None}
        case "edit":
            return _edited(doc, args, may_run=bool(decision.place and decision.place.attended))
        case "scope":
            return _scoped(doc, args)
        case "pause" | "resume" if status == "active":
            return {"paused": decision.action == "pause"}
        case "gate" if is_live:
            return {"check": _gated(doc, on=bool(args.get("on", True)))}
        case "discard" if args.get("archive"):
            return _archived(decision, "harmful", status)
        case "keep" if is_live:
            return {"kept_at": decision.ts}
        case "replace" if args.get("keep") == doc.get("id"):
            return _promoted(doc, decision) if status == "draft" else {}
        case "replace" if status == "active":
            return _archived(decision, "superseded", status)
    return {}


def _gated(doc: Doc, *, on: bool) -> list[Doc]:
    """The check with, or without, the rule that the lesson is read first: earlier versions decided on it."""
    rest = [rule for rule in doc.get("check") or () if not reads_first(rule)]
    return [*rest, *(reading_first(doc.get("triggers") or {}) if on else ())][:MOST_RULES]


def _archived(decision: Decision, reason: str, before: str) -> Doc:
    return {
        "status": "archived", "archived_reason": reason, "reviewed_at": decision.ts, LEFT: before,
    }  # fmt: skip


def _promoted(doc: Doc, decision: Decision) -> Doc:
    words = decision.args.get("statement")
    changes: Doc = {"status": "active", "reviewed_at": decision.ts}
    is_taken = decision.by == claims.STANDING
    if is_taken and doc.get("scope") == "global":  # it stands for one project
        changes |= {"scope": "project", "project": str(decision.args.get("project", ""))}
    if words:
        changes |= {"statement": str(words), "title": cut(str(words).rstrip("."), 100), "needs_words": False}
        changes |= reworded(doc, str(words))
    elif doc.get("needs_words") or not doc.get("statement"):
        return {}
    if decision.args.get("scope") == "global":
        changes |= _scoped(doc, decision.args)
    if decision.args.get("check"):
        changes["check"] = decision.args["check"]
    held = {**doc, **changes}
    changes |= _bound(held, decision.args)
    valid = _valid(doc, changes)
    return {**valid, origins.TAKEN: True} if valid and is_taken else valid


def _bound(doc: Doc, args: Doc) -> Doc:
    """How a lesson binds from now on; an earlier version named no way."""
    if way := args.get("way"):
        return acts.binding(doc, str(way))
    bound = {"stops": bool(args.get("stop") and acts.forbidding(doc))}
    return bound | ({"reminds": bool(args["remind"] and acts.due_rules(doc))} if "remind" in args else {})


def reworded(doc: Doc, words: str) -> Doc:
    """The check of new words, unless a person has set that of the old."""
    from learnloop.learn.lessons import call_patterns  # loads the grammar

    before, now = (
        [rule.as_json() for rule in call_patterns.derive(text)]
        for text in (str(doc.get("statement", "")), words)
    )
    return {"check": now} if (doc.get("check") or []) in ([], before) else {}


def _edited(doc: Doc, args: Doc, *, may_run: bool) -> Doc:
    fields = _EDITABLE if may_run else _EDITABLE - {"run"}
    changes = {name: value for name, value in args.items() if name in fields}
    older = {"due": args.get("due"), "unwanted": args.get("unwanted"), "wanted": args.get("wanted")}
    if any(older.values()):
        gone = ("due" if older["due"] else "", "never" if older["unwanted"] else "")
        others = [rule for rule in doc.get("check") or () if rule["form"] not in gone]
        changes["check"] = upgraded({**older, "check": others})["check"]
    if changes.get("statement"):
        changes["needs_words"] = False
        changes.setdefault("title", cut(str(changes["statement"]).rstrip("."), 100))
        changes = {**reworded(doc, str(changes["statement"])), **changes}
    return _valid(doc, changes)


def _scoped(doc: Doc, args: Doc) -> Doc:
    scope = args.get("scope")
    project = "" if scope == "global" else args.get("project") or doc.get("project", "")
    path = args.get("path") or "" if scope == "module" else ""
    repo = doc.get("repo", "") if project == doc.get("project", "") else args.get("repo", "")
    return _valid(doc, {"scope": scope, "project": project, "repo": repo, "path": path})


def _valid(doc: Doc, changes: Doc) -> Doc:
    """The changes with the new score; {} if the changed lesson would be invalid."""
    if not changes:
        return {}
    merged = {name: value for name, value in {**doc, **changes}.items() if not name.startswith("_")}
    try:
        lesson = scorer.with_score(Lesson.model_validate(merged)).as_json()
    except ValidationError:
        return {}
    return {name: lesson.get(name) for name in (*changes, "score")}


_SPOKEN = ("statement", "title", "triggers", "check", "keywords", "kind", "content",
          "category", "fingerprint", "scope", "project", "path")  # fmt: skip
"""What follows from the words of a draft."""


def better_words(stored: Doc, draft: Doc) -> dict[str, Any]:
    """What a stored lesson takes over from a draft that says the same; nothing where its words stay.

    Words that a person has edited or approved stay. Else a draft with words is better than one without, and
    of two with words the one that a model wrote last, or that a reviewer keeps more surely. Words that are
    trusted less are taken only where there are none; then the lesson is trusted as little as they are, and
    says why.
    """
    edited = stored.get(BASE, {})
    is_settled = stored.get("status") != "draft" or "statement" in edited
    if is_settled or not draft.get("statement"):
        return {}
    is_lower = origins.is_less_trusted(draft, stored)
    is_read = draft.get("source") == origins.SYNTHESIS
    is_surer = float(draft.get("confidence", 0.0)) > float(stored.get("confidence", 0.0))
    if stored.get("statement") and (is_lower or not (is_read or is_surer)):
        return {}
    taken = {name: draft[name] for name in _SPOKEN if name in draft and name not in edited}
    taken |= dict.fromkeys(name for name in OLDER if name in stored and "check" in taken)
    doubt = {name: draft[name] for name in ("trust", "context") if draft.get(name)} if is_lower else {}
    return {**taken, **doubt, "needs_words": False}
