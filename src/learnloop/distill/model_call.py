"""One call of a model: whether it may be made, the call itself, and the run that is recorded of it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from learnloop.distill import bounded_call, budget, model_clients, recording
from learnloop.errors import Refused
from learnloop.ingest.facts_read import RUNS
from learnloop.learn.facts.answers import MOST_BYTES, Answer, BadAnswer
from learnloop.learn.facts.requests import Request
from learnloop.models.fact import FactRun
from learnloop.settings import Settings
from learnloop.store import locks
from learnloop.store.store import Store
from learnloop.store.tinydb_file import public_fields
from learnloop.wire import clock

MOST_S = {"extract": 60.0, "merge": 120.0, "check": 120.0, "acts": 60.0, "ask": 60.0}
_WAIT_S = 2.0


def runs(root: str) -> list[FactRun]:
    """All runs that the store holds."""
    return [FactRun.model_validate(public_fields(doc)) for doc in Store(root).documents(RUNS).values()]


def why_not(root: str, settings: Settings, recorded: Sequence[FactRun], *, turns: bool = False) -> str:
    """Why no call may be made now, to judge turns or for anything else; empty where one may."""
    resumed, now = budget.resumed_at(root), clock.now_ms()
    return budget.why_paused(root) or budget.why_not(recorded, settings.facts, now, resumed, turns=turns)


def client(root: str, settings: Settings, model: str) -> model_clients.ModelClient:
    """The command to use, tried once; raises Refused where it may not be used."""
    chosen = model_clients.chosen(settings.facts.command)
    model_clients.refuse_loud(root, chosen, budget.empty_folder(root), model)
    return chosen


def make(
    root: str, asked: model_clients.ModelClient, model: str, request: Request
) -> tuple[model_clients.ModelAnswer, int]:
    """Make a call; return its answer and how long it took, in ms."""
    began = time.monotonic()
    result = bounded_call.call(
        model_clients.argv(asked, model, request), model_clients.text_of(asked, request),
        env=model_clients.environment(), folder=budget.empty_folder(root),
        most_s=MOST_S[request.stage], most_bytes=MOST_BYTES,
    )  # fmt: skip
    return model_clients.answer_of(asked, result), round((time.monotonic() - began) * 1000)


def ask_alone(
    root: str, settings: Settings, request: Request, about: FactRun,
    read: Callable[[Answer], dict[str, Any]] = lambda said: {"facts": len(said.facts)},
    *, project: str = "", host: str = recording.OWN,
) -> tuple[Answer, FactRun]:  # fmt: skip
    """Ask about what a run names, and record it with what `read` makes of the answer, or why it is bad.

    Raises Busy where another call is made, and Refused where none may be.
    """
    with locks.held(Path(root, budget.LOCK), wait_s=_WAIT_S, what="the reading of prompts"):
        recording.settle(root)
        if reason := why_not(root, settings, runs(root), turns=request.stage == "ask"):
            raise Refused(reason, "learn status says what was spent")
        asked = client(root, settings, about.model)
        begun = about.with_(client=asked.name)
        recording.note(root, begun, project, host)
        answer, ms = make(root, asked, begun.model, request)
        fields, error = {}, answer.error
        try:
            fields = {} if error else read(answer.said)
        except BadAnswer as reason:
            error = str(reason)
        outcome = "timeout" if answer.is_timeout else "failed" if error else "done"
        done = begun.with_(**answer.usage, ms=ms, outcome=outcome, error=error, **fields)
        recording.record_run(root, done, project, host)
        return answer.said, done
