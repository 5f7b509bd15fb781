"""Ingest: fold the journal, turn segments into documents, publish changes. Safe to interrupt anywhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from learnloop.errors import Busy
from learnloop.ingest import (
    agents,
    effects,
    facts_read,
    interruptions,
    lesson_decisions,
    lessons,
    model_verdicts,
    person_news,
    recalls,
    recurring,
    trial_moments,
)
from learnloop.ingest.effects import TurnUnclear
from learnloop.ingest.publish import publish
from learnloop.ingest.reduce import reduce
from learnloop.ingest.statement_index import ORIGIN, words_of
from learnloop.learn.hear.version import DETECTOR
from learnloop.learn.lessons import decisions, meaning
from learnloop.models.event import is_event
from learnloop.store import fold, quarantine, seal, segments
from learnloop.store.document_table import VIEWS
from learnloop.store.repair import Repaired
from learnloop.store.store import Store
from learnloop.wire import codec

Doc = dict[str, Any]
PER_TRANSACTION = 3
"""Segments in one transaction, of at most 10,000 events each: a crash loses that much work."""
_MOST_REPAIRS = 5
_MOST_DAYS = 90
_MOST_SIGHTINGS = 5


@dataclass(frozen=True)
class IngestReport:
    """The result of one ingest."""

    events: int = 0
    drafts: int = 0
    """New drafts."""
    busy: bool = False
    """Another process holds journal or store, so not everything is ingested."""
    quarantined: int = 0
    heard: dict[str, int] = field(default_factory=dict)
    """Feedback by category."""


def ingest(root: str, *, wait_s: float = 0.0) -> IngestReport:
    """Fold, ingest new events, publish changes; waits up to `wait_s` seconds for another ingest."""
    if fold.has_work(root):
        seal.ensure(root)
    lesson_decisions.are_held(root)  # before anything is written over
    folded = fold.fold(root, wait_s)
    total = IngestReport(busy=folded.busy or folded.postponed, quarantined=folded.quarantined)
    store = Store(root)
    repairs = 0
    unclear: list[TurnUnclear] = []
    while _waiting(root, store.cursor()) or (unclear and _look_up(root, unclear, wait_s)):
        try:
            total = _sum(total, transact(store, wait_s, unclear=unclear))
        except Repaired:
            repairs += 1
            if repairs > _MOST_REPAIRS:
                raise
        except Busy:
            total = _sum(total, IngestReport(busy=True))
            break
    publish(root)
    return total


def _waiting(root: str, cursor: str) -> list[str]:
    return [name for name in segments.names(root) if name > cursor]


def _look_up(root: str, unclear: list[TurnUnclear], wait_s: float) -> bool:
    """Append and fold what transcripts say of unclear turns; return whether that was anything."""
    count = interruptions.note(root, unclear)
    unclear.clear()
    if count:
        fold.fold(root, wait_s)
    return count > 0


def transact(
    store: Store, wait_s: float, source: str = "", chosen: Sequence[str] = (),
    event_ids: set[str] | None = None, unclear: list[TurnUnclear] | None = None,
) -> IngestReport:  # fmt: skip
    """Run one transaction over the next few segments, or over those `chosen` from another root, `source`.

    Adds the ids of events and the unclear turns to the collections that are passed.
    """
    root = source or store.root
    with store.transaction(wait_s=wait_s) as tx:
        names = chosen or _waiting(root, tx.cursor)[:PER_TRANSACTION]
        state = tx.state or {"detector": DETECTOR}
        applier, events, bad = _Applier(tx, state.get("critical")), 0, 0
        applier.decisions.withdraw()
        for name in names:
            good, broken = _valid(root, name)
            if event_ids is not None:
                event_ids.update(event["id"] for event in good)
            with tx.taking_in(name):
                applier.apply(reduce(state, good, tx.documents(VIEWS), root))
            events, bad = events + len(good), bad + broken
        state["critical"] = applier.critical()  # without what is ahead of these events
        applier.decisions.restore()
        tx.state = state
        tx.cursor = names[-1] if names else tx.cursor
    _keep_bad(root, "decisions", applier.decisions.bad)
    for aside in applier.set_aside:
        quarantine.keep(root, aside.source, aside.words.encode("utf-8", "replace"), aside.reason)
    if unclear is not None:
        unclear += applier.unclear
    return IngestReport(
        events, applier.drafts,
        quarantined=bad + len(applier.decisions.bad) + len(applier.set_aside),
        heard=dict(applier.heard),
    )  # fmt: skip


def _valid(root: str, name: str) -> tuple[list[Doc], int]:
    """Return the events of a segment, and how many lines were quarantined because they are none."""
    good: list[Doc] = []
    bad: list[Doc] = []
    for record in segments.read(root, name):
        if record["kind"] in seal.KINDS and is_event(record):
            record["fault"] = seal.fault(root, record, name)
        (good if is_event(record) else bad).append(record)
    _keep_bad(root, f"events/{name}", bad)
    return good, len(bad)


def _keep_bad(root: str, name: str, bad: Iterable[Doc]) -> None:
    data = b"".join(codec.encode(record).encode() + b"\n" for record in bad)
    if data:
        quarantine.keep(root, name, data, "invalid")


def _sum(total: IngestReport, report: IngestReport) -> IngestReport:
    return IngestReport(
        total.events + report.events, total.drafts + report.drafts,
        total.busy or report.busy,
        total.quarantined + report.quarantined, dict(Counter(total.heard) + Counter(report.heard)),
    )  # fmt: skip


class _Applier:
    """Applies the effects of segments to the tables of one transaction."""

    def __init__(self, tx: Any, critical: dict[str, Doc] | None = None) -> None:
        self._tx = tx
        self._critical, self._critical_at = critical, 0
        self._lessons: lessons.LessonTable | None = None
        self._patterns: recurring.Recurring | None = None
        self.decisions = lesson_decisions.Decisions(tx, self._load_lessons)
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
        words = decisions.better_words(stored["lesson"], lesson)
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
        for day in sorted(table.all())[:-_MOST_DAYS]:
            table.remove(day)


_APPLIED: dict[type, Callable[[_Applier, Any], object]] = {
    effects.UpsertDocument: lambda self, effect: self._put(*effect),
    effects.FeedbackHeard: _Applier._hear,
    effects.FeedbackWithdrawn: lambda self, effect: self._tx.documents("feedback").remove(effect.id),
    effects.SetAside: lambda self, effect: self.set_aside.append(effect),
    effects.TurnUnclear: lambda self, effect: self.unclear.append(effect),
    effects.DecisionMade: lambda self, effect: self.decisions.take(*effect),
    effects.DecisionClaimed: lambda self, effect: self.decisions.claim(effect),
    effects.SessionTold: lambda self, effect: person_news.enter(
        self._tx.table(person_news.TABLE), effect, self._tx.table("lessons").peek
    ),
    effects.HookStats: _Applier._measure,
    **dict.fromkeys(
        (effects.TallyChanged, effects.AgentRemarked, effects.RemarkWithdrawn),
        lambda self, effect: self._agents.apply(effect),
    ),
    effects.DraftOffered: lambda self, effect: self._learn(self._with_earlier(effect.lesson)),
    effects.WishSighted: lambda self, effect: self._learn(self._sighted(*effect)),
    effects.FactsRead: _Applier._count_facts,
    effects.TraitSignalled: lambda self, effect: recurring.enter_remarks(
        self._tx.table(recurring.REMARKS), effect.trait, [effect.signal]
    ),
    effects.LessonRecalled: lambda self, effect: self._load_lessons().recalled(effect),
    effects.CommandRan: lambda self, effect: self._load_lessons().ran(effect),
    effects.CallMade: _Applier._call,
    effects.ClaimMade: lambda self, effect: self._load_lessons().claimed(effect),
    effects.PersonComplained: _Applier._complain,
    effects.MomentMarked: _Applier._mark,
    effects.PromptJudged: _Applier._judge,
    effects.TurnFinished: _Applier._miss,
}
"""What applies each effect."""
