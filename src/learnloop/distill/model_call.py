"""One call of a model: whether it may be made, the call itself, and the run that is recorded of it."""

import time
from collections.abc import Sequence
from pathlib import Path

from learnloop.distill import bounded_call, budget, model_clients, recording, switch
from learnloop.errors import Refused
from learnloop.ingest.facts_read import RUNS
from learnloop.learn.facts.answers import MOST_BYTES, Answer
from learnloop.learn.facts.requests import Request
from learnloop.models.fact import FactRun
from learnloop.settings import Settings
from learnloop.store import locks
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock

MOST_S = {"extract": 60.0, "merge": 120.0, "check": 120.0, "acts": 60.0}
_WAIT_S = 2.0


def runs(root: str) -> list[FactRun]:
    """All runs that the store holds."""
    return [FactRun.model_validate(public_fields(doc)) for doc in Store(root).documents(RUNS).values()]


def why_not(root: str, settings: Settings, recorded: Sequence[FactRun]) -> str:
    """Why no call may be made now; empty where one may."""
    resumed = switch.resumed_at(root)
    return switch.why_paused(root) or budget.why_not(recorded, settings.facts, clock.now_ms(), resumed)


def client(root: str, settings: Settings, model: str) -> model_clients.ModelClient:
    """The command to use, tried once; raises Refused where it may not be used."""
    chosen = model_clients.chosen(settings.facts.command)
    model_clients.refuse_loud(root, chosen, switch.empty_folder(root), model)
    return chosen


def make(
    root: str, asked: model_clients.ModelClient, model: str, request: Request
) -> tuple[model_clients.ModelAnswer, int]:
    """Make a call; return its answer and how long it took, in ms."""
    began = time.monotonic()
    result = bounded_call.call(
        model_clients.argv(asked, model, request), model_clients.text_of(asked, request),
        env=model_clients.environment(), folder=switch.empty_folder(root),
        most_s=MOST_S[request.stage], most_bytes=MOST_BYTES,
    )  # fmt: skip
    return model_clients.answer_of(asked, result), round((time.monotonic() - began) * 1000)


def ask_alone(
    root: str, settings: Settings, request: Request, items: int, model: str
) -> tuple[Answer, FactRun]:  # fmt: skip
    """Ask about `items` prompts that are of no session, or a lesson, and record the run.

    Raises Busy where another call is made, and Refused where none may be.
    """
    with locks.held(Path(root, switch.LOCK), wait_s=_WAIT_S, what="the reading of prompts"):
        recording.settle(root)
        if reason := why_not(root, settings, runs(root)):
            raise Refused(reason, "learn status says what was spent")
        asked = client(root, settings, model)
        begun = recording.new_run(request.stage, asked.name, model, items)
        recording.note(root, begun, "")
        answer, ms = make(root, asked, model, request)
        outcome = "timeout" if answer.is_timeout else "failed" if answer.error else "done"
        outcome_of = {"outcome": outcome, "error": answer.error, "facts": len(answer.said.facts)}
        done = begun.with_(**answer.usage, ms=ms, **outcome_of)
        recording.record_run(root, done, "")
        return answer.said, done
