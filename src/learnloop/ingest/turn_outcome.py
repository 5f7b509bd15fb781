"""Which remark decides a turn, and what is concluded of it where nobody said anything."""

import re
from collections.abc import Callable
from typing import Any

from learnloop.ingest import turns
from learnloop.ingest.effects import Heard, Withdrawn
from learnloop.learn.feedback import outcomes
from learnloop.wire import clock

Doc = dict[str, Any]
Shard = Callable[[str], str]
_TASK_ID = re.compile(r"<task-id>([^<]{1,200})</task-id>")


def take(turn: Doc, heard: Heard) -> None:
    """Let a remark decide a turn, unless a stronger one has; what is said replaces what was concluded."""
    doc = heard.doc
    inferred = bool(doc.get("inferred"))
    rank = (
        outcomes.INFERRED_PRECEDENCE
        if inferred
        else outcomes.precedence(doc["rule"], doc["feedback_category"])
    )
    outcome = outcomes.outcome_of_remark(doc["event_type"], doc["feedback_category"], doc["confidence"])
    if outcome == "unknown":
        if not turn.get("feedback_id"):
            turn["feedback_id"] = doc["id"]
        return
    if turn["outcome"] == "unknown" or rank < turn.get("_rank", 0):
        turn.update(outcome=outcome, feedback_id=doc["id"], _rank=rank)
    if inferred:
        turn["_inferred"] = [heard.table, doc["id"]]


def withdraw(turn: Doc | None) -> Withdrawn | None:
    """Take back what was concluded of a turn: it went on after all, or somebody says what it was."""
    found = (turn or {}).pop("_inferred", None)
    if turn is None or found is None:
        return None
    table, feedback_id = found
    if turn.get("feedback_id") == feedback_id:
        turn.update(outcome="unknown", feedback_id=None)
        turn.pop("_rank", None)
    return Withdrawn(table, feedback_id)


def of_prompt(view: Doc, event: Doc, words: str, shard: Shard) -> Heard | None:
    """What a prompt tells of the turn before it by being about something else."""
    turn = view["turn"]
    if not _is_open(turn):
        return None
    since = clock.parse_ms(event["ts"]) - clock.parse_ms(turn.get("ended") or turn["started"])
    found = outcomes.infer_from_prompt(words, _left(view, turn), since)
    return _concluded(turn, event, found, words, shard) if found else None


def of_session_end(view: Doc, event: Doc, shard: Shard) -> Heard | None:
    """What the end of a session tells of its last turn."""
    turn = view["turn"]
    if not _is_open(turn):
        return None
    found = outcomes.infer_from_session_end(_left(view, turn))
    return _concluded(turn, event, found, "", shard) if found else None


def _is_open(turn: Doc | None) -> bool:
    """Whether a turn has a task of a person's and is not judged yet."""
    if turn is None or turn["outcome"] != "unknown" or "_inferred" in turn or "_no_task" in turn:
        return False
    return bool(turns.task(turn)) if turn["origin"] == "human" else bool(turn.get("_led", {}).get("task"))


def _left(view: Doc, turn: Doc) -> outcomes.TurnEnd:
    return outcomes.TurnEnd(
        end=turn["end"], task=turns.task(turn), open_tasks=turn.get("_open", 0),
        asked=turn["claim"].rstrip().endswith("?"), waits=bool(turn["background"]),
        ends_are_told=bool(turn["prompt_id"]) or view["session"]["counts"].get("turn_end", 0) > 0,
    )  # fmt: skip


def _concluded(turn: Doc, event: Doc, found: outcomes.InferredOutcome, words: str, shard: Shard) -> Heard:
    doc: Doc = {
        "id": event["id"], "timestamp": event["ts"], "session_id": event["session_id"],
        "turn_id": turn["id"], "project_path": event.get("project", ""), "event_type": found.event_type,
        "feedback_category": found.category, "confidence": found.confidence, "reason": found.reason,
        "rule": found.rule, "inferred": True, "user_message": (found.message or words)[:2000],
        "event_id": event["id"], "original_task": turns.task(turn)[:500], "agent_used": turn["agent_used"],
    }  # fmt: skip
    if turn["claim"]:
        doc["completion_claim"] = turn["claim"][:500]
    heard = Heard(shard(event["ts"]), doc)
    take(turn, heard)
    return heard


def named_tasks(words: str) -> list[str]:
    """The ids of background tasks that a notification tells of."""
    return _TASK_ID.findall(words[:20_000])
