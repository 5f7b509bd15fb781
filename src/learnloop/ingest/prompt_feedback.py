"""A person's words become feedback on the turn before them, and what may be learned from it."""

from dataclasses import replace
from typing import Any

from learnloop.ingest import turn_outcome, turns
from learnloop.ingest.effects import FeedbackHeard
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.learn.hear import outcomes, prompts
from learnloop.learn.tasks import continuations

Doc = dict[str, Any]
APPROVAL = prompts.PromptVerdict("praise", 0.8, "begins with approval", "approval", "success")
"""What a prompt says that begins with approval, as `great, that works. commit it`."""


def detected(view: SessionView, words: str, *, steering: bool) -> prompts.Detection:
    """Return what the detector makes of a prompt after the last turn, or in the running one (`steering`)."""
    turn = view["turn"]
    context = prompts.Context(
        position=view["prompts"] or int(turn is not None),
        interrupted=turn is not None and _is_cut_off(turn),
        failed=turn is not None and turn["end"] == "failed",
        steering=steering,
        asked=turn is not None and not steering and turn["claim"].rstrip().endswith("?"),
        edited=turn is not None and bool(turn["files"]),
        previous=turns.task(turn)[:500] if turn else "",
    )
    return prompts.detect_feedback(words, context)


def from_prompt(
    view: SessionView, event: Doc, words: str, detection: prompts.Detection
) -> FeedbackHeard | None:
    """Return what a prompt says about the turn; None if it is no feedback."""
    turn = view["turn"]
    is_over = turn is not None and bool(turn.get("ended"))
    verdict = APPROVAL if is_over and _approves(words, detection.verdict) else detection.verdict
    if verdict is None:
        return None
    return _feedback(view, event, words, verdict, detection.feedback)


def _approves(words: str, verdict: prompts.PromptVerdict | None) -> bool:
    """Whether a prompt is approval for all that the detector makes of it; an order may follow."""
    is_revised = verdict is not None and verdict.event_type in ("revision", "cancellation")
    if verdict is not None and not is_revised:
        return False
    is_doubtful = is_revised and not continuations.only_approves(words) and outcomes.may_correct(words)
    return continuations.approves(words) and not is_doubtful


def _is_cut_off(turn: RunningTurn) -> bool:
    """Whether a turn was stopped. A client that gives prompts an id reports every other end."""
    is_left = turn["end"] == "unfinished" and turn["prompt_id"] and turn.get("ended")
    return turn["end"] == "interrupted" or bool(is_left)


def from_refusal(view: SessionView, event: Doc) -> FeedbackHeard | None:
    """Return what a refused call says about its turn; without words only the first one counts."""
    words = event["payload"].get("words", "")
    earlier = view["turn"]["refusals"][:-1] if view["turn"] else []
    if any(not words or other["words"] == words for other in earlier):
        return None
    verdict = prompts.judge_refusal(words)
    if not words.strip():  # only that it was stopped is known
        verdict = replace(verdict, confidence=outcomes.UNDONE_CONFIDENCE)
    return _feedback(view, event, words, verdict)


def _feedback(
    view: SessionView, event: Doc, words: str, verdict: prompts.PromptVerdict,
    probability: float = 1.0,
) -> FeedbackHeard:  # fmt: skip
    turn = view["turn"]
    doc = turn_outcome.document(turn, event, verdict, words)
    doc["probability"] = probability
    heard = FeedbackHeard(doc)
    if turn:
        turn_outcome.take(turn, heard)
    return heard
