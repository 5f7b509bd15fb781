"""What a model says that prompts say of the turns before them: it replaces what rules guessed.

The answer stands in the event of kind `facts`, so a new reading of history needs no call. A turn that is
still in the session's view is judged there; any other in its document.
"""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from learnloop.ingest import agents, facts_read, turns
from learnloop.ingest.effects import AgentRemarked, FactsRead, PromptJudged, RemarkWithdrawn, TallyChanged
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.learn.hear import outcomes
from learnloop.learn.hear.outcomes import InferredOutcome
from learnloop.models.fact import Judged

Doc = dict[str, Any]
_SURE = 0.9
_WEIGHT = -100
"""Added to the precedence of what a model says: no remark that rules find decides against it."""
_GUESS = "_guess"
"""In a stored turn, the fields that a model's verdict replaced."""
_FIELDS = ("outcome", "feedback_id", "inferred", "judged_by", "_rank")


def read(
    state: Doc, view: SessionView | None, event: Doc, changed: dict[str, RunningTurn]
) -> Iterator[FactsRead | PromptJudged]:
    """What is to be stored of an event of kind `facts`.

    Turns that the view of its session holds are judged at once; they are `changed` then.
    """
    facts = facts_read.read(state, event)
    if facts is None:
        return
    yield facts
    at_hand = [view["turn"], *view.get("left", ())] if view else []
    for judged in facts.judged:
        turn = next((turn for turn in at_hand if turn and turn["id"] == judged["turn_id"]), None)
        if turn is not None:
            turn.update(cast("RunningTurn", _changes(cast("Doc", turn), judged, facts.run["model"])))
            changed[turn["id"]] = turn
        yield PromptJudged(judged, facts.run["model"], turns.document(turn) if turn else None)


def in_store(turn: Doc, judged: Judged, model: str, *, is_done: bool) -> tuple[Doc, TallyChanged]:
    """A stored turn as it is judged, and what that changes in tallies; `is_done`: it is so already."""
    before = {**turn, **turn[_GUESS]} if is_done and _GUESS in turn else turn
    after = turn if is_done else {**turn, **_changes(turn, judged, model)}
    if not is_done and after != turn:
        after[_GUESS] = {name: turn.get(name) for name in _FIELDS}
    counted = agents.shares(before), agents.shares(after)
    return after, TallyChanged(turn["project"], turn["host"], turn["started"], *counted)


def feedback(stored: Doc | None, turn: Doc, judged: Judged, model: str) -> Doc | None:
    """The feedback that a prompt is, in place of the stored one; None where it says nothing of the turn."""
    verdict = _verdict(judged["says"], model)
    if verdict is None:
        is_kept = stored and (stored["event_type"] == "explicit_preference" or _stays(stored, judged["says"]))
        return stored if is_kept else None
    event = {
        "id": judged["event_id"], "ts": judged["ts"], "session_id": turn["session_id"],
        "project": turn["project"],
    }  # fmt: skip
    doc = turns.outcome_document(cast("RunningTurn", turn), event, verdict, judged["words"])
    return {**(stored or {}), **doc, "inferred": False, "probability": _SURE}


def remarked(before: Doc | None, after: Doc | None, host: str) -> AgentRemarked | RemarkWithdrawn | None:
    """What a verdict changes in the corrections that its agent was given."""
    remark = agents.remarked(after, host) if after else None
    was = agents.remarked(before, host) if before else None
    if was and not remark:
        return RemarkWithdrawn(was.agent, was.project, was.host, was.remark["id"])
    return remark


def _verdict(says: Iterable[str], model: str) -> InferredOutcome | None:
    """The strongest thing that a prompt says of the turn before it; None where it only goes on from there."""
    reason = f"{model} read: {', '.join(says)}"
    if "stopped" in says:
        return InferredOutcome("cancellation", "rejection", _SURE, "model", reason)
    if "corrects" in says:
        return InferredOutcome("revision", "correction", _SURE, "model", reason)
    return InferredOutcome("success", "praise", _SURE, "model", reason) if "approves" in says else None


def _changes(turn: Doc, judged: Judged, model: str) -> Doc:
    """What a prompt changes in the turn that it speaks of. A refused call is no guess and stays."""
    if turn["refusals"] and turn["outcome"] != "unknown":
        return {}
    verdict = _verdict(judged["says"], model)
    if verdict is None:
        is_settled = turn.get("judged_by") or turn["outcome"] == "unknown" or _stays(turn, judged["says"])
        return {} if is_settled else _fields("unknown", None, model, _WEIGHT)
    rank = outcomes.precedence("", verdict.category) + _WEIGHT
    if turn.get("judged_by") and turn.get("_rank", 0) < rank:
        return {}
    return _fields(verdict.event_type, judged["event_id"], model, rank)


def _fields(outcome: str, feedback_id: str | None, model: str, rank: int) -> Doc:
    return dict(zip(_FIELDS, (outcome, feedback_id, False, model, rank), strict=True))


def _stays(guess: Doc, says: Iterable[str]) -> bool:
    """Whether an outcome that nobody said may hold: the person went on to something else."""
    return bool(guess.get("inferred")) and "continues" not in says
