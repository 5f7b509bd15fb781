"""The lessons while effects are applied to them: merged by fingerprint, replayed by decision."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from learnloop.ingest import followup
from learnloop.ingest.effects import Judged
from learnloop.learn.lessons import fingerprint, impact, origins
from learnloop.learn.lessons.decisions import BASE, effective_by_id, effective_decisions, replay
from learnloop.learn.lessons.drafts import MOST_EVIDENCE
from learnloop.learn.offers import discoveries
from learnloop.learn.profile import beliefs
from learnloop.models import Decision
from learnloop.store import segments

Doc = dict[str, Any]
NORMAL = "_normal"
"""The words that a stored lesson is compared by."""
DRAFTED = "_drafted"
"""When a stored lesson was made or last seen again, in milliseconds of the fold that brought it."""
TOLD = "_told"
"""The sessions that were told it last."""
FOLLOWED = "_followed"
"""The turns that followed it last: taken back where the correction comes again."""
AGAINST = "_against"
"""The turns after which its correction came again: they are not counted as following it later."""
_LAST = 5
SEGMENT = "_segment"
"""The segment that a stored decision stands in."""
_MOST_MERGES = 20
_WITHOUT_LESSONS = ("undo", "redo", *beliefs.ACTIONS, "trust")
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

    def says(self, lesson: Doc) -> bool:
        """Whether an active lesson says the same already."""
        known_id = self._same(lesson)
        return known_id is not None and (self._table.get(known_id) or {}).get("status") == "active"

    def learn(self, segment: str, lesson: Doc, feedback: Doc | None = None) -> tuple[str, bool]:
        """The id of the lesson that a draft becomes or joins, and whether it is new.

        `feedback` is what was heard, and says which turn a correction is about that comes again.
        """
        known_id = self._same(lesson) or self._same_discovery(lesson)
        if self._table.cursor >= segment:
            return known_id or lesson["id"], False
        if known_id is None:
            self._put(lesson["id"], {**lesson, DRAFTED: segments.fold_ms(segment)})
            return lesson["id"], True
        known = self._table.get(known_id)
        if not _has_seen(known, lesson):
            is_found_again = origins.is_discovery(known) and origins.is_discovery(lesson)
            join = discoveries.merge_sighting if is_found_again else _joined
            joined = _came_back(join(known, lesson), lesson, feedback)
            self._put(known_id, {**joined, DRAFTED: segments.fold_ms(segment)})
        return known_id, False

    def judge(self, segment: str, turn: Judged, silent: Mapping[str, str]) -> None:
        """Count what a turn says of lessons: those it followed, and CRITICAL ones that stayed silent."""
        if self._table.cursor >= segment:
            return
        for lesson_id in turn.recalled:
            doc = self._table.get(lesson_id)
            if doc is None or turn.turn_id in doc.get(AGAINST, ()):
                continue
            if followup.is_followed(doc, turn):
                usage = dict(doc.get("usage") or {})
                usage["followed"] = usage.get("followed", 0) + 1
                turns = [*doc.get(FOLLOWED, ()), turn.turn_id][-_LAST:]
                self._put(lesson_id, {**doc, "usage": usage, FOLLOWED: turns})
        for lesson_id, file in silent.items():
            doc = self._table.get(lesson_id)
            if doc is not None:
                usage = dict(doc.get("usage") or {})
                usage["silent"] = usage.get("silent", 0) + 1
                notes = followup.noted(doc, "silent", turn.ended, turn.session_id, file)
                self._put(lesson_id, {**doc, "usage": usage, "notes": notes})

    def strengthen(self, segment: str, lesson_id: str, evidence: list[Doc], count: int) -> bool:
        """Tell a draft or active lesson how often it was said, and propose that it is CRITICAL.

        False where there is none: what was rejected or retired stays so.
        """
        known = self._table.get(lesson_id)
        if known is None or known.get("status") not in ("draft", "active"):
            return False
        if self._table.cursor < segment:
            self._put(lesson_id, _strengthened(known, evidence, count))
        return True

    def recalled(self, segment: str, lesson_id: str, ts: str, session_id: str = "") -> None:
        """Count a recall."""
        doc = self._table.get(lesson_id) if self._table.cursor < segment else None
        if doc is not None:
            usage = doc.setdefault("usage", {})
            usage["recalled"] = usage.get("recalled", 0) + 1
            usage["last_recalled"] = max(usage.get("last_recalled") or "", ts)
            if session_id:
                doc[TOLD] = [*(one for one in doc.get(TOLD, ()) if one != session_id), session_id][-_LAST:]
            self._put(lesson_id, doc)

    def decide(self, segment: str, new: Iterable[Decision]) -> None:
        """Replay the lessons that new decisions touch, by what was decided up to a segment."""
        stored = [doc for doc in self._decisions.all().values() if doc.get(SEGMENT, "") <= segment]
        touched = self._touched(new)
        told = [
            Decision.model_validate({name: value for name, value in doc.items() if name[0] != "_"})
            for doc in stored
            if doc["action"] in _WITHOUT_LESSONS or not touched.keys().isdisjoint(doc["lesson_ids"])
        ]
        told.sort(key=lambda decision: decision.ts)
        self._mark_undone(told)
        stand = effective_decisions(told)
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
        standing = effective_by_id(told)
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
            return self._merged_into(str(lesson["id"]))
        for found in self._like(lesson):
            if found in self._table and _same_place(self._table.get(found), lesson):
                return self._merged_into(found)
        return None

    def _same_discovery(self, lesson: Doc) -> str | None:
        """The discovery that says the same as this one, if it is one."""
        if not origins.is_discovery(lesson):
            return None
        others = self._table.containing(origins.DISCOVERIES)
        known = (name for name, doc in others.items() if origins.is_discovery(doc))
        same = next((name for name in known if discoveries.is_same_discovery(others[name], lesson)), None)
        return None if same is None else self._merged_into(same)

    def _merged_into(self, lesson_id: str) -> str:
        """The lesson that a merge kept, for one that went into another."""
        for _ in range(_MOST_MERGES):
            doc = self._table.get(lesson_id)
            kept = doc.get("superseded_by")
            if doc.get("status") != "archived" or kept not in self._table:
                break
            lesson_id = str(kept)
        return lesson_id

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


def _same_place(one: Doc, other: Doc) -> bool:
    return one.get("scope") == "global" or one.get("project", "") == other.get("project", "")


def _has_seen(known: Doc, lesson: Doc) -> bool:
    seen = {item["event_id"] for item in known.get("evidence", ())}
    if all(item["event_id"] in seen for item in lesson["evidence"]):
        return True
    # An agent that says the same again in a session does not make it truer.
    sessions = {item["session_id"] for item in known.get("evidence", ())} - {""}
    return lesson.get("trust") == "agent" and {item["session_id"] for item in lesson["evidence"]} <= sessions


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
    joined |= _weightier(known, lesson, joined["seen_count"])
    if known.get("status") == "draft" and known.get("needs_words") and lesson.get("statement"):
        joined |= {
            name: lesson[name] for name in ("statement", "title", "triggers", "keywords") if name in lesson
        } | {"needs_words": False}
    return joined


def _weightier(known: Doc, lesson: Doc, seen: int) -> Doc:
    """What a person's saying it again in another session makes of its priority; an edited one stays."""
    sessions = {item["session_id"] for item in known.get("evidence", ())}
    is_again = {item["session_id"] for item in lesson["evidence"]}.isdisjoint(sessions)
    if not is_again or {known.get("trust"), lesson.get("trust")} != {"user"}:
        return {}
    weight = impact.weight("other", "", seen=seen)
    found: Doc = {}
    if weight.proposed and known.get("priority") != weight.proposed:
        found["proposed_priority"] = weight.proposed
    is_edited = "priority" in known.get(BASE, {})
    if known.get("status") == "draft" and not is_edited and known.get("priority") in ("MEDIUM", "LOW"):
        found["priority"] = weight.priority
    return found


def _came_back(known: Doc, lesson: Doc, feedback: Doc | None) -> Doc:
    """An active lesson after its correction was given again; what was told in that turn was not followed."""
    seen = lesson["evidence"][-1]
    if known.get("status") != "active" or seen["ts"] < (known.get("reviewed_at") or ""):
        return known
    usage = dict(known.get("usage") or {})
    usage["recurred"] = usage.get("recurred", 0) + 1
    turn_id = (feedback or {}).get("turn_id", "")
    made = {**known, "usage": usage, AGAINST: [*known.get(AGAINST, ()), turn_id][-_LAST:]}
    if turn_id and turn_id in known.get(FOLLOWED, ()):
        usage["followed"] = max(usage.get("followed", 0) - 1, 0)
        made[FOLLOWED] = [one for one in known[FOLLOWED] if one != turn_id]
    if seen["session_id"] in known.get(TOLD, ()):
        usage["recurred_told"] = usage.get("recurred_told", 0) + 1
        made["notes"] = followup.noted(known, "came_back", seen["ts"], seen["session_id"], seen["quote"])
    return made


def _strengthened(known: Doc, evidence: list[Doc], count: int) -> Doc:
    """A lesson that was said so often; whether that makes it CRITICAL is for a person to say."""
    seen = {item["event_id"] for item in known.get("evidence", ())}
    every = [*known.get("evidence", ()), *(item for item in evidence if item["event_id"] not in seen)]
    every = every[:1] + sorted(every[1:], key=lambda item: (item["ts"], item["event_id"]))
    return {
        **known,
        "seen_count": max(known.get("seen_count", 1), count),
        "evidence": every[:1] + every[1:][-(MOST_EVIDENCE - 1) :],
        "updated": max([known.get("updated", ""), *(item["ts"] for item in evidence)]),
        "proposed_priority": "CRITICAL",
    }


def _recallable(doc: Doc) -> Doc | None:
    """What hooks are told of a lesson; None where it is never recalled."""
    if doc.get("status") != "active" or doc.get("paused"):
        return None
    return {name: doc.get(name) for name in _PUBLISHED}
