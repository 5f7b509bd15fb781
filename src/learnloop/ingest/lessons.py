"""Lessons while effects are applied: drafts are merged by fingerprint, decisions are replayed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from learnloop.ingest import effects, statement_index, tellings
from learnloop.ingest.lesson_decisions import LessonDecisions, recallable
from learnloop.ingest.statement_index import BRIEF, StatementIndex, is_same_place
from learnloop.learn.lessons import acts, decisions, impact, meaning, origins, repeats
from learnloop.learn.lessons.decisions import BASE
from learnloop.learn.lessons.drafts import MOST_EVIDENCE
from learnloop.learn.offers import discovery_drafts
from learnloop.store import segments
from learnloop.wire import origin

Doc = dict[str, Any]
DRAFTED = "_drafted"
"""When a stored lesson was drafted or last strengthened: milliseconds of the fold."""
_MOST_MERGES = 20
_FEW_LOOKUPS = 8
"""Indexing a lesson costs more than ten times as much as a look through its line."""


class LessonTable(LessonDecisions):
    """The tables of lessons and of decisions, with what is looked up in them."""

    def __init__(self, table: Any, decisions: Any) -> None:
        super().__init__(table, decisions)
        self._index: StatementIndex | None = None
        self._lookups = 0

    def has(self, lesson: Doc, remark: str) -> bool:
        """Whether a draft or an active lesson says the same already; `remark` is the whole prompt."""
        same_id = self.same(lesson) or self._repeated(lesson, remark)
        return same_id is not None and (self._table.get(same_id) or {}).get("status") in ("draft", "active")

    def status_of(self, lesson_id: str) -> str:
        """The state of a lesson; empty where there is none."""
        return str((self._table.peek(lesson_id) or {}).get("status", ""))

    def learn(self, lesson: Doc, feedback: Doc | None = None) -> tuple[str, bool]:
        """Store a draft or join it to a lesson; return the lesson's id, and whether it is new.

        `feedback` names the turn that a repeated correction is about.
        """
        same_id = self.same(lesson) or self._same_discovery(lesson)
        if same_id is None and feedback is not None:
            same_id = self._repeated(lesson, str(feedback.get("user_message", "")))
        if self._table.is_ahead:
            return same_id or lesson["id"], False
        drafted = {DRAFTED: segments.fold_ms(self._table.intake.segment)}
        if same_id is None:
            self._put(lesson["id"], {**statement_index.placed(lesson), **drafted})
            return lesson["id"], True
        stored = self._table.get(same_id)
        if not _has_seen(stored, lesson):
            are_discoveries = origins.is_discovery(stored) and origins.is_discovery(lesson)
            join = discovery_drafts.merge_sighting if are_discoveries else _joined
            joined = join(stored, lesson)
            if joined is stored:  # words that are trusted less add nothing
                return same_id, False
            joined = {**joined, **_fact_words(stored, lesson), **drafted}
            again = lesson["evidence"][-1]
            complaint = (again["event_id"], again["ts"], again["session_id"], again["quote"])
            self._put(same_id, tellings.with_complaint(joined, *complaint))
        elif words := _fact_words(stored, lesson):
            self._put(same_id, {**stored, **words})
        return same_id, False

    def holds_in(self, lesson_id: str, project: str) -> bool:
        """Whether a lesson holds in a project."""
        doc = self._table.peek(lesson_id) or {}
        mine, repo = doc.get("project", ""), doc.get("repo", "")
        return doc.get("scope") == "global" or not mine or origin.is_same(mine, project, repo)

    def recalled(self, recall: effects.LessonRecalled) -> None:
        """Count a recall."""
        self._change(recall.lesson_id, lambda doc: tellings.with_recall(doc, recall))

    def ran(self, command: effects.CommandRan) -> None:
        """Count whether the person's own command passed."""
        self._change(command.lesson_id, lambda doc: tellings.with_command(doc, command))

    def called(self, event: effects.CallMade) -> None:
        """Judge the lessons that an agent was told by a call that it made."""
        for lesson_id in event.heard:
            doc = self._table.peek(lesson_id) or {}
            judged = tellings.with_call(doc, event, is_told=lesson_id in event.lesson_ids)
            if judged is not doc:
                self._put(lesson_id, judged)
        for lesson_id in event.held:
            doc = self._table.peek(lesson_id) or {}
            if doc and acts.breach(doc, event.call):
                self._put(lesson_id, {**doc, tellings.BROKEN_IN: event.turn_id})

    def forbidding(self, lesson_ids: Iterable[str], call: acts.AgentCall) -> list[str]:
        """Those of some lessons that forbid a call; "" stands for any lesson in use."""

        def forbids(lesson_id: str) -> bool:
            docs = [self._table.peek(lesson_id) or {}] if lesson_id else self._table.all().values()
            in_use = (doc for doc in docs if lesson_id or recallable(doc))
            return any(doc and acts.breach(doc, call) for doc in in_use)

        return list(filter(forbids, lesson_ids))

    def broken(self, run: Doc, found: Doc) -> None:
        """Count that a turn broke a lesson, as the model says that judged it."""
        doc = self._table.peek(found["lesson_id"]) or {}
        if doc.get("status") == "active":
            self._put(found["lesson_id"], tellings.with_breach(doc, run, str(found["place"])))

    def claimed(self, event: effects.ClaimMade) -> None:
        """Judge the lessons that a session was told by what is due where the agent says it is done."""
        for lesson_id in event.lesson_ids:
            self._change(lesson_id, lambda doc: tellings.with_claim(doc, event))

    def complained(self, complaint: effects.PersonComplained) -> set[str]:
        """Tie a complaint to the lessons that say it, or whose unwanted act it is about; return their ids."""
        if self._table.is_ahead:
            return {
                key for key in complaint.lesson_ids if tellings.has_complaint(self._table.get(key), complaint)
            }
        tied = set()
        names = [*repeats.handles(complaint.words), *filter(None, map(acts.name, complaint.calls))]
        others = self._table.containing(names) if complaint.is_plain else ()
        candidates = dict.fromkeys([*complaint.lesson_ids, *others])
        for lesson_id in candidates:
            doc = self._table.peek(lesson_id) or {}
            is_in_use = doc.get("status") == "active" and self.holds_in(lesson_id, complaint.project)
            is_shown = lesson_id in complaint.lesson_ids
            if is_in_use and tellings.is_about(doc, complaint, is_shown=is_shown):
                remark = (complaint.event_id, complaint.ts, complaint.session_id, complaint.words)
                self._put(lesson_id, tellings.with_complaint(doc, *remark))
                tied.add(lesson_id)
        return tied

    def missed(self, turn: effects.TurnFinished, files: Mapping[str, str]) -> None:
        """Note CRITICAL lessons that were not recalled where their files were written: {id: file}."""
        for lesson_id, file in files.items():
            doc = self._table.get(lesson_id)
            if doc is not None:
                notes = tellings.noted(doc, "silent", turn.ended, turn.session_id, file)
                self._put(lesson_id, {**doc, "usage": tellings.counted(doc, "silent"), "notes": notes})

    def strengthen(self, lesson_id: str, evidence: list[Doc], count: int) -> bool:
        """Raise the count of a draft or active lesson, and propose CRITICAL, which a person decides.

        Return False if there is none: a rejected or archived lesson stays as it is.
        """
        stored = self._table.get(lesson_id)
        if stored is None or stored.get("status") not in ("draft", "active"):
            return False
        every = with_new_evidence(stored, evidence)
        every = every[:1] + sorted(every[1:], key=lambda item: (item["ts"], item["event_id"]))
        changes = {
            "seen_count": max(stored.get("seen_count", 1), count),
            "evidence": newest_evidence(every),
            "updated": max([stored.get("updated", ""), *(item["ts"] for item in evidence)]),
        }
        if stored.get("trust", "user") == "user":
            changes["proposed_priority"] = "CRITICAL"
        self._put(lesson_id, {**stored, **changes})
        return True

    def _change(self, lesson_id: str, change: Callable[[Doc], Doc]) -> None:
        doc = self._table.peek(lesson_id)
        if doc is not None and (changed := change(doc)) is not doc:
            self._put(lesson_id, changed)

    def _put(self, lesson_id: str, doc: Doc) -> None:
        super()._put(lesson_id, doc)
        if self._index is not None and lesson_id in self._table:
            self._index.add(lesson_id, self._table.peek(lesson_id) or {})

    def same(self, lesson: Doc) -> str | None:
        """Return the lesson, of any state, that says the same in the same place: by id or by words."""
        if lesson["id"] in self._table:
            return self._merged_into(str(lesson["id"]))
        for other_id in self._similar(lesson):
            if is_same_place(self._table.peek(other_id) or {}, lesson):
                return self._merged_into(other_id)
        return None

    def _repeated(self, lesson: Doc, remark: str) -> str | None:
        """Return the lesson that a remark says again: `no, I said pnpm!`. Of a long one a sentence counts."""
        remark = remark if len(remark) <= BRIEF else lesson["evidence"][-1]["quote"]
        handles, about = repeats.handles(remark), set(meaning.read(remark).handles)
        for other_id, other in self._table.containing(handles).items() if handles else ():
            words = str(other.get("statement") or other.get("title", ""))
            is_about_it = not about.isdisjoint(meaning.read(words).handles)
            if is_about_it and is_same_place(other, lesson) and repeats.repeats(remark, words):
                return self._merged_into(other_id)
        return None

    def _same_discovery(self, lesson: Doc) -> str | None:
        if origins.is_discovery(lesson):
            for lesson_id, doc in self._table.containing(origins.DISCOVERIES).items():
                if origins.is_discovery(doc) and discovery_drafts.is_same_discovery(doc, lesson):
                    return self._merged_into(lesson_id)
        return None

    def _merged_into(self, lesson_id: str) -> str:
        for _ in range(_MOST_MERGES):
            doc = self._table.get(lesson_id)
            successor = doc.get("superseded_by")
            if doc.get("status") != "archived" or successor not in self._table:
                break
            lesson_id = str(successor)
        return lesson_id

    def _similar(self, lesson: Doc) -> Iterator[str]:
        """Return the ids of lessons that say the same: few lookups scan all lessons, more build an index."""
        self._lookups += 1
        if self._index is None and self._lookups <= _FEW_LOOKUPS:
            return StatementIndex(self._table.containing(statement_index.marks(lesson))).similar(lesson)
        if self._index is None:
            self._index = StatementIndex(self._table.all())
        return self._index.similar(lesson)


def _has_seen(stored: Doc, lesson: Doc) -> bool:
    event_ids = {item["event_id"] for item in stored.get("evidence", ())}
    if all(item["event_id"] in event_ids for item in lesson["evidence"]):
        return True
    # An agent that says the same again in a session does not make it truer.
    sessions = {item["session_id"] for item in stored.get("evidence", ())} - {""}
    return lesson.get("trust") == "agent" and {item["session_id"] for item in lesson["evidence"]} <= sessions


def with_new_evidence(stored: Doc, evidence: Iterable[Doc]) -> list[Doc]:
    """Return a lesson's evidence, and what else there is from other events."""
    before = stored.get("evidence", [])
    event_ids = {item["event_id"] for item in before}
    return [*before, *(item for item in evidence if item["event_id"] not in event_ids)]


def newest_evidence(evidence: list[Doc]) -> list[Doc]:
    """Return the first evidence and the newest, as much as a lesson keeps."""
    return evidence[:1] + evidence[1:][-(MOST_EVIDENCE - 1) :]


def _fact_words(stored: Doc, lesson: Doc) -> Doc:
    """What a draft takes over from a fact that a model read in the same words: it is one from then on."""
    if lesson.get("source") != origins.SYNTHESIS or stored.get("status") != "draft":
        return {}
    words = decisions.better_words(stored, lesson)
    chance = {"confidence": lesson["confidence"]} if words else {}
    return {**words, **chance, "source": origins.SYNTHESIS}


def _joined(stored: Doc, lesson: Doc) -> Doc:
    """Return a lesson with one more sighting; a rejected one only counts it."""
    if stored.get("status") == "rejected":
        return {**stored, "held_back": stored.get("held_back", 0) + 1}
    better_words = decisions.better_words(stored, lesson)
    if origins.is_less_trusted(lesson, stored) and not better_words:
        return stored  # somebody else who says the same makes it no surer
    evidence = with_new_evidence(stored, lesson["evidence"])
    new = len(evidence) - len(stored.get("evidence", ()))
    joined = {
        **stored,
        "seen_count": stored.get("seen_count", 1) + max(1, new),
        "evidence": newest_evidence(evidence),
        "updated": max(stored.get("updated", ""), lesson["updated"]),
        "confidence": max(stored.get("confidence", 0.5), lesson["confidence"]),
    }
    joined |= _weightier(stored, lesson, joined["seen_count"])
    return joined | better_words


def _weightier(stored: Doc, lesson: Doc, seen: int) -> Doc:
    """Return the priority of a lesson that a person repeats in another session; an edited one stays."""
    sessions = {item["session_id"] for item in stored.get("evidence", ())}
    is_again = {item["session_id"] for item in lesson["evidence"]}.isdisjoint(sessions)
    if not is_again or {stored.get("trust"), lesson.get("trust")} != {"user"}:
        return {}
    weight = impact.weight("other", "", seen=seen)
    changes: Doc = {}
    if weight.proposed and stored.get("priority") != weight.proposed:
        changes["proposed_priority"] = weight.proposed
    is_edited = "priority" in stored.get(BASE, {})
    if stored.get("status") == "draft" and not is_edited and stored.get("priority") in ("MEDIUM", "LOW"):
        changes["priority"] = weight.priority
    return changes
