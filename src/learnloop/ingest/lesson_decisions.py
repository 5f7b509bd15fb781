"""Decisions in a transaction, and the lessons that they change: replayed by what was decided up to a segment.

Approvals in the name of a person's standing one are claimed where it does not cover them.
Documents that were edited by hand are found by their seals, and held as claimed.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from learnloop.errors import Busy
from learnloop.ingest import statement_index
from learnloop.ingest.effects import DecisionClaimed
from learnloop.ingest.statement_index import NORMAL, words_of
from learnloop.learn.lessons import claims
from learnloop.learn.lessons.decisions import (
    effective_by_id,
    effective_decisions,
    held_decisions,
    replay,
)
from learnloop.learn.profile import beliefs
from learnloop.models.decision import Decision, DecisionClock
from learnloop.models.fact import FACTS
from learnloop.models.patch import carried
from learnloop.store import seal
from learnloop.store.document_table import AFTER_ALL
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock

Doc = dict[str, Any]
SEGMENT = "_segment"
"""The segment of a stored decision."""
AHEAD = AFTER_ALL
"""Instead of it, where the event is not ingested yet."""
_RELEVANT = ("facts", "undo", "redo", "accept", "discard")
"""The actions that a standing approval rests on."""
_WITHOUT_LESSONS = ("undo", "redo", *beliefs.ACTIONS, "trust", "facts", "priming", "memory")
_PUBLISHED = ("statement", "priority", "triggers", "scope", "project", "path", "kind", "expires_at",
              "stops", "reminds", "check", "run")  # fmt: skip


class LessonDecisions:
    """The tables of lessons and of decisions."""

    def __init__(self, table: Any, decisions: Any) -> None:
        self._table = table
        self._decisions = decisions
        self._ids_by_lesson: dict[str, set[str]] = {}
        self._places: dict[str, tuple[str, int]] = {}
        """The place of each decision among all."""
        self._chain = DecisionClock()
        self.recallable_changes = 0

    def decide(self, new: Iterable[Decision], until: str = "") -> None:
        """Replay the lessons that new decisions touch, by what was decided up to the events taken in.

        `until` names an earlier segment.
        """
        new, touched, until = list(new), dict[str, None](), until or self._table.intake.segment
        for decision in new:  # with the lessons of what it undoes, redoes or accepts
            names = decision.args.get("decisions") or (decision.args.get("decision", ""),)
            targets = [_decision(doc) for name in names if (doc := self._decisions.get(str(name)))]
            touched |= dict.fromkeys(name for each in (decision, *targets) for name in each.touched)
        self._note_decisions(new)
        ids = set().union(*(self._ids_by_lesson.get(lesson_id, ()) for lesson_id in ("", *touched)))
        decisions = [
            _decision(doc)
            for decision_id in sorted(ids, key=self._places.__getitem__)
            if (doc := self._decisions.peek(decision_id) or {}).get(SEGMENT, "") <= until
        ]
        in_force_by_id = effective_by_id(decisions)
        for decision in decisions:
            undone = not in_force_by_id.get(decision.id, True)
            if undone != decision.undone:
                self._decisions.put(decision.id, {**self._decisions.get(decision.id), "undone": undone})
        in_force, held = effective_decisions(decisions), held_decisions(decisions)
        for lesson_id in touched:
            mine = [decision for decision in in_force if lesson_id in decision.touched]
            claimed = [decision for decision in held if lesson_id in decision.lesson_ids]
            self._put(lesson_id, replay(self._table.get(lesson_id) or {}, mine, self._table.get, claimed))

    def _note_decisions(self, new: Iterable[Decision]) -> None:
        """Keep in mind which decisions are about which lessons; about all of them are those below ""."""
        every = {decision.id: self._decisions.peek(decision.id) or {} for decision in new}
        for decision_id, doc in (every if self._places else self._decisions.all()).items():
            if decision_id not in self._places:
                self._places[decision_id] = (self._chain.time(doc), len(self._places))
                for lesson_id in ("",) if doc["action"] in _WITHOUT_LESSONS else _decision(doc).touched:
                    self._ids_by_lesson.setdefault(lesson_id, set()).add(decision_id)

    def _put(self, lesson_id: str, doc: Doc) -> None:
        before = self._table.get(lesson_id) or {}
        self.recallable_changes += recallable(before) != recallable(doc)
        if not doc:
            self._table.remove(lesson_id)
            return
        if words_of(doc) != words_of(before) or NORMAL not in doc:
            doc.pop(NORMAL, None)
            doc = {**doc, NORMAL: statement_index.normal(doc)}
        doc = {name: value for name, value in doc.items() if value is not None}
        self._table.put(lesson_id, doc)


def recallable(doc: Doc) -> Doc | None:
    """Return what the index needs of a lesson; None if it is never recalled."""
    if doc.get("status") != "active" or doc.get("paused"):
        return None
    return {name: doc.get(name) for name in _PUBLISHED}


class Decisions:
    """The decisions of one transaction, and the lessons and patches that they change.

    Until its event is ingested a decision is *ahead*: its documents have it, and events before it are not
    read. An ingest takes back what is ahead, reads the events in their order, and puts what it did not meet
    on top again. So any order of ingest and verdicts gives the same documents.
    """

    def __init__(self, tx: Any, lessons: Callable[[], LessonDecisions]) -> None:
        self._tx, self._lessons = tx, lessons
        self._ahead: list[Decision] = []
        self.bad: list[Doc] = []
        """Events of decisions that do not validate."""

    def withdraw(self) -> None:
        """Take back what is ahead of the events that come now."""
        named = self._tx.table("decisions").containing([AHEAD]).values()
        self._ahead = [_decision(doc) for doc in named if doc.get(SEGMENT) == AHEAD]
        if self._ahead:
            taken_in = max(self._tx.cursor, self._tx.table("lessons").cursor)
            self._lessons().decide(self._ahead, taken_in)

    def restore(self) -> None:
        """Put on top again what was taken back and not met since."""
        table = self._tx.table("decisions")
        for decision in self._ahead:
            if (table.peek(decision.id) or {}).get(SEGMENT) == AHEAD:
                self._enact(decision)

    def take(self, event: Doc, claimed: str) -> None:
        """Keep the decision of an event and let it take effect, unless it is claimed."""
        try:
            given = {**event["payload"], "claimed": claimed, "undone": False}
            decision = Decision(id=event["id"], ts=event["ts"], **given)
        except (ValidationError, TypeError):
            self.bad.append(event)
            return
        decision = _checked(decision, self._tx.table)
        stored = {**decision.as_json(), SEGMENT: self._tx.intake.segment}
        self._tx.table("decisions").put(decision.id, stored)
        self._enact(decision)

    def resume(self, decision_id: str) -> None:
        """Let a stored decision take effect of which the lessons may lack something: a crash came between."""
        doc = self._tx.table("decisions").peek(decision_id)
        if doc[SEGMENT] == AHEAD:
            self._enact(_decision(doc))

    def claim(self, effect: DecisionClaimed) -> None:
        """Withdraw a decision that turns out to be an agent's, and those that rested on it."""
        table = self._tx.table("decisions")
        stored = table.get(effect.id)
        if stored is None:
            return
        table.put(effect.id, claimed := {**stored, "claimed": effect.reason})
        decision = _decision(claimed)
        self._lessons().decide([decision])
        for unfounded in _unfounded(decision, table):
            self.claim(unfounded)

    def _enact(self, decision: Decision) -> None:
        for patch in carried(decision.args):  # the last decision about a patch replaces the one before
            self._tx.table("patches").put(patch["id"], patch)
        self._lessons().decide([decision])


def _checked(decision: Decision, tables: Callable[[str], Any]) -> Decision:
    """The decision, claimed if it is in the name of a standing approval that does not cover it."""
    if decision.claimed or decision.by != claims.STANDING:
        return decision
    from learnloop.learn.facts import standing_approval

    reason = standing_approval.fault(decision, _relevant(tables("decisions")))
    facts = {
        doc["lesson_id"]: doc["project"] for doc in tables(FACTS).all().values() if doc["status"] == "draft"
    }
    for lesson_id in decision.lesson_ids:
        doc, project = tables("lessons").peek(lesson_id), decision.args.get("project")
        is_covered = doc is None or (facts.get(lesson_id) == project and doc.get("trust", "user") == "user")
        reason = reason or ("" if is_covered else standing_approval.NO_FACT)
    return decision.with_(claimed=reason)


def _unfounded(consent: Decision, table: Any) -> Iterator[DecisionClaimed]:
    """The approvals that rested on a decision which is claimed now."""
    if consent.action != "facts":
        return
    from learnloop.learn.facts import standing_approval

    every = list(_relevant(table))
    for decision in list(_of(table, lambda doc: doc.get("by") == claims.STANDING and not doc.get("claimed"))):
        if reason := standing_approval.fault(decision, every):
            yield DecisionClaimed(decision.id, reason)


def _relevant(table: Any) -> Iterable[Decision]:
    times = DecisionClock().times(table.all())
    return sorted(_of(table, lambda doc: doc.get("action") in _RELEVANT), key=lambda each: times[each.id])


def _of(table: Any, is_included: Any) -> Iterator[Decision]:
    return (_decision(doc) for doc in table.all().values() if is_included(doc))


def _decision(doc: Doc) -> Decision:
    return Decision.model_validate(public_fields(doc))


_WAIT_S = 2.0
_MOST_REPAIRS = 5


def are_held(root: str) -> bool:
    """Hold what was edited by hand since the last transaction; False where another process has the store.

    A store that was never sealed is sealed as it is.
    """
    if not seal.is_touched(root):
        return True
    for _ in range(_MOST_REPAIRS):
        try:
            with Store(root).transaction(wait_s=_WAIT_S) as tx:
                hold(tx)
        except Repaired:
            continue
        except Busy:
            return False
        return True
    return False


def hold(tx: Any) -> None:
    """The same within a transaction."""
    if not seal.is_touched(tx.root):
        return
    lessons, decisions = tx.table("lessons"), tx.table("decisions")
    if not tx.written["written"]:
        lessons.seal_all()
        decisions.seal_all()
        return
    edited = [_held(key, lessons.peek(key)) for key in lessons.all() if not lessons.is_sealed(key)]
    forged = [key for key in decisions.all() if not decisions.is_sealed(key)]
    for key in forged:
        doc = decisions.get(key)
        decisions.put(key, {**doc, "claimed": doc.get("claimed") or claims.BY_HAND})
    for decision in edited:
        decisions.put(decision.id, decision.as_json())
    touched = [*edited, *(Decision.model_validate(public_fields(decisions.get(key))) for key in forged)]
    if touched:
        table = LessonDecisions(lessons, decisions)
        table.decide(touched)


def _held(lesson_id: str, doc: Doc) -> Decision:
    """The claim on a lesson whose document was edited."""
    ts = clock.iso(clock.now_ms())
    name = hashlib.sha256(json.dumps([lesson_id, doc], sort_keys=True).encode()).hexdigest()[:32]
    return Decision(
        id=name, ts=ts, action="edit", lesson_ids=(lesson_id,), by=claims.HAND, claimed=claims.BY_HAND
    )
