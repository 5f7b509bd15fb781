"""History read anew: all segments run into an empty store, which then takes the place of the old one.

Nothing is changed before the new store is complete (`store.swap`), so readers keep the old documents, and an
analysis that was cut off only has to begin again. What a person decided stands: decisions are taken over,
and with them the lessons that they are about, as they are. What no event tells any more stays too: documents
whose events retention has removed, and what was imported.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import Field

from learnloop.errors import Busy
from learnloop.ingest import agents, derived_views, preferences, recurring, run
from learnloop.ingest.lessons import Lessons
from learnloop.ingest.publish import publish
from learnloop.learn.feedback.version import DETECTOR
from learnloop.learn.lessons.decisions import ADDED, replay
from learnloop.learn.lessons.drafts import MOST_EVIDENCE
from learnloop.models.base import Document
from learnloop.store import files, locks, repair, segments, swap
from learnloop.store.store import Store

Doc = dict[str, Any]
Progress = Callable[[int, int], None]
LOCK = "analyze.lock"
_BATCH_BYTES = 8 << 20
"""So much of history in one transaction: nothing is lost by a crash but time, and memory stays bounded."""
_ID = re.compile(rb'"id":"([0-9a-f]{32})"')
_SHARDED = ("turns", "feedback", "sessions")
_AFTER_ALL = "~"
"""Stands for a segment after the last one."""


class AnalyzeReport(Document):
    """What a new reading of history found."""

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
    """Read all of history with the present detector; raises Busy where another process is at it."""
    if run.ingest(root, wait_s=wait_s).busy:
        raise Busy("another process is ingesting just now", "wait a moment, then try again")
    with locks.held(Path(root, LOCK), wait_s=0.0, what="the analysis of all history"):
        with locks.held(repair.lock(root), wait_s=wait_s, what="the store"):
            if swap.is_pending(root):
                swap.finish(root)
        swap.clear(root)
        report = _Analysis(root, on_progress).run(wait_s)
    publish(root)
    return report


class _Analysis:
    """One analysis while it runs."""

    def __init__(self, root: str, on_progress: Progress) -> None:
        self.root, self.on_progress = root, on_progress
        self.live, self.made = Store(root), Store(swap.shadow(root))
        self.events = self.carried = 0
        self.told = _told(root)
        """The ids of all events that are still there."""

    def run(self, wait_s: float) -> AnalyzeReport:
        """Read all segments; at the end, with nobody else writing, the rest."""
        self._seed()
        self._read(self.live.cursor())
        with locks.held(repair.lock(self.root), wait_s=wait_s, what="the store"):
            self._read(self.live.cursor())
            report = self._take_over()
            swap.complete(self.root)
        return report

    def _seed(self) -> None:
        """What no event tells of any more; lessons that were decided on, so that what says the same joins."""
        decided = self._decided()
        with self.made.transaction() as tx:
            for name in derived_views.KEPT:
                _copy(self.live.documents(name), tx.table(name))
            lessons = tx.table("lessons")
            for doc_id, doc in self.live.lesson_docs().items():
                if doc_id in decided:
                    base = doc if doc.get(ADDED) else replay(doc, ())
                    lessons.put(doc_id, {**base, "status": "draft"})
                elif self._is_untold(doc):
                    lessons.put(doc_id, doc)
            for table in ("turns", "feedback"):
                self._carry(tx, table)
            self._carry_evidence(tx)

    def _carry_evidence(self, tx: Any) -> None:
        """What views keep of events that are gone."""
        for name in self.live.shards("sightings"):
            for doc_id, doc in self.live.documents(name).items():
                if left := self._left(doc["sightings"]):
                    tx.table(name).put(doc_id, {**doc, "sightings": left})
        for doc_id, doc in self.live.documents(recurring.TABLE).items():
            if doc_id not in self.told:
                tx.table(recurring.TABLE).put(doc_id, doc)
                self.carried += 1
        for doc_id, doc in self.live.documents(preferences.TABLE).items():
            if left := self._left(doc.get("signals", ())):
                tx.table(preferences.TABLE).put(doc_id, {**doc, "signals": left})

    def _left(self, evidence: Iterable[Doc]) -> list[Doc]:
        return [seen for seen in evidence if seen.get("event_id") not in self.told]

    def _read(self, last: str) -> None:
        """Run the segments up to one into the new store."""
        names = [name for name in segments.names(self.root) if name <= last]
        while waiting := [name for name in names if name > self.made.cursor()]:
            self.on_progress(len(names) - len(waiting), len(names))
            done = run.transact(self.made, 10.0, self.root, _batch(self.root, waiting), self._see)
            self.events += done.events
        self.on_progress(len(names), len(names))

    def _see(self, events: Iterable[Doc]) -> None:
        self.told.update(event["id"] for event in events)

    def _decided(self) -> set[str]:
        return {
            lesson
            for doc in self.live.documents("decisions").values()
            for lesson in (*doc["lesson_ids"], str(doc.get("args", {}).get("keep", "")))
        }

    def _take_over(self) -> AnalyzeReport:
        """Bring over from the old store what events do not tell, and say what is different."""
        with self.made.transaction() as tx:
            for name in (*derived_views.KEPT, "health"):
                _replace(self.live.documents(name), tx.table(name))
            for table in _SHARDED:
                self._carry(tx, table)
            kept, dropped, new = self._lessons(tx)
            tx.table("lessons").generation = self.live.generation() + 1
            tx.state = {**tx.state, "detector": DETECTOR}
        if self.carried:
            self._recount()
        before = {doc_id: doc.get("outcome") for doc_id, doc in _documents(self.live, "turns")}
        after = {doc_id: doc.get("outcome", "unknown") for doc_id, doc in _documents(self.made, "turns")}
        return AnalyzeReport(
            events=self.events, turns=len(after), outcomes=dict(Counter(after.values())),
            relabelled=sum(before.get(doc_id, outcome) != outcome for doc_id, outcome in after.items()),
            feedback=sum(1 for _ in _documents(self.made, "feedback")), drafts=self.made.drafts() or 0,
            new_drafts=new, dropped_drafts=dropped, kept=kept,
        )  # fmt: skip

    def _carry(self, tx: Any, table: str) -> None:
        """Documents that no event tells of any more, or that were imported meanwhile."""
        made = {doc_id for doc_id, _ in _documents(self.made, table)}
        for name in self.live.shards(table):
            for doc_id, doc in self.live.documents(name).items():
                if doc_id not in made and doc_id not in self.told:
                    tx.table(name).put(doc_id, doc)
                    self.carried += 1
                    if table == "feedback":
                        derived_views.heard(tx, _AFTER_ALL, doc)

    def _lessons(self, tx: Any) -> tuple[int, int, int]:
        """How many lessons were kept, how many drafts are gone, how many are new."""
        table, decided = tx.table("lessons"), self._decided()
        lessons = Lessons(table, tx.table("decisions"))
        old = self.live.lesson_docs()
        new = len(table.all().keys() - old.keys())
        kept = dropped = 0
        for doc_id, doc in old.items():
            made = table.get(doc_id)
            if doc_id in decided:
                table.put(doc_id, _as_decided(doc, made))
                kept += 1
            elif self._is_untold(doc):
                if made is None:
                    lessons.learn(_AFTER_ALL, doc)
                kept += 1
            elif made is None:
                dropped += doc.get("status") == "draft"
        for doc_id in decided - old.keys():  # seeded for a lesson that was undone meanwhile
            table.remove(doc_id)
        return kept, dropped, new

    def _is_untold(self, doc: Doc) -> bool:
        seen = [item["event_id"] for item in doc.get("evidence", ())]
        return not all(event_id in self.told for event_id in seen) or not seen

    def _recount(self) -> None:
        with self.made.transaction() as tx:
            turns, feedback = (
                [doc for _, doc in _documents(self.made, table)] for table in ("turns", "feedback")
            )
            agents.recount(tx.table(agents.TABLE), turns, feedback)
            recurring.regroup(tx.table(recurring.TABLE), tx.table(preferences.TABLE))


def _told(root: str) -> set[str]:
    """The ids of all events in segments, found without reading what else stands there."""
    ids: set[str] = set()
    for name in segments.names(root):
        data = files.read(segments.path(root, name)) or b""
        ids.update(found.decode("ascii") for found in _ID.findall(data))
    return ids


def _batch(root: str, names: list[str]) -> list[str]:
    """The first of the segments, as many as are read in one go."""
    chosen, size = names[:1], 0
    for name in names[1:]:
        size += segments.path(root, name).stat().st_size
        if size > _BATCH_BYTES:
            break
        chosen.append(name)
    return chosen


def _documents(store: Store, table: str) -> Iterable[tuple[str, Doc]]:
    for name in store.shards(table):
        yield from store.documents(name).items()


def _copy(documents: dict[str, Doc], table: Any) -> None:
    for doc_id, doc in documents.items():
        table.put(doc_id, doc)


def _replace(documents: dict[str, Doc], table: Any) -> None:
    for doc_id in list(table.all()):
        if doc_id not in documents:
            table.remove(doc_id)
    _copy(documents, table)


def _as_decided(old: Doc, made: Doc | None) -> Doc:
    """A lesson that a person decided on: as it stands, with what the new reading saw besides."""
    if made is None:
        return old
    seen = {item["event_id"] for item in old.get("evidence", ())}
    more = [item for item in made.get("evidence", ()) if item["event_id"] not in seen]
    if not more:
        return old
    evidence = [*old.get("evidence", ()), *more]
    kept = evidence[:1] + evidence[1:][-(MOST_EVIDENCE - 1) :]
    return {**old, "evidence": kept, "seen_count": max(old.get("seen_count", 1), len(kept))}
