"""Effects become documents, within one transaction; a file that already has a segment is left alone."""

from collections import Counter
from collections.abc import Callable, Iterable
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
        self.set_aside: list[effects.SetAside] = []

    def apply(self, stream: Iterable[effects.Effect]) -> None:
        """Apply the effects of one segment."""
        for effect in stream:
            _APPLIED[type(effect)](self, effect)
        if self._patterns is not None:
            self._patterns.finish()
            self.drafts += self._patterns.drafts
            self._patterns.drafts = 0

    def _learn(self, lesson: Doc | None) -> None:
        if lesson is not None:
            self.drafts += self._load_lessons().learn(lesson)[1]

    def _call(self, event: effects.CallMade) -> None:
        """Judge lessons by a call, and the moments of its turn by what lessons forbid."""
        self._load_lessons().called(event)
        for turn_id, lesson_ids in event.moments:
            for lesson_id in self._load_lessons().forbidding(lesson_ids, event.call):
                self._mark(effects.MomentMarked(turn_id, trial_moments.DONE, lesson_id))

    def _miss(self, turn: effects.TurnFinished) -> None:
        if files := recalls.in_turn(self.critical(), turn):
            self._load_lessons().missed(turn, files)

    def _complain(self, complaint: effects.PersonComplained) -> None:
        """Tie a complaint to lessons, and to the moments in which they were told or held back."""
        tied = self._load_lessons().complained(complaint)
        for turn_id, lesson_ids in complaint.moments:
            for lesson_id in tied.intersection(lesson_ids):
                self._mark(effects.MomentMarked(turn_id, trial_moments.OWN, lesson_id))

    def _mark(self, marked: effects.MomentMarked) -> None:
        trial_moments.mark(self._tx.documents(trial_moments.TABLE), marked)

    def _count_facts(self, effect: effects.FactsRead) -> None:
        self.drafts += self._facts.apply(effect)

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

    def _put(self, table: str, doc_id: str, doc: Doc) -> None:
        target = self._tx.documents(table)
        if table == trial_moments.TABLE:
            trial_moments.put(target, doc)
        else:
            target.put(doc_id, doc)

    def _hear(self, heard: effects.FeedbackHeard) -> None:
        message = str(heard.doc.get("user_message", ""))
        sighted = self._sighted(heard.sighting, message) if heard.sighting else None
        lessons_of = [*map(self._with_earlier, heard.drafts), *filter(None, [sighted])]
        for lesson in reversed(lessons_of):  # the likeliest is named last
            lesson_id, is_new = self._load_lessons().learn(lesson, heard.doc)
            self.drafts += is_new
            heard.doc["extracted_lesson"] = lesson_id
        self._put("feedback", heard.doc["id"], heard.doc)
        first = next(iter(heard.drafts), None) or (heard.sighting or {}).get("lesson")
        self._heard_patterns.heard(heard.doc, first)
        self.heard[heard.doc["feedback_category"]] += 1

    def _judge(self, effect: effects.PromptJudged) -> None:
        """Let a model's verdict on a turn replace what rules made of the prompt."""
        turn, judged, turns = effect.turn, effect.judged, self._tx.documents("turns")
        held = turns.get(judged["turn_id"])
        if turn is None and held is not None:
            turn, tally = model_verdicts.in_store(held, judged, effect.model, is_done=turns.is_ahead)
            self._put("turns", turn["id"], turn)
            self._agents.apply(tally)
        if turn is None:
            return
        heard = self._tx.documents("feedback")
        stored = heard.get(judged["event_id"])
        doc = model_verdicts.feedback(stored, turn, judged, effect.model)
        if doc is not None:
            self._put("feedback", doc["id"], doc)
        else:
            heard.remove(judged["event_id"])
        if remark := model_verdicts.remarked(stored, doc, turn["host"]):
            self._agents.apply(remark)
        self._heard_patterns.judged(stored, doc)

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

    def _sighted(self, sighting: Doc, message: str) -> Doc | None:
        """Store a sighting. Return a draft of the first one once two sessions have seen the correction."""
        key, lesson = sighting["key"], sighting["lesson"]
        table = self._tx.documents("sightings")
        stored = table.get(key) or {"id": key, "lesson": lesson, "sightings": []}
        evidence = lesson["evidence"][0]
        if all(evidence["event_id"] != earlier["event_id"] for earlier in stored["sightings"]):
            stored["sightings"] = [*stored["sightings"], evidence][-_MOST_SIGHTINGS:]
            table.put(key, stored)
        sightings = stored["sightings"]
        if len({sighting["session_id"] for sighting in sightings}) < 2:
            return lesson if self._load_lessons().has(lesson, message) else None
        repeated = {"source": "repeated", "evidence": sightings, "seen_count": len(sightings)}
        words = wording_choice.better_words(stored["lesson"], lesson)
        return {**stored["lesson"], **words, **repeated, "updated": lesson["updated"]}

    def _measure(self, stats: effects.HookStats) -> None:
        table = self._tx.table("health")
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


_APPLIED: dict[type, Callable[[Applier, Any], object]] = {
    effects.UpsertDocument: lambda self, effect: self._put(*effect),
    effects.FeedbackHeard: Applier._hear,
    effects.FeedbackWithdrawn: lambda self, effect: self._tx.documents("feedback").remove(effect.id),
    effects.SetAside: lambda self, effect: self.set_aside.append(effect),
    effects.TurnUnclear: lambda self, effect: self.unclear.append(effect),
    effects.DecisionMade: lambda self, effect: self.decisions.take(*effect),
    effects.DecisionClaimed: lambda self, effect: self.decisions.claim(effect),
    effects.SessionTold: lambda self, effect: person_news.enter(
        self._tx.table(person_news.TABLE), effect, self._tx.table("lessons").peek
    ),
    effects.HookStats: Applier._measure,
    **dict.fromkeys(
        (effects.TallyChanged, effects.AgentRemarked, effects.RemarkWithdrawn),
        lambda self, effect: self._agents.apply(effect),
    ),
    effects.DraftOffered: lambda self, effect: self._learn(self._with_earlier(effect.lesson)),
    effects.WishSighted: lambda self, effect: self._learn(self._sighted(*effect)),
    effects.FactsRead: Applier._count_facts,
    effects.TraitSignalled: lambda self, effect: recurring.enter_remarks(
        self._tx.table(recurring.REMARKS), effect.trait, [effect.signal]
    ),
    effects.LessonRecalled: lambda self, effect: self._load_lessons().recalled(effect),
    effects.CommandRan: lambda self, effect: self._load_lessons().ran(effect),
    effects.CallMade: Applier._call,
    effects.ClaimMade: lambda self, effect: self._load_lessons().claimed(effect),
    effects.PersonComplained: Applier._complain,
    effects.MomentMarked: Applier._mark,
    effects.PromptJudged: Applier._judge,
    effects.TurnFinished: Applier._miss,
}
"""What applies each effect."""
