"""The lessons while effects are applied to them: merged by fingerprint, replayed by decision."""

from collections.abc import Iterable
from typing import Any

from learnloop.learn import fingerprint
from learnloop.learn.decisions import live, replay, resolved
from learnloop.learn.drafts import MOST_EVIDENCE
from learnloop.models import Decision

Doc = dict[str, Any]
_PUBLISHED = ("statement", "priority", "triggers", "scope", "project", "path", "kind", "expires_at")


class Lessons:
    """The lessons' and decisions' tables, with what is looked up in them."""

    def __init__(self, table: Any, decisions: Any) -> None:
        self._table = table
        self._decisions = decisions
        self._by_fingerprint: dict[str, str] | None = None
        self._shingles: dict[str, frozenset[tuple[str, ...]]] = {}
        self.recallable_changed = False
        self.queue_changed = False

    def learn(self, segment: str, lesson: Doc) -> tuple[str, bool]:
        """The id of the lesson that a draft becomes or joins, and whether it is new."""
        known_id = self._same(lesson)
        if self._table.cursor >= segment:
            return known_id or lesson["id"], False
        if known_id is None:
            self._put(lesson["id"], lesson)
            return lesson["id"], True
        known = self._table.get(known_id)
        if not _has_seen(known, lesson):
            self._put(known_id, _joined(known, lesson))
        return known_id, False

    def recalled(self, segment: str, lesson_id: str, ts: str) -> None:
        """Count a recall."""
        doc = self._table.get(lesson_id) if self._table.cursor < segment else None
        if doc is not None:
            usage = doc.setdefault("usage", {})
            usage["recalled"] = usage.get("recalled", 0) + 1
            usage["last_recalled"] = max(usage.get("last_recalled") or "", ts)
            self._put(lesson_id, doc)

    def decide(self, new: Iterable[Decision]) -> None:
        """Replay the lessons that new decisions touch."""
        told = [Decision.model_validate(doc) for doc in self._decisions.all().values()]
        told.sort(key=lambda decision: decision.ts)
        standing = resolved(told)
        by_id = {decision.id: decision for decision in told}
        touched: dict[str, None] = {}
        for decision in new:
            named = by_id.get(str(decision.args.get("decision", "")))
            for lesson_id in (*decision.lesson_ids, *(named.lesson_ids if named else ())):
                touched[lesson_id] = None
        self._mark_undone(told, standing)
        stand = live(told)
        for lesson_id in touched:
            mine = [decision for decision in stand if lesson_id in decision.lesson_ids]
            self._put(lesson_id, replay(self._table.get(lesson_id) or {}, mine))

    def _mark_undone(self, told: Iterable[Decision], standing: dict[str, bool]) -> None:
        for decision in told:
            undone = not standing.get(decision.id, True)
            if undone != decision.undone:
                self._decisions.put(decision.id, {**decision.as_json(), "undone": undone})

    def _put(self, lesson_id: str, doc: Doc) -> None:
        before = self._table.get(lesson_id) or {}
        self.recallable_changed |= _recallable(before) != _recallable(doc)
        self.queue_changed |= (before.get("status") == "draft") != (doc.get("status") == "draft")
        if doc:
            self._table.put(lesson_id, doc)
        else:
            self._table.remove(lesson_id)
        self._remember(lesson_id, doc)

    def _remember(self, lesson_id: str, doc: Doc) -> None:
        if self._by_fingerprint is None or not doc:
            return
        self._by_fingerprint.setdefault(doc.get("fingerprint", ""), lesson_id)
        self._shingles[lesson_id] = fingerprint.shingles(_words(doc))

    def _same(self, lesson: Doc) -> str | None:
        """The lesson that says the same in the same place: by id, fingerprint, or nearly the same words."""
        documents = self._table.all()
        if lesson["id"] in documents:
            return str(lesson["id"])
        if self._by_fingerprint is None:
            self._by_fingerprint = {}
            for doc_id, doc in documents.items():
                self._remember(doc_id, doc)
        found = self._by_fingerprint.get(lesson["fingerprint"])
        if found in documents:
            return found
        mine = fingerprint.shingles(_words(lesson))
        for doc_id, theirs in self._shingles.items():
            if (
                fingerprint.near(mine, theirs)
                and doc_id in documents
                and _same_place(documents[doc_id], lesson)
            ):
                return doc_id
        return None


def _words(doc: Doc) -> str:
    return str(doc.get("statement") or doc.get("title", ""))


def _same_place(one: Doc, other: Doc) -> bool:
    return one.get("scope") == "global" or one.get("project", "") == other.get("project", "")


def _has_seen(known: Doc, lesson: Doc) -> bool:
    seen = {item["event_id"] for item in known.get("evidence", ())}
    return all(item["event_id"] in seen for item in lesson["evidence"])


def _joined(known: Doc, lesson: Doc) -> Doc:
    """A lesson with one more sighting; one that was rejected only counts it."""
    if known.get("status") == "rejected":
        return {**known, "held_back": known.get("held_back", 0) + 1}
    seen = {item["event_id"] for item in known.get("evidence", ())}
    evidence = [
        *known.get("evidence", ()),
        *(item for item in lesson["evidence"] if item["event_id"] not in seen),
    ]
    joined = {
        **known,
        "seen_count": known.get("seen_count", 1) + 1,
        "evidence": evidence[:1] + evidence[1:][-(MOST_EVIDENCE - 1) :],
        "updated": max(known.get("updated", ""), lesson["updated"]),
        "confidence": max(known.get("confidence", 0.5), lesson["confidence"]),
    }
    if known.get("status") == "draft" and known.get("needs_words") and lesson.get("statement"):
        joined |= {
            name: lesson[name] for name in ("statement", "title", "triggers", "keywords") if name in lesson
        } | {"needs_words": False}
    if known.get("status") == "active":
        usage = dict(known.get("usage", {}))
        joined["usage"] = {**usage, "recurred": usage.get("recurred", 0) + 1}
    return joined


def _recallable(doc: Doc) -> Doc | None:
    """What hooks are told of a lesson; None where it is never recalled."""
    if doc.get("status") != "active" or doc.get("paused"):
        return None
    return {name: doc.get(name) for name in _PUBLISHED}
