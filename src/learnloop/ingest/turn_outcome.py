"""The outcome of a turn: decided by the strongest remark, inferred where nobody said anything."""

from typing import Any

from learnloop.ingest import turns
from learnloop.ingest.effects import FeedbackHeard, FeedbackWithdrawn
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.learn.hear import outcomes, prompts
from learnloop.wire import clock

Doc = dict[str, Any]
_MESSAGE = 2000


def take(turn: RunningTurn, heard: FeedbackHeard) -> None:
    """Let feedback decide a turn, unless stronger feedback has; words replace an inferred outcome."""
    doc = heard.doc
    inferred = bool(doc.get("inferred"))
    rank = outcomes.INFERRED_PRECEDENCE
    if not inferred:
        rank = outcomes.precedence(doc["rule"], doc["feedback_category"])
    outcome = outcomes.outcome_of_remark(doc["event_type"], doc["feedback_category"], doc["confidence"])
    if outcome == "unknown":
        if not turn.get("feedback_id"):
            turn["feedback_id"] = doc["id"]
        return
    if turn["outcome"] == "unknown" or rank < turn.get("_rank", 0):
        turn["outcome"], turn["feedback_id"], turn["_rank"] = outcome, doc["id"], rank
        turn["inferred"] = inferred
    if inferred:
        turn["_inferred"] = [doc["id"]]


def withdraw(turn: RunningTurn | None) -> FeedbackWithdrawn | None:
    """Take back an inferred outcome: the turn went on after all, or a person said what it was."""
    if turn is None or "_inferred" not in turn:
        return None
    feedback_id = turn.pop("_inferred")[-1]
    if turn.get("feedback_id") == feedback_id:
        turn["outcome"], turn["feedback_id"] = "unknown", None
        turn["inferred"] = False
        turn.pop("_rank", None)
    return FeedbackWithdrawn(feedback_id)


def infer(
    view: SessionView, event: Doc, words: str | None = None, doubt: float = 0.0
) -> FeedbackHeard | None:
    """Infer the outcome of the last turn from a prompt about something else, or from the session's end.

    `doubt`: the probability that the prompt is feedback after all.
    """
    turn = view["turn"]
    if turn is None or not _is_open(turn):
        return None
    if words is None:
        inferred = outcomes.infer_from_session_end(_turn_end(view, turn))
    else:
        since = clock.parse_ms(event["ts"]) - clock.parse_ms(turn.get("ended") or turn["started"])
        inferred = outcomes.infer_from_prompt(words, _turn_end(view, turn), since, doubt)
    if inferred is None:
        return None
    doc = document(turn, event, inferred, inferred.message or words or "")
    heard = FeedbackHeard({**doc, "inferred": True})
    take(turn, heard)
    return heard


def _is_open(turn: RunningTurn) -> bool:
    """Whether a turn has a person's task and is not judged yet."""
    if turn["outcome"] != "unknown" or "_inferred" in turn or "_no_task" in turn:
        return False
    return bool(turns.task(turn)) if turn["origin"] == "human" else bool(turns.inherited(turn).get("task"))


def _turn_end(view: SessionView, turn: RunningTurn) -> outcomes.TurnEnd:
    return outcomes.TurnEnd(
        end=turn["end"], task=turns.task(turn), open_tasks=turn.get("_open", 0),
        asked=turn["claim"].rstrip().endswith("?"), waits=bool(turn["background"]),
        reports_ends=bool(turn["prompt_id"]) or view["session"]["counts"].get("turn_end", 0) > 0,
    )  # fmt: skip


def document(
    turn: RunningTurn | None, event: Doc, verdict: outcomes.InferredOutcome | prompts.PromptVerdict,
    words: str,
) -> Doc:  # fmt: skip
    """Return the feedback on a turn as it is stored."""
    doc: Doc = {
        "id": event["id"], "timestamp": event["ts"], "session_id": event["session_id"],
        "turn_id": turn["id"] if turn else "", "project_path": event.get("project", ""),
        "event_type": verdict.event_type, "feedback_category": verdict.category,
        "confidence": verdict.confidence, "reason": verdict.reason, "rule": verdict.rule,
        "user_message": words[:_MESSAGE], "event_id": event["id"],
    }  # fmt: skip
    if turn:
        doc.update(original_task=turns.task(turn)[:500], agent_used=turn["agent_used"])
        if turn["claim"]:
            doc["completion_claim"] = turn["claim"][:500]
    return doc
