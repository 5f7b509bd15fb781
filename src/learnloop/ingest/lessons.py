"""The lessons while effects are applied to them: merged by fingerprint, replayed by decision."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from learnloop.learn import fingerprint
from learnloop.learn.decisions import live, replay, resolved
from learnloop.learn.drafts import MOST_EVIDENCE
from learnloop.models import Decision

Doc = dict[str, Any]
NORMAL = "_normal"
"""The words that a stored lesson is compared by."""
SEGMENT = "_segment"
"""The segment that a stored decision stands in."""
_MOST_MERGES = 20
_FEW_LOOKUPS = 8
"""To read and index a lesson costs more than ten times what it costs to look through its line."""
_PUBLISHED = ("statement", "priority", "triggers", "scope", "project", "path", "kind", "expires_at", "gate")


class Lessons:
    """The lessons' and decisions' tables, with what is looked up in them."""

    def __init__(self, table: Any, decisions: Any) -> None:
        self._table = table
        self._decisions = decisions
        self._said: _Said | None = None
        self._lookups = 0
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

    def decide(self, segment: str, new: Iterable[Decision]) -> None:
        """Replay the lessons that new decisions touch, by what was decided up to a segment."""
        stored = [doc for doc in self._decisions.all().values() if doc.get(SEGMENT, "") <= segment]
        touched = self._touched(new)
        told = [
            Decision.model_validate({name: value for name, value in doc.items() if name[0] != "_"})
            for doc in stored
            if doc["action"] in ("undo", "redo") or not touched.keys().isdisjoint(doc["lesson_ids"])
        ]
        told.sort(key=lambda decision: decision.ts)
        self._mark_undone(told)
        stand = live(told)
        for lesson_id in touched:
            mine = [decision for decision in stand if lesson_id in decision.lesson_ids]
            self._put(lesson_id, replay(self._table.get(lesson_id) or {}, mine, self._table.get))

    def _touched(self, new: Iterable[Decision]) -> dict[str, None]:
        """The lessons of decisions, and of those that they undo or redo."""
        touched: dict[str, None] = {}
        for decision in new:
            named = self._decisions.get(str(decision.args.get("decision", ""))) or {}
            touched |= dict.fromkeys((*decision.lesson_ids, *named.get("lesson_ids", ())))
        return touched

    def _mark_undone(self, told: Sequence[Decision]) -> None:
        standing = resolved(told)
        for decision in told:
            undone = not standing.get(decision.id, True)
            if undone != decision.undone:
                self._decisions.put(decision.id, {**self._decisions.get(decision.id), "undone": undone})

    def _put(self, lesson_id: str, doc: Doc) -> None:
        before = self._table.get(lesson_id) or {}
        self.recallable_changed |= _recallable(before) != _recallable(doc)
        self.queue_changed |= (before.get("status") == "draft") != (doc.get("status") == "draft")
        if not doc:
            self._table.remove(lesson_id)
            return
        if _words(doc) != _words(before) or NORMAL not in doc:
            doc = {**doc, NORMAL: fingerprint.normalise(_words(doc))}
        doc = {name: value for name, value in doc.items() if value is not None}
        self._table.put(lesson_id, doc)
        if self._said is not None:
            self._said.add(lesson_id, doc)

    def _same(self, lesson: Doc) -> str | None:
        """The lesson that says the same in the same place: by id, fingerprint, or nearly the same words."""
        if lesson["id"] in self._table:
            return str(lesson["id"])
        for found in self._like(lesson):
            if found in self._table and _same_place(self._table.get(found), lesson):
                return found
        return None

    def _like(self, lesson: Doc) -> Iterator[str]:
        """The ids of lessons that say the same: few lookups read through all, more of them make an index."""
        self._lookups += 1
        if self._said is None and self._lookups <= _FEW_LOOKUPS:
            grams = [" ".join(gram) for gram in fingerprint.grams(_normal(lesson))]
            return _Said(self._table.containing([lesson["fingerprint"], *grams])).like(lesson)
        if self._said is None:
            self._said = _Said(self._table.all())
        return self._said.like(lesson)


class _Said:
    """What lessons say, to find those that say the same without comparing with each."""

    def __init__(self, documents: dict[str, Doc]) -> None:
        self._by_fingerprint: dict[str, list[str]] = {}
        self._by_gram: dict[fingerprint.Gram, list[str]] = {}
        self._sizes: dict[str, int] = {}
        self._denies: dict[str, bool] = {}
        for lesson_id, doc in documents.items():
            self.add(lesson_id, doc)

    def add(self, lesson_id: str, doc: Doc) -> None:
        """Know a lesson by what it says."""
        grams = fingerprint.grams(_normal(doc))
        self._sizes[lesson_id] = len(grams)
        self._denies[lesson_id] = fingerprint.denies(_normal(doc))
        self._by_fingerprint.setdefault(doc.get("fingerprint", ""), []).append(lesson_id)
        for gram in grams:
            self._by_gram.setdefault(gram, []).append(lesson_id)

    def like(self, lesson: Doc) -> Iterator[str]:
        """The ids of lessons that say the same, the surest first."""
        yield from self._by_fingerprint.get(lesson["fingerprint"], ())
        grams = fingerprint.grams(_normal(lesson))
        shared = Counter(lesson_id for gram in grams for lesson_id in set(self._by_gram.get(gram, ())))
        denies = fingerprint.denies(_normal(lesson))
        for lesson_id, count in shared.most_common():
            is_near = fingerprint.is_near(count, len(grams), self._sizes[lesson_id])
            if is_near and self._denies[lesson_id] == denies:
                yield lesson_id


def _normal(doc: Doc) -> str:
    return doc[NORMAL] if NORMAL in doc else fingerprint.normalise(_words(doc))


def _words(doc: Doc) -> str:
    return str(doc.get("statement") or doc.get("title", ""))


def _merged_into(lesson_id: str, documents: dict[str, Doc]) -> str:
    """The lesson that a merge kept, for one that went into another."""
    for _ in range(_MOST_MERGES):
        doc = documents[lesson_id]
        kept = doc.get("superseded_by")
        if doc.get("status") != "archived" or kept not in documents:
            break
        lesson_id = str(kept)
    return lesson_id


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
