"""Effects to documents, within one transaction; a file that already holds a segment is left alone."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from learnloop.ingest import agents, derived_views, followup, lessons, patches, preferences, recurring
from learnloop.ingest.effects import (
    Decided,
    Effect,
    Heard,
    Judged,
    Left,
    Measured,
    Offered,
    Put,
    Recalled,
    Refused,
    Remarked,
    Signalled,
    Tallied,
    Withdrawn,
)
from learnloop.learn.profile import beliefs
from learnloop.models import Decision

Doc = dict[str, Any]
MOST_DAYS = 90
_MOST_SIGHTINGS = 5


class Applier:
    """Applies the effects of segments to the tables of one transaction."""

    def __init__(self, tx: Any, critical: dict[str, Doc] | None = None) -> None:
        self._tx = tx  # a store's transaction, or what looks like one
        self._critical = critical
        self._lessons: lessons.Lessons | None = None
        self._agents: agents.Agents | None = None
        self._patterns: recurring.Recurring | None = None
        self._beliefs_changed = False
        self.drafts = 0
        """New drafts."""
        self.heard: Counter[str] = Counter()
        """Feedback by category."""
        self.left: list[Left] = []
        """Turns that were left without an end."""
        self.bad: list[Doc] = []
        """Decisions that make no sense."""
        self.refused: list[Refused] = []
        """Blocks and discoveries that cannot be read."""

    @property
    def recallable_changed(self) -> bool:
        """Whether what can be recalled is different now."""
        return self._beliefs_changed or (self._lessons is not None and self._lessons.recallable_changed)

    @property
    def queue_changed(self) -> bool:
        """Whether there are other drafts now."""
        return self._lessons is not None and self._lessons.queue_changed

    def apply(self, segment: str, effects: Iterable[Effect]) -> None:
        """Apply one segment's effects."""
        for effect in effects:
            match effect:
                case Put():
                    self._put(segment, effect.table, effect.id, effect.doc)
                case Heard():
                    self._hear(segment, effect)
                case Withdrawn():
                    self._withdraw(segment, effect)
                case Left():
                    self.left.append(effect)
                case Decided():
                    self._decide(segment, effect.event)
                case Recalled():
                    self._known().recalled(segment, effect.lesson_id, effect.ts, effect.session_id)
                case Judged():
                    self._judge(segment, effect)
                case Measured():
                    self._measure(segment, effect)
                case Tallied() | Remarked():
                    self._tallies().apply(segment, effect)
                case Offered():
                    self.drafts += self._known().learn(segment, effect.lesson)[1]
                case Refused():
                    self.refused.append(effect)
                case Signalled():
                    preferences.take(self._tx, segment, effect)
        if self._patterns is not None:
            self._patterns.finish(segment)
            self.drafts += self._patterns.drafts
            self._patterns.drafts = 0

    def critical(self) -> dict[str, Doc]:
        """What `followup.silent` needs of CRITICAL lessons; read anew where what is recalled changed."""
        if self._critical is None or self.recallable_changed:
            self._critical = followup.critical(self._tx.table("lessons").containing(["CRITICAL"]))
        return self._critical

    def _judge(self, segment: str, turn: Judged) -> None:
        silent = followup.silent(self.critical(), turn) if turn.files else {}
        if turn.recalled or silent:
            self._known().judge(segment, turn, silent)

    def _known(self) -> lessons.Lessons:
        if self._lessons is None:
            self._lessons = lessons.Lessons(self._tx.table("lessons"), self._tx.table("decisions"))
        return self._lessons

    def _recurring(self) -> recurring.Recurring:
        if self._patterns is None:
            self._patterns = recurring.Recurring(self._tx, self._known)
        return self._patterns

    def _tallies(self) -> agents.Agents:
        if self._agents is None:
            self._agents = agents.Agents(self._tx)
        return self._agents

    def _put(self, segment: str, table: str, doc_id: str, doc: Doc) -> None:
        target = self._tx.table(table)
        if target.cursor < segment:
            target.put(doc_id, doc)

    def _withdraw(self, segment: str, effect: Withdrawn) -> None:
        target = self._tx.table(effect.table)
        if target.cursor < segment:
            target.remove(effect.id)

    def _hear(self, segment: str, heard: Heard) -> None:
        lesson = heard.draft
        if heard.sighting is not None:
            lesson = self._sight(segment, heard.sighting)
        if lesson is not None:
            lesson_id, is_new = self._known().learn(segment, lesson, heard.doc)
            self.drafts += is_new
            heard.doc["extracted_lesson"] = lesson_id
        self._put(segment, heard.table, heard.doc["id"], heard.doc)
        self._recurring().heard(segment, heard.doc, heard.draft or (heard.sighting or {}).get("lesson"))
        derived_views.heard(self._tx, segment, heard.doc)
        self.heard[heard.doc["feedback_category"]] += 1

    def _sight(self, segment: str, sighting: Doc) -> Doc | None:
        """Remember a correction; a draft once two sessions have seen it, made of the first sighting."""
        key, lesson = sighting["key"], sighting["lesson"]
        table = self._tx.table(f"sightings/{key[0]}")
        found = table.get(key) or {"id": key, "lesson": lesson, "sightings": []}
        seen = lesson["evidence"][0]
        if all(seen["event_id"] != other["event_id"] for other in found["sightings"]):
            found["sightings"] = [*found["sightings"], seen][-_MOST_SIGHTINGS:]
            if table.cursor < segment:
                table.put(key, found)
        if len({other["session_id"] for other in found["sightings"]}) < 2:
            return lesson if self._known().says(lesson) else None
        first: Doc = {
            **found["lesson"],
            "source": "repeated",
            "evidence": found["sightings"],
            "updated": lesson["updated"],
        }
        return {**first, "seen_count": len(found["sightings"])}

    def _decide(self, segment: str, event: Doc) -> None:
        try:
            decision = Decision(id=event["id"], ts=event["ts"], **event["payload"])
        except (ValidationError, TypeError):
            self.bad.append(event)
            return
        table = self._tx.table("decisions")
        if table.cursor < segment:
            table.put(decision.id, {**decision.as_json(), lessons.SEGMENT: segment})
        self._beliefs_changed |= beliefs.affects_recall(decision, table.get)
        patches.take(self._tx, segment, decision)
        if self._tx.table("lessons").cursor < segment:
            self._known().decide(segment, [decision])

    def _measure(self, segment: str, measured: Measured) -> None:
        table = self._tx.table("health")
        if table.cursor >= segment:
            return
        doc = table.get(measured.day) or {
            "day": measured.day,
            "last": "",
            "kinds": {},
            "latencies": {},
            "errors": {},
        }
        doc["last"] = max(doc["last"], measured.last)
        for name, counts in (("kinds", measured.kinds), ("errors", measured.errors)):
            for kind, count in counts.items():
                doc[name][kind] = doc[name].get(kind, 0) + count
        for kind, buckets in measured.latencies.items():
            known = doc["latencies"].get(kind) or [0] * len(buckets)
            doc["latencies"][kind] = [a + b for a, b in zip(known, buckets, strict=True)]
        table.put(measured.day, doc)
        for day in sorted(table.all())[:-MOST_DAYS]:
            table.remove(day)
