"""Decisions take effect where they are made, before the events that came before them are read."""

import copy
from typing import Any

from learnloop.ingest import agent_calls, lesson_decisions
from learnloop.ingest.lesson_decisions import Decisions, LessonDecisions
from learnloop.ingest.publish import publish
from learnloop.models.event import is_event
from learnloop.store import pending, seal
from learnloop.store.store import Store

Doc = dict[str, Any]


def take(root: str, wait_s: float) -> None:
    """Let the decisions that were appended take effect, and publish.

    Raises Busy where another process has the store for longer, and Repaired where a file of it was damaged.
    """
    with Store(root).transaction(wait_s=wait_s) as tx:
        lesson_decisions.hold(tx)  # before anything is written over
        table = tx.table("decisions")
        lessons = LessonDecisions(tx.table("lessons"), table)
        decisions = Decisions(tx, lambda: lessons)
        for event, claimed in _with_calls(root, tx.cursor, tx.state)[1]:
            if event["id"] in table:
                decisions.resume(event["id"])
            else:
                decisions.take(event, claimed)
    publish(root)


def claimed_now(root: str, event: Doc) -> str:
    """Why a decision that is made now would be claimed, by agents' calls so far; empty where it counts."""
    store = Store(root)
    return agent_calls.claim(_with_calls(root, store.cursor(), store.state())[0], event)


def _with_calls(root: str, cursor: str, state: Doc) -> tuple[Doc, list[tuple[Doc, str]]]:
    """What is remembered of calls after all events, and the decisions after a segment: why each is claimed.

    The state of ingest stays as it is. What a call claims of decisions before it, ingest finds.
    """
    calls = {"calls": copy.deepcopy(agent_calls.of(dict(state)))}
    decisions = []
    for event in filter(is_event, pending.appended(root, cursor)):
        if event["kind"] in seal.KINDS:
            event["fault"] = seal.fault(root, event)
        if event["kind"] == "decision":
            decisions.append((event, agent_calls.claim(calls, event)))
        elif event["kind"] == "prompt" and not event["payload"].get("machine"):
            agent_calls.doubt(calls, event)
        list(agent_calls.note(calls, event, root))
    return calls, decisions
