"""Asking a model now, in the background or not at all; what a run came to in words."""

from collections.abc import Callable
from typing import Any

from learnloop.distill import budget, runner, work
from learnloop.ingest import start_reading
from learnloop.learn.sessions import timeline
from learnloop.models.base import Document
from learnloop.models.fact import FactRun
from learnloop.service.facts import check_proposals, taking_in, turn_asking
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


class RunReport(Document):
    """The outcome of asking now, by hand; in words that of a taste."""

    runs: tuple[FactRun, ...] = ()
    stopped: str = ""
    """Why it did not go on; empty where nothing waits any more."""
    taken: int = 0
    """Facts that were approved by a standing approval."""
    by_rules: int = 0
    """Of a taste, the drafts that rules had worded of the same prompts."""
    by_model: int = 0
    """Drafts that have words now besides."""

    def __str__(self) -> str:
        stopped = f" It ended early: {self.stopped}." if self.stopped else ""
        return f"Rules found {self.by_rules}, the model {self.by_model} more.{stopped}"


def run_now(ws: Workspace) -> RunReport:
    """Ask about all that waits where a model may read along, whatever failed before; raises Busy."""
    agent_guard.refuse("have a model asked")
    budget.resume(ws.root)
    outcome = runner.run(ws.root, by_hand=True)
    check_proposals.ask_wanted(ws, ws.settings)
    judged = turn_asking.ask(ws, ws.settings)
    taken = taking_in.take_in(ws, ws.settings)
    return RunReport(runs=(*outcome.runs, *judged), stopped=outcome.stopped, taken=len(taken))


def taste(
    ws: Workspace, project: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None
) -> RunReport:
    """Ask about the last prompts of a project, or everywhere, where a model may read along; raises Busy.

    `on_progress` gets the requests done and their number.
    """
    agent_guard.refuse("have a model asked")
    prompts = {
        prompt.event_id for batch in work.history(ws.root, project) for prompt in batch.prompts.values()
    }
    before = _drafts(ws)
    outcome = runner.run(ws.root, by_hand=True, history=project, on_progress=on_progress)
    by_rules = sum(any(seen["event_id"] in prompts for seen in doc["evidence"]) for doc in before.values())
    new = _drafts(ws).keys() - before.keys()
    report = RunReport(runs=tuple(outcome.runs), stopped=outcome.stopped)
    return report.with_(by_rules=by_rules, by_model=len(new))


def _drafts(ws: Workspace) -> dict[str, dict[str, Any]]:
    """The drafts that a person could approve as they are, by id."""
    docs = documents.lessons(ws.root).items()
    return {key: doc for key, doc in docs if doc["status"] == "draft" and not doc.get("needs_words")}


def start(ws: Workspace) -> bool:
    """Start a detached reading where a person lets a model read along, at most once a minute."""
    return start_reading.start(ws.root)


def line(run: FactRun) -> str:
    """A run in a line: `read 6 prompts · haiku · 0.9 s · $0.0004 · 2 facts`."""
    return timeline.in_words(run.as_json())
