"""Asking a model now, in the background or not at all; what a run came to in words."""

from learnloop.distill import runner, switch
from learnloop.ingest import start_reading
from learnloop.learn.sessions import model_runs
from learnloop.models.base import Document
from learnloop.models.fact import FactRun
from learnloop.service.facts import taking_in
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


class RunReport(Document):
    """The outcome of asking now, by hand."""

    runs: tuple[FactRun, ...] = ()
    stopped: str = ""
    """Why it did not go on; empty where nothing waits any more."""
    taken: int = 0
    """Facts that were approved by a standing approval."""


def run_now(ws: Workspace) -> RunReport:
    """Ask about all that waits where a model may read along; raises Busy where another run is at it."""
    agent_guard.refuse("have a model asked")
    outcome = runner.run(ws.root, by_hand=True)
    taken = taking_in.take_in(ws, ws.settings)
    return RunReport(runs=tuple(outcome.runs), stopped=outcome.stopped, taken=len(taken))


def pause(ws: Workspace, paused: bool) -> None:
    """Let nothing be asked anywhere, or go on, whatever failed before."""
    agent_guard.refuse("pause or resume a model that reads along")
    (switch.pause if paused else switch.resume)(ws.root)


def start(ws: Workspace) -> bool:
    """Start a detached reading where a person lets a model read along, at most once a minute."""
    return start_reading.start(ws.root)


def line(run: FactRun) -> str:
    """A run in a line: `read 6 prompts · haiku · 0.9 s · $0.0004 · 2 facts`."""
    return model_runs.in_words(run.as_json())
