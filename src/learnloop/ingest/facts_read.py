"""Facts that a model read: an event of kind `facts` becomes facts, a run, and drafts.

The payload is {run, facts, judged?, read?, left?, compactions?, batch?}: the run, each `Finding`, each
`Judged` (`ingest.model_verdicts`), the ids of the prompts that were read, those of raw facts that the
second stage left out, how often the session had been compacted, and which batch was answered badly.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from learnloop.ingest import agent_calls, recent_calls
from learnloop.ingest.effects import FactsRead
from learnloop.ingest.lessons import LessonTable
from learnloop.ingest.statement_index import ORIGIN
from learnloop.learn.facts import fact_drafts, support
from learnloop.learn.facts.answers import SURE
from learnloop.learn.lessons import claims
from learnloop.learn.lessons.origins import SYNTHESIS
from learnloop.models.fact import FACTS, Fact, FactRun, Finding, fact_id
from learnloop.store.tinydb_file import public_fields

Doc = dict[str, Any]
RUNS = "fact_runs"
READ, COMPACTIONS, BATCH = "_read", "_compactions", "_batch"
"""In a stored run: the prompts that it read, how often its session had been compacted, and what it asked
about where the answer was bad."""
GROUNDS: Doc = {
    "evidence": [], "said": "", "draft_id": "", "sure": SURE, "when": (), "is_global": False,
}  # fmt: skip
"""What a fact keeps for the second stage, under these names with a `_` before them; else the value here."""
MOST_FACTS, MOST_RUNS = 2000, 1000
_LEFT_OUT = "the second stage left it out: it adds nothing to the others"
_STATUS_BY_LESSON = {"draft": "draft", "active": "known", "archived": "known", "rejected": "refused"}
_REASONS = {
    "active": "a lesson in use says it", "archived": "an archived lesson says it",
    "rejected": "you rejected it before",
}  # fmt: skip


def read(state: Doc, event: Doc) -> FactsRead | None:
    """The effect of an event; None where it does not validate."""
    payload, history = event["payload"], recent_calls.of(state, event.get("project", ""))
    try:
        run = FactRun.model_validate(payload.get("run"))
        run = run.with_(broken=()) if event.get("fault") else run
        facts = [
            _found(finding, run, {**event, "fault": _fault(state, finding, event)}, history)
            for finding in payload.get("facts", ())
        ]
    except (ValidationError, KeyError, TypeError, IndexError):
        return None
    marks = {READ: list(payload.get("read", ())), COMPACTIONS: payload.get("compactions", 0),
             BATCH: payload.get("batch", "")}  # fmt: skip
    judged = [one for one in payload.get("judged", ()) if not event.get("fault")]
    return FactsRead({**run.as_json(), **marks}, facts, list(payload.get("left", ())), judged)


def _fault(state: Doc, finding: Finding, event: Doc) -> str:
    """Why a finding is not of the person: its event was not written by us, or a prompt of it is doubted."""
    is_typed = not any(
        agent_calls.is_doubted(state, seen["event_id"], seen["ts"]) for seen in finding["evidence"]
    )
    return str(event.get("fault") or "") or ("" if is_typed else claims.TYPED_FOR)


def _found(finding: Finding, run: FactRun, event: Doc, history: Any) -> tuple[Doc, Doc | None, list[str]]:
    """A fact as it is stored, the draft that it may become, and the facts that it was merged from."""
    project = event.get("project", "")
    event_ids = tuple(finding["event_ids"])
    fact = Fact(
        id=fact_id(event_ids[0] if event_ids else run.id, finding["text"]), text=finding["text"],
        kind=finding["kind"], sure=finding.get("sure"), status=finding["status"], reason=finding["reason"],
        session_id=run.session_id, event_ids=event_ids, project=project, folder=finding["folder"],
        run_ids=(run.id,), created=run.started,
    )  # fmt: skip
    grounds = {f"_{name}": finding.get(name, default) for name, default in GROUNDS.items()}
    if fact.status != "raw":
        return fact.as_json(), None, list(finding["from"])
    if event["fault"] and run.stage == "extract":
        return fact.with_(status="unsupported", reason=event["fault"]).as_json(), None, []
    lesson = fact_drafts.draft(finding, project, history).as_json()
    if finding.get("same_as"):  # it strengthens that lesson, whose words stay
        lesson |= {"id": finding["same_as"], "statement": ""}
    foreign = {"trust": "external", "context": event["fault"]} if event["fault"] else {}
    return {**fact.as_json(), **grounds}, {**lesson, ORIGIN: project, **foreign}, list(finding["from"])


def is_partner(fact: Doc, other: Doc, lesson: Callable[[str], Doc | None]) -> bool:
    """Whether two stored facts may be one: of a project, near in words, and no person decided the other."""
    if fact["project"] != other["project"] or other["status"] not in ("raw", "draft"):
        return False
    drafted = lesson(other["lesson_id"]) if other.get("lesson_id") else None
    is_open = drafted is None or drafted.get("status") == "draft"
    return is_open and support.are_near(fact["text"], other["text"])


class FactTables:
    """The tables of facts and runs, while effects are applied."""

    def __init__(self, tx: Any, lessons: Callable[[], LessonTable]) -> None:
        self._facts, self._runs, self._lessons = tx.table(FACTS), tx.table(RUNS), lessons
        self._peek = tx.table("lessons").peek

    def apply(self, effect: FactsRead) -> int:
        """Store a run with its facts; return how many drafts are new."""
        stage, new = effect.run["stage"], 0
        for fact, lesson, sources in effect.facts:
            settled, is_new = self._settled(fact, lesson, stage)
            new += is_new
            self._store(settled)
            for name in sources:
                self._close(name, settled, "merged")
        for name in effect.left:
            self._close(name, {"reason": _LEFT_OUT, "run_ids": [effect.run["id"]]}, "known")
        if (self._runs.peek(effect.run["id"]) or {}).get("outcome") == "done":
            return new  # noted as interrupted after it was recorded
        self._runs.put(effect.run["id"], effect.run)
        for breach in effect.run.get("broken", ()):
            self._lessons().broken(effect.run, breach)
        _trim(self._facts, MOST_FACTS, "created")
        _trim(self._runs, MOST_RUNS, "started")
        return new

    def _settled(self, fact: Doc, lesson: Doc | None, stage: str) -> tuple[Doc, bool]:
        """The fact with what became of it. One that is near another waits for the second stage."""
        if lesson is None or (stage == "extract" and self._has_partner(fact, lesson)):
            return fact, False
        sure = fact.get("sure") or SURE
        lesson["confidence"] = fact_drafts.chance(sure, self._verdicts, fact["project"])
        lesson_id, is_new = self._lessons().learn(lesson)
        status = self._lessons().status_of(lesson_id) or "draft"
        became = {"status": _STATUS_BY_LESSON[status], "reason": _REASONS.get(status, "")}
        kept = fact if status == "draft" else public_fields(fact)
        return {**kept, **became, "lesson_id": lesson_id}, is_new

    def _has_partner(self, fact: Doc, lesson: Doc) -> bool:
        """Whether a fact of another run is near in words, and no lesson says it that is more than a guess."""
        same = self._peek(self._lessons().same(lesson)) or {}
        if same and (same["status"] != "draft" or same["source"] == SYNTHESIS):
            return False
        return any(
            is_partner(fact, other, self._peek) and not set(other["run_ids"]) & set(fact["run_ids"])
            for other in self._facts.all().values()
        )

    @cached_property
    def _verdicts(self) -> list[fact_drafts.FactVerdict]:
        """What the person decided about facts whose model said how sure it is."""
        facts = [doc for doc in self._facts.all().values() if doc.get("sure") is not None]
        judged = ((doc, fact_drafts.verdict(self._peek(doc.get("lesson_id")) or {})) for doc in facts)
        return [
            fact_drafts.FactVerdict(doc["sure"], verdict == "accepted", doc["project"])
            for doc, verdict in judged
            if verdict in ("accepted", "rejected")
        ]

    def _store(self, fact: Doc) -> None:
        before = self._facts.peek(fact["id"]) or {}
        runs = list(dict.fromkeys([*before.get("run_ids", ()), *fact["run_ids"]]))
        self._facts.put(fact["id"], {**fact, "run_ids": runs})

    def _close(self, name: str, by: Doc, status: str) -> None:
        """End a raw fact: it is part of another one, or adds nothing."""
        stored = self._facts.get(name)
        if stored is None or stored["status"] != "raw":
            return
        runs = list(dict.fromkeys([*stored["run_ids"], *by["run_ids"]]))
        reason = by["reason"] if status == "known" else f"merged into “{by['text']}”"
        changes = {"status": status, "reason": reason, "lesson_id": by.get("lesson_id", ""), "run_ids": runs}
        self._facts.put(name, {**public_fields(stored), **changes})


def _trim(table: Any, most: int, time: str) -> None:
    """Remove the oldest documents above a number; raw ones wait for the second stage and go last."""
    surplus = len(table) - most
    if surplus > 0:
        docs: Iterator[Doc] = iter(table.all().values())
        oldest = sorted(docs, key=lambda doc: (doc.get("status") == "raw", doc[time], doc["id"]))
        for doc in oldest[:surplus]:
            table.remove(doc["id"])
