"""History read anew: all segments run into an empty store, which then replaces the old one.

Nothing changes before the new store is complete (`store.swap`). Readers keep the old documents, and an
interrupted analysis starts again. A person's decisions are copied with the lessons that they are about.
Documents whose events are gone, and imported ones, are copied too.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import Field

from learnloop.errors import Busy
from learnloop.ingest import agents, recurring, run, task_history, tellings
from learnloop.ingest.lessons import LessonTable, newest_evidence, with_new_evidence
from learnloop.ingest.publish import publish
from learnloop.learn.hear.version import DETECTOR
from learnloop.learn.lessons.decisions import ADDED, RATED, replay
from learnloop.models import usage_counts
from learnloop.models.base import Document
from learnloop.models.decision import settled
from learnloop.store import files, history, locks, repair, segments, swap
from learnloop.store.store import Store

Doc = dict[str, Any]
Progress = Callable[[int, int], None]
LOCK = "analyze.lock"
_BATCH_BYTES = 8 << 20
"""So much of history in one transaction: nothing is lost by a crash but time, and memory stays bounded."""
_ID = re.compile(rb'"id":"([0-9a-f]{32})"')
_DATED = ("turns", "traces", "moments", "feedback", "sessions", "primed")
CARRIED = ("decisions", "patches", "imported_preferences", "imported_agents", "imported_memories")
"""Tables that events do not contain: they are copied as they are."""


class AnalyzeReport(Document):
    """The result of a new reading of history."""

    events: int = 0
    turns: int = 0
    relabelled: int = 0
    """Turns whose outcome is another one now."""
    outcomes: dict[str, int] = Field(default_factory=dict)
    """Turns by outcome."""
    feedback: int = 0
    drafts: int = 0
    """Drafts that wait now."""
    new_drafts: int = 0
    dropped_drafts: int = 0
    """Drafts that nobody had decided on and whose rule does not fire any more."""
    kept: int = 0
    """Lessons that stay because a person decided on them, or because their events are gone."""


def analyze(
    root: str, on_progress: Progress = lambda _done, _total: None, wait_s: float = 10.0
) -> AnalyzeReport:
    """Read all of history with the present detector; raises Busy if another process is ingesting."""
    if run.ingest(root, wait_s=wait_s).busy:
        raise Busy("another process uses the journal or the store", "wait a moment, then try again")
    with locks.held(Path(root, LOCK), wait_s=0.0, what="the analysis of all history"):
        with locks.held(repair.lock(root), wait_s=wait_s, what="the store"):
            swap.finish(root)
        swap.clear(root)
        report = _Analysis(root, on_progress).run(wait_s)
    publish(root)
    return report


class _Analysis:
    def __init__(self, root: str, on_progress: Progress) -> None:
        self.root, self.on_progress = root, on_progress
        self.live, self.new = Store(root), Store(swap.shadow(root))
        self.events = self.carried = 0
        self.event_ids = _event_ids(root)
        self.first_event = _first_event(root)

    def run(self, wait_s: float) -> AnalyzeReport:
        """Read all segments; at the end, with nobody else writing, the rest."""
        self._seed()
        self._read(self.live.cursor())
        if history.is_used(self.root):
            task_history.refresh(self.new.root, wait_s)
        with locks.held(repair.lock(self.root), wait_s=wait_s, what="the store"):
            self._read(self.live.cursor())
            report = self._take_over()
            history.take_vectors(self.root, self.new.root)
            swap.complete(self.root)
        return report

    def _seed(self) -> None:
        """Copy what events do not contain, and decided lessons, so that new drafts can join them."""
        decided = self._decided()
        with self.new.transaction() as tx:
            for name in CARRIED:
                tx.table(name).replace_all(self.live.documents(name))
            lessons = tx.table("lessons")
            for doc_id, doc in self.live.documents("lessons").items():
                if doc_id in decided:
                    is_added = doc.get(ADDED)  # no decision makes it active: it is from the start
                    base = doc if is_added else replay(doc, ())
                    lessons.put(doc_id, {**_without_use(base), "status": "active" if is_added else "draft"})
                elif self._has_lost_events(doc):
                    lessons.put(doc_id, doc)
            for kind in ("turns", "traces", "moments", "feedback"):
                self._carry(tx, kind)
            self._carry_evidence(tx)

    def _carry_evidence(self, tx: Any) -> None:
        for doc in self.live.all_documents("sightings"):
            if rest := self._without_events(doc["sightings"]):
                tx.documents("sightings").put(doc["id"], {**doc, "sightings": rest})
        for doc_id, doc in self.live.documents(recurring.TABLE).items():
            if doc_id not in self.event_ids:
                tx.table(recurring.TABLE).put(doc_id, doc)
                self.carried += 1
        for doc_id, doc in self.live.documents(recurring.REMARKS).items():
            if rest := self._without_events(doc.get("signals", ())):
                tx.table(recurring.REMARKS).put(doc_id, {**doc, "signals": rest})

    def _without_events(self, evidence: Iterable[Doc]) -> list[Doc]:
        return [item for item in evidence if item.get("event_id") not in self.event_ids]

    def _read(self, last: str) -> None:
        names = [name for name in segments.names(self.root) if name <= last]
        while waiting := [name for name in names if name > self.new.cursor()]:
            self.on_progress(len(names) - len(waiting), len(names))
            report = run.transact(self.new, 10.0, self.root, _batch(self.root, waiting), self.event_ids)
            self.events += report.events
        self.on_progress(len(names), len(names))

    def _carry_health(self, days: Any) -> None:
        """Keep the counts of days whose events are gone; older ones lack what recalls told."""
        told = {day: doc.get("told", {}) for day, doc in days.all().items()}
        live = self.live.documents("health").items()
        days.replace_all({day: {"told": told.get(day, {}), **doc} for day, doc in live})

    def _decided(self) -> set[str]:
        return {
            lesson
            for doc in self.live.documents("decisions").values()
            for lesson in (*doc["lesson_ids"], str(doc["args"].get("keep", "")), *settled(doc["args"]))
        }

    def _take_over(self) -> AnalyzeReport:
        """Copy from the old store what events do not contain, and report the difference."""
        with self.new.transaction() as tx:
            for name in CARRIED:
                tx.table(name).replace_all(self.live.documents(name))
            self._carry_health(tx.table("health"))
            for kind in _DATED:
                self._carry(tx, kind)
            carried, dropped, new = self._carry_lessons(tx)
            tx.state = {**tx.state, "detector": DETECTOR}
        if self.carried:
            with self.new.transaction() as tx:
                turns, feedback = map(self.new.all_documents, ("turns", "feedback"))
                tx.table(agents.TABLE).replace_all(agents.rebuilt(turns, feedback))
                recurring.regroup(tx.table(recurring.TABLE), tx.table(recurring.REMARKS))
        before = {doc["id"]: doc.get("outcome") for doc in self.live.all_documents("turns")}
        after = {doc["id"]: doc.get("outcome", "unknown") for doc in self.new.all_documents("turns")}
        drafts = [doc for doc in self.new.documents("lessons").values() if doc.get("status") == "draft"]
        return AnalyzeReport(
            events=self.events, turns=len(after), outcomes=dict(Counter(after.values())),
            relabelled=sum(before.get(doc_id, outcome) != outcome for doc_id, outcome in after.items()),
            feedback=sum(1 for _ in self.new.all_documents("feedback")), drafts=len(drafts),
            new_drafts=new, dropped_drafts=dropped, kept=carried,
        )  # fmt: skip

    def _carry(self, tx: Any, kind: str) -> None:
        """Copy documents whose events are gone, or that were imported meanwhile."""
        others = {doc["id"] for doc in self.new.all_documents(kind)} | self.event_ids
        for doc in self.live.all_documents(kind):
            if doc["id"] not in others:
                tx.documents(kind).put(doc["id"], doc)
                self.carried += 1

    def _carry_lessons(self, tx: Any) -> tuple[int, int, int]:
        """Carry lessons over; return how many were kept, how many drafts are gone, how many are new."""
        table, decided = tx.table("lessons"), self._decided()
        lessons = LessonTable(table, tx.table("decisions"))
        old = self.live.documents("lessons")
        drafts = (doc for lesson_id, doc in table.all().items() if lesson_id not in old)
        for lesson_id in _answered(drafts, (old[lesson_id] for lesson_id in decided & old.keys())):
            table.remove(lesson_id)
        new = len(table.all().keys() - old.keys())
        carried = dropped = 0
        for doc_id, doc in old.items():
            new_doc = table.get(doc_id)
            if doc_id in decided:
                table.put(doc_id, self._with_use(_as_decided(doc, new_doc), new_doc))
                carried += 1
            elif self._has_lost_events(doc):
                if new_doc is None:
                    lessons.learn(doc)
                carried += 1
            elif new_doc is None:
                dropped += doc.get("status") == "draft"
        for doc_id in decided - old.keys():  # seeded for a lesson that was undone meanwhile
            table.remove(doc_id)
        return carried, dropped, new

    def _with_use(self, doc: Doc, new: Doc | None) -> Doc:
        """The lesson with its use as events tell it; where older events are gone, its counts stay."""
        is_whole, before = self.first_event <= str(doc.get("created", "")), doc.get("usage") or {}
        if new is None or not (is_whole or usage_counts.is_older(before)):
            return doc
        recounted = {**_without_use(doc), **{name: new[name] for name in _USE if name in new}}
        if not is_whole:  # what a person rated is no matter of events
            rated = {name: before[name] for name in ("helpful", "harmful", "last_useful") if name in before}
            recounted["usage"] = {**(recounted.get("usage") or {}), **rated}
        return recounted

    def _has_lost_events(self, doc: Doc) -> bool:
        event_ids = {item["event_id"] for item in doc.get("evidence", ())}
        return not event_ids or not event_ids <= self.event_ids


_FORMER = ("standing:", "correction:", "rejection:", "explicit_preference:", "refusal")
"""Sources of the drafts that verdicts on prompts once made, one of each prompt, with ids of their own."""


def _answered(drafts: Iterable[Doc], decided: Iterable[Doc]) -> list[str]:
    """Return the drafts of what a person decided under a former id: of each prompt the likeliest."""
    by_event: dict[str, list[Doc]] = {}
    for doc in drafts:
        if doc.get("evidence"):  # earlier versions kept drafts without any
            by_event.setdefault(doc["evidence"][0]["event_id"], []).append(doc)
    former = (doc for doc in decided if str(doc.get("source", "")).startswith(_FORMER))
    waiting = (by_event.get(doc["evidence"][0]["event_id"], []) for doc in former if doc.get("evidence"))
    return [max(docs, key=lambda doc: doc["confidence"])["id"] for docs in waiting if docs]


def _event_ids(root: str) -> set[str]:
    """Return the ids of all events in segments, by pattern: decoding whole lines would cost far more."""
    ids: set[str] = set()
    for name in segments.names(root):
        data = files.read(segments.path(root, name)) or b""
        ids.update(match.decode("ascii") for match in _ID.findall(data))
    return ids


def _first_event(root: str) -> str:
    """The time of the oldest event that is kept; empty where there is none."""
    events = (event for name in segments.names(root)[:1] for event in segments.read(root, name))
    return min((str(event.get("ts", "")) for event in events), default="")


def _batch(root: str, names: list[str]) -> list[str]:
    chosen, size = names[:1], 0
    for name in names[1:]:
        size += segments.path(root, name).stat().st_size
        if size > _BATCH_BYTES:
            break
        chosen.append(name)
    return chosen


_USE = (
    "usage",
    "notes",
    RATED,
    tellings.TELLINGS,
    tellings.BROKEN_IN,
    tellings.DUES,
    tellings.COMPLAINTS,
)
"""What a lesson's recalls led to."""


def _without_use(doc: Doc) -> Doc:
    return {name: value for name, value in doc.items() if name not in _USE}


def _as_decided(old: Doc, new: Doc | None) -> Doc:
    if new is None:
        return old
    evidence = with_new_evidence(old, new.get("evidence", ()))
    if len(evidence) == len(old.get("evidence", ())):
        return old
    newest = newest_evidence(evidence)
    return {**old, "evidence": newest, "seen_count": max(old.get("seen_count", 1), len(newest))}
