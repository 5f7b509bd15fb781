"""Undo and redo: the last decision taken back or made again, whatever it is about."""

from collections.abc import Collection, Iterable
from typing import Literal

from learnloop.errors import Refused
from learnloop.ingest import person_news
from learnloop.learn.experiments import replay
from learnloop.models import Decision
from learnloop.service import event_log
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


def undo(ws: Workspace) -> Decision | None:
    """Take back the last decision, also one of an earlier run; None where there is none.

    Raises Refused where a prompt file cannot be put back, and for an experiment on whose lesson another runs.
    """
    return step(ws, "undo", next_step(ws, "undo"))


def redo(ws: Workspace) -> Decision | None:
    """Make the decision again that was undone last, until a new one is made; None where there is none.

    Raises Refused where a prompt file cannot be changed again.
    """
    return step(ws, "redo", next_step(ws, "redo"))


def next_step(ws: Workspace, action: Literal["undo", "redo"]) -> Decision | None:
    """The decision that the next undo takes back, or the next redo makes again; None where there is none."""
    done, undone = stacks(documents.decisions(ws.root))
    stack = done if action == "undo" else undone
    return stack[-1] if stack else None


def step(ws: Workspace, action: Literal["undo", "redo"], decision: Decision | None) -> Decision | None:
    """Take back that decision, or make it again; None where none is given."""
    if decision is None:
        return None
    if decision.args.get("patches"):  # files change with it
        from learnloop.service.patches import inverse

        return inverse.take_back(ws, decision, again=action == "redo")
    args = {"decision": decision.id}
    agent_guard.check(ws, action, decision.lesson_ids, args)
    _refuse_rival(ws, action, decision)
    return event_log.decide(ws, action, decision.lesson_ids, args)


def written_files(decision: Decision) -> list[str]:
    """The files that undoing or redoing a decision may write."""
    from learnloop.service.patches.file_jobs import WRITTEN

    results = decision.args.get("results") or ()
    return list(dict.fromkeys(str(result["path"]) for result in results if result.get("did") in WRITTEN))


def approved_elsewhere(ws: Workspace) -> list[Decision]:
    """The approvals since the last visit that came from no terminal of the person, oldest first."""

    return person_news.approved_elsewhere(documents.decisions(ws.root), person_news.last_visit(ws.root))


def undo_elsewhere(ws: Workspace, ids: Collection[str]) -> list[Decision]:
    """Take back those of the approvals that came from elsewhere, the last one first; returns them."""
    approved = [decision for decision in approved_elsewhere(ws) if decision.id in ids]
    for decision in reversed(approved):
        step(ws, "undo", decision)
    return approved


def _refuse_rival(ws: Workspace, action: str, decision: Decision) -> None:
    """Raise Refused where an experiment could not run again, because another one runs on its lesson."""
    if (given := decision.args.get(replay.NAME)) is None:
        return
    step = Decision.model_validate({"id": "", "ts": "", "action": action, "args": {"decision": decision.id}})
    if reason := replay.blocked([*documents.decisions(ws.root), step], str(given.get("id", ""))):
        raise Refused(f"{given.get('name', '')} cannot run again: {reason}", "stop that one first")


def stacks(decisions: Iterable[Decision]) -> tuple[list[Decision], list[Decision]]:
    """The decisions that can be undone and those that can be redone, the next one last."""
    done: list[Decision] = []
    undone: list[Decision] = []
    for decision in decisions:
        if decision.claimed:
            continue
        if decision.action not in ("undo", "redo"):
            done.append(decision)
            undone.clear()
            continue
        source, target = (done, undone) if decision.action == "undo" else (undone, done)
        for other in [other for other in source if other.id == decision.args.get("decision")]:
            source.remove(other)
            target.append(other)
    return done, undone
