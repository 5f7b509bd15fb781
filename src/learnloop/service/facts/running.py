"""Asking a model now, and pausing it; what a run came to in words."""

from learnloop.distill import runner, switch
from learnloop.models.base import Document
from learnloop.models.fact import FactRun
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace

_VERBS = {"extract": "read", "merge": "merged", "summary": "summed up"}


class RunReport(Document):
    """What asking now did."""

    runs: tuple[FactRun, ...] = ()
    stopped: str = ""
    """Why it did not go on; empty where nothing waits any more."""


def run_now(ws: Workspace) -> RunReport:
    """Ask about all that waits where a model may read along; raises Busy where another run is at it."""
    agent_guard.refuse("have a model asked")
    outcome = runner.run(ws.root, by_hand=True)
    return RunReport(runs=tuple(outcome.runs), stopped=outcome.stopped)


def pause(ws: Workspace, paused: bool) -> None:
    """Let nothing be asked anywhere, or go on, whatever failed before."""
    agent_guard.refuse("pause or resume a model that reads along")
    if paused:
        switch.pause(ws.root)
    else:
        switch.resume(ws.root)


def line(run: FactRun) -> str:
    """A run in a line: `read 6 prompts · haiku · 0.9 s · $0.0004 · 2 facts`."""
    what = f"{run.prompts} prompt{'s' * (run.prompts != 1)}" if run.stage == "extract" else "the facts"
    cost = "cost unknown" if run.cost_usd is None else f"${run.cost_usd:.4f}"
    came_to = f"{run.facts} fact{'s' * (run.facts != 1)}" if run.outcome == "done" else run.outcome
    parts = [f"{_VERBS[run.stage]} {what}", run.model, f"{run.ms / 1000:.1f} s", cost, came_to, run.error]
    return " · ".join(filter(None, parts))
