"""Undo and redo: the last decision taken back or made again, whatever it is about."""

from collections.abc import Iterable

from learnloop.learn.lessons import approvals
from learnloop.models import Decision
from learnloop.service import event_log
from learnloop.service.lessons import documents
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace


def undo(ws: Workspace) -> Decision | None:
    """Take back the last decision, also one of an earlier run; None where there is none.

    Raises Refused where a prompt file cannot be put back.
    """
    done, _ = stacks(documents.decisions(ws.root))
    return _step(ws, "undo", done[-1]) if done else None


def redo(ws: Workspace) -> Decision | None:
    """Make the decision again that was undone last, until a new one is made; None where there is none.

    Raises Refused where a prompt file cannot be changed again.
    """
    _, undone = stacks(documents.decisions(ws.root))
    return _step(ws, "redo", undone[-1]) if undone else None


def approved_elsewhere(ws: Workspace) -> list[Decision]:
    """The approvals since the last visit to the console that were not given in it, oldest first."""
    from learnloop.ingest import approval_news

    return approvals.elsewhere(documents.decisions(ws.root), approval_news.last_visit(ws.root))


def undo_elsewhere(ws: Workspace) -> list[Decision]:
    """Take back every approval since the last visit that was not given in the console; the last one first."""
    return [_step(ws, "undo", decision) for decision in reversed(approved_elsewhere(ws))]


def _step(ws: Workspace, action: str, decision: Decision) -> Decision:
    if decision.action == "patch":  # files change with it
        from learnloop.service.patches import inverse

        return inverse.take_back(ws, decision, again=action == "redo")
    args = {"decision": decision.id}
    agent_guard.check(ws, action, decision.lesson_ids, args)
    return event_log.decide(ws, action, decision.lesson_ids, args)


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
