"""Reads what waits, one run at a time.

Whatever ends it, the next run finds the same work: a prompt is read once a recorded run names it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from learnloop.distill import budget, model_call, model_clients, recording, work
from learnloop.errors import Busy, LearnloopError
from learnloop.ingest.facts_read import BATCH, RUNS
from learnloop.ingest.run import ingest
from learnloop.learn.facts.answers import Answer, ReadFact
from learnloop.models.fact import FactRun
from learnloop.settings import Settings, load
from learnloop.store import locks
from learnloop.store.store import Store
from learnloop.wire import clock

_WAIT_S, _FAILED = 5.0, ("failed", "timeout")
_TRIES = 3
"""So often a batch is asked about whose answers are bad; then it goes on without a model."""


@dataclass
class Outcome:
    """The calls of one run, and why it ended."""

    runs: list[FactRun] = field(default_factory=list)
    stopped: str = ""
    """Why it did not go on, in words; empty where nothing waits any more."""


def run(
    root: str, *, by_hand: bool = False, project: str = "", history: str = "",
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Outcome:  # fmt: skip
    """Read what waits where a person allows it; `by_hand` without waiting for a session to rest.

    `history` names a project, or everywhere, whose last prompts are read although they are older than the
    consent. `on_progress` gets the requests done and their number.
    A run that a hook started has variables that a project may have set, such as the service's address.
    So it reads that `project` alone, by the settings file alone. Raises Busy where another one reads.
    """
    settings = load(environment=by_hand)
    wait_s = 60.0 if history else 0.0  # a person waits for it, and a background one ends soon
    with locks.held(Path(root, budget.LOCK), wait_s=wait_s, what="the reading of prompts"):
        return _Reader(root, settings, by_hand, project, history).run(on_progress)


class _Reader:
    def __init__(self, root: str, settings: Settings, by_hand: bool, project: str, history: str) -> None:
        self.root, self.settings, self.by_hand, self.project = root, settings, by_hand, project
        self.history, self.outcome = history, Outcome()

    def run(self, on_progress: Callable[[int, int], None]) -> Outcome:
        recording.settle(self.root)
        if ingest(self.root, wait_s=_WAIT_S).busy:
            raise Busy("another process uses the journal or the store", "wait a moment, then try again")
        try:
            for batch in self._waiting(on_progress):
                if batch.session.project not in work.consents(self.root, self.settings):
                    continue  # it was withdrawn since
                self.outcome.stopped = self._why_not() or self._read(batch)
                if self.outcome.stopped:
                    break
        except LearnloopError as error:
            self.outcome.stopped = f"{error}"
        if not self.outcome.stopped and any(run.outcome in _FAILED for run in self.outcome.runs):
            self.outcome.stopped = "what a failed call asked about waits: learn facts run asks again"
        return self.outcome

    def _waiting(self, on_progress: Callable[[int, int], None]) -> Iterator[work.Batch]:
        """The batches that are due, the second stage after the first."""
        reach = work.reach(self.root, self.settings)
        if reach is None:
            return
        reach = reach.only(self.project) if self.project else reach
        unread = work.Unread(self.root, reach, work.read_cursors(self.root))
        work.keep_cursors(self.root, unread.cursors)
        due = filter(self._is_due, work.extractions(self.root, unread))
        waiting = list(work.history(self.root, self.history) if self.history else due)
        for done, batch in enumerate(waiting):
            on_progress(done, len(waiting))
            yield batch
        on_progress(len(waiting), len(waiting))
        yield from filter(self._is_due, work.merges(self.root, reach))

    def _is_due(self, batch: work.Batch) -> bool:
        return self.by_hand or work.is_due(self.root, batch, clock.now_ms())

    def _why_not(self) -> str:
        return model_call.why_not(self.root, self.settings, model_call.runs(self.root))

    def _read(self, batch: work.Batch) -> str:
        """Ask about a batch and record what came of it; return why nothing more can be asked."""
        asked = model_call.client(self.root, self.settings, self._model(batch))
        begun = recording.run_of(batch, asked.name, self._model(batch))
        recording.note(self.root, begun, batch.session.project, batch.session.host)
        request = recording.ask(self.root, batch, self.settings)
        answer, ms = model_call.make(self.root, asked, self._model(batch), request)
        done = begun.with_(**{**answer.usage, "ms": ms})
        if answer.error and not self._is_given_up(batch, answer):
            outcome = "timeout" if answer.is_timeout else "failed"
            done = done.with_(outcome=outcome, error=answer.error)
            recording.record_failure(self.root, batch, done, is_content=answer.is_content)
        else:
            taken = answer.said if not answer.error else _as_they_are(batch)
            done = recording.record(self.root, batch, done.with_(error=answer.error), taken, self.settings)
        self.outcome.runs.append(done)
        is_ingested = not ingest(self.root, wait_s=_WAIT_S).busy
        return "" if is_ingested else "the store is in use; the next run continues"

    def _model(self, batch: work.Batch) -> str:
        facts = self.settings.facts
        return facts.model if batch.stage == "extract" else facts.merge_model

    def _is_given_up(self, batch: work.Batch, answer: model_clients.ModelAnswer) -> bool:
        """Whether the same was asked often enough and answered badly each time."""
        tries = sum(doc.get(BATCH) == batch.id for doc in Store(self.root).documents(RUNS).values())
        return answer.is_content and tries >= _TRIES - 1


def _as_they_are(batch: work.Batch) -> Answer:
    """Raw facts without a second stage; of prompts nothing."""
    raw = {name: fact for name, fact in batch.facts.items() if fact["status"] == "raw"}
    return Answer([ReadFact(fact["text"], fact["kind"], (name,)) for name, fact in raw.items()])
