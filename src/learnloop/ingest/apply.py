"""Effects become documents, within one transaction; a file that already has a segment is left alone."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from learnloop.ingest import (
    agents,
    effects,
    facts_read,
    lessons,
    model_verdicts,
    person_news,
    recalls,
    recurring,
    trial_moments,
)
from learnloop.ingest.lesson_decisions import Decisions
from learnloop.ingest.statement_index import ORIGIN, words_of
from learnloop.learn.lessons import meaning, wording_choice

Doc = dict[str, Any]
MOST_DAYS = 90
_MOST_SIGHTINGS = 5


class Applier:
    """Applies the effects of segments to the tables of one transaction."""

    def __init__(self, tx: Any, critical: dict[str, Doc] | None = None) -> None:
        self._tx = tx
        self._critical, self._critical_at = critical, 0
        self._lessons: lessons.LessonTable | None = None
        self._patterns: recurring.Recurring | None = None
        self.decisions = Decisions(tx, self._load_lessons)
        self.drafts = 0
        self.heard: Counter[str] = Counter()
        """Feedback by category."""
        self.unclear: list[effects.TurnUnclear] = []
        self.set_aside: list[effects.TaskSetAside] = []
        """Turns of which no task can be made."""
        self.refused: list[effects.OfferRefused] = []
        """Blocks and discoveries that cannot be read."""

    def apply(self, segment: str, stream: Iterable[effects.Effect]) -> None:
        """Apply one segment's effects."""
        for effect in stream:
            match effect:
                case effects.UpsertDocument():
                    self._put(segment, effect.table, effect.id, effect.doc)
                case effects.FeedbackHeard():
                    self._hear(segment, effect)
                case effects.FeedbackWithdrawn():
                    if (table := self._tx.documents("feedback")).cursor < segment:
                        table.remove(effect.id)
                case effects.TaskSetAside():
                    self.set_aside.append(effect)
                case effects.TurnUnclear():
                    self.unclear.append(effect)
                case effects.DecisionMade():
                    self.decisions.take(segment, effect.event, effect.claimed)
                case effects.DecisionClaimed():
                    self.decisions.claim(segment, effect)
                case effects.SessionTold():
                    self._tell(segment, effect)
                case effects.HookStats():
                    self._measure(segment, effect)
                case effects.TallyChanged() | effects.AgentRemarked() | effects.RemarkWithdrawn():
                    self._agents.apply(segment, effect)
                case effects.DraftOffered():
                    self.drafts += self._load_lessons().learn(segment, self._with_earlier(effect.lesson))[1]
                case effects.WishSighted():
                    if lesson := self._sighted(segment, effect.sighting, effect.words):
                        self.drafts += self._load_lessons().learn(segment, lesson)[1]
                case effects.OfferRefused():
                    self.refused.append(effect)
                case effects.FactsRead():
                    self.drafts += self._facts.apply(segment, effect)
                case effects.TraitSignalled():
                    if (table := self._tx.table(recurring.REMARKS)).cursor < segment:
                        recurring.enter_remarks(table, effect.trait, [effect.signal])
                case _:
                    self._observe(segment, effect)
        if self._patterns is not None:
            self._patterns.finish(segment)
            self.drafts += self._patterns.drafts
            self._patterns.drafts = 0

    def _observe(self, segment: str, effect: effects.Observation) -> None:
        """Apply what became of lessons in use."""
        match effect:
            case effects.LessonRecalled():
                self._load_lessons().recalled(segment, effect)
            case effects.CommandRan():
                self._load_lessons().ran(segment, effect)
            case effects.CallMade():
                self._load_lessons().called(segment, effect)
                for turn_id, lesson_ids in effect.moments:
                    for lesson_id in self._load_lessons().forbidding(lesson_ids, effect.call):
                        done = effects.MomentMarked(turn_id, trial_moments.DONE, lesson_id)
                        self._mark(segment, done)
            case effects.ClaimMade():
                self._load_lessons().claimed(segment, effect)
            case effects.PersonComplained():
                self._complain(segment, effect)
            case effects.MomentMarked():
                self._mark(segment, effect)
            case effects.PromptJudged():
                self._judge(segment, effect)
            case effects.TurnFinished():
                if files := recalls.in_turn(self.critical(), effect):
                    self._load_lessons().missed(segment, effect, files)

    def _complain(self, segment: str, complaint: effects.PersonComplained) -> None:
        """Tie a complaint to lessons, and to the moments in which they were told or held back."""
        tied = self._load_lessons().complained(segment, complaint)
        for turn_id, lesson_ids in complaint.moments:
            for lesson_id in tied.intersection(lesson_ids):
                self._mark(segment, effects.MomentMarked(turn_id, trial_moments.OWN, lesson_id))

    def _mark(self, segment: str, marked: effects.MomentMarked) -> None:
        if (table := self._tx.documents(trial_moments.TABLE)).cursor < segment:
            trial_moments.mark(table, marked)

    def critical(self) -> dict[str, Doc]:
        """Return CRITICAL lessons for `silent_lessons.in_turn`, read again when recallable ones change."""
        if self._critical is None or self._critical_at != self._lesson_changes:
            self._critical_at = self._lesson_changes
            self._critical = recalls.critical(self._tx.table("lessons").containing(["CRITICAL"]))
        return self._critical

    @property
    def _lesson_changes(self) -> int:
        return self._lessons.recallable_changes if self._lessons is not None else 0

    def _load_lessons(self) -> lessons.LessonTable:
        if self._lessons is None:
            self._lessons = lessons.LessonTable(self._tx.table("lessons"), self._tx.table("decisions"))
        return self._lessons

    @property
    def _heard_patterns(self) -> recurring.Recurring:
        if self._patterns is None:
            self._patterns = recurring.Recurring(self._tx, self._load_lessons)
        return self._patterns

    @cached_property
    def _agents(self) -> agents.Agents:
        return agents.Agents(self._tx)

    @cached_property
    def _facts(self) -> facts_read.FactTables:
        return facts_read.FactTables(self._tx, self._load_lessons)

    def _put(self, segment: str, table: str, doc_id: str, doc: Doc) -> None:
        target = self._tx.documents(table)
        if target.cursor < segment:
            if table == trial_moments.TABLE:
                trial_moments.put(target, doc)
            else:
                target.put(doc_id, doc)

    def _tell(self, segment: str, session: effects.SessionTold) -> None:
        table = self._tx.table(person_news.TABLE)
        if table.cursor < segment:
            person_news.enter(table, session, self._tx.table("lessons").peek)

    def _hear(self, segment: str, heard: effects.FeedbackHeard) -> None:
        message = str(heard.doc.get("user_message", ""))
        sighted = self._sighted(segment, heard.sighting, message) if heard.sighting else None
        lessons_of = [*map(self._with_earlier, heard.drafts), *filter(None, [sighted])]
        for lesson in reversed(lessons_of):  # the likeliest is named last
            lesson_id, is_new = self._load_lessons().learn(segment, lesson, heard.doc)
            self.drafts += is_new
            heard.doc["extracted_lesson"] = lesson_id
        self._put(segment, "feedback", heard.doc["id"], heard.doc)
        first = next(iter(heard.drafts), None) or (heard.sighting or {}).get("lesson")
        self._heard_patterns.heard(segment, heard.doc, first)
        self.heard[heard.doc["feedback_category"]] += 1

    def _judge(self, segment: str, effect: effects.PromptJudged) -> None:
        """Let a model's verdict on a turn replace what rules made of the prompt."""
        turn, judged, turns = effect.turn, effect.judged, self._tx.documents("turns")
        held = turns.get(judged["turn_id"])
        if turn is None and held is not None:
            is_done = turns.cursor >= segment
            turn, tally = model_verdicts.in_store(held, judged, effect.model, is_done=is_done)
            self._put(segment, "turns", turn["id"], turn)
            self._agents.apply(segment, tally)
        if turn is None:
            return
        heard = self._tx.documents("feedback")
        stored = heard.get(judged["event_id"])
        doc = model_verdicts.feedback(stored, turn, judged, effect.model)
        if doc is not None:
            self._put(segment, "feedback", doc["id"], doc)
        elif heard.cursor < segment:
            heard.remove(judged["event_id"])
        if remark := model_verdicts.remarked(stored, doc, turn["host"]):
            self._agents.apply(segment, remark)
        self._heard_patterns.judged(segment, stored, doc)

    def _with_earlier(self, lesson: Doc) -> Doc:
        """Return a draft with the earlier sightings of the same wish."""
        key = meaning.remark_fingerprint(words_of(lesson), lesson.get(ORIGIN, ""))
        stored = self._tx.documents("sightings").get(key) if lesson.get(ORIGIN) else None
        if not stored:
            return lesson
        event_ids = {item["event_id"] for item in lesson["evidence"]}
        earlier = [item for item in stored["sightings"] if item["event_id"] not in event_ids]
        evidence = [*earlier, *lesson["evidence"]]
        return {**lesson, "evidence": evidence, "seen_count": len(evidence)}

    def _sighted(self, segment: str, sighting: Doc, message: str) -> Doc | None:
        """Store a sighting. Return a draft of the first one once two sessions have seen the correction."""
        key, lesson = sighting["key"], sighting["lesson"]
        table = self._tx.documents("sightings")
        stored = table.get(key) or {"id": key, "lesson": lesson, "sightings": []}
        evidence = lesson["evidence"][0]
        if all(evidence["event_id"] != earlier["event_id"] for earlier in stored["sightings"]):
            stored["sightings"] = [*stored["sightings"], evidence][-_MOST_SIGHTINGS:]
            if table.cursor < segment:
                table.put(key, stored)
        sightings = stored["sightings"]
        if len({sighting["session_id"] for sighting in sightings}) < 2:
            return lesson if self._load_lessons().has(lesson, message) else None
        repeated = {"source": "repeated", "evidence": sightings, "seen_count": len(sightings)}
        words = wording_choice.better_words(stored["lesson"], lesson)
        return {**stored["lesson"], **words, **repeated, "updated": lesson["updated"]}

    def _measure(self, segment: str, stats: effects.HookStats) -> None:
        table = self._tx.table("health")
        if table.cursor >= segment:
            return
        fresh: Doc = {"day": stats.day, "last": "", "kinds": {}, "latencies": {}, "errors": {}}
        doc = table.get(stats.day) or fresh
        doc["last"] = max(doc["last"], stats.last)
        for name, counts in (("kinds", stats.kinds), ("errors", stats.errors), ("told", stats.told)):
            doc[name] = dict(Counter(doc.get(name, {})) + Counter(counts))
        for kind, buckets in stats.latencies.items():
            before = doc["latencies"].get(kind) or [0] * len(buckets)
            doc["latencies"][kind] = [a + b for a, b in zip(before, buckets, strict=True)]
        table.put(stats.day, doc)
        for day in sorted(table.all())[:-MOST_DAYS]:
            table.remove(day)
