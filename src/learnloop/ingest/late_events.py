"""What a transcript says of a turn after hooks have reported it: an answer, a failure, an interruption."""

from typing import Any

from learnloop.ingest import task_traces, turns
from learnloop.ingest.running import RunningTurn, SessionView

Doc = dict[str, Any]


def turn_of(view: SessionView, event: Doc) -> RunningTurn | None:
    """Return the turn that an event names, while the session still has it."""
    late = event["payload"]["late"]
    every = (view["turn"], *view.get("left", ()))
    return next((turn for turn in every if turn and turn["id"] == late), None)


def take(view: SessionView, turn: RunningTurn, event: Doc) -> None:
    """Add a failure, an answer or an interruption to its turn."""
    kind = event["kind"]
    if kind == "tool_failed":
        turns.failed_late(turn, event)
        task_traces.fail_late(turn, event)
    elif kind == "turn_end":
        claim = turns.claimed(turn, event)
        completion = view["session"].get("pending_completion")
        if completion and turn is view["turn"]:
            completion["claim"] = claim[:500]
    elif kind == "notice":
        turns.end(turn, "interrupted", turn.get("ended") or event["ts"])
        turn["claim"] = ""
        if turn is view["turn"]:
            view["session"].pop("pending_completion", None)


def begins(turn: RunningTurn, words: str) -> bool:
    """Whether words began a turn whose prompt no hook reported; it has them then."""
    if turn["prompt"] or turn["steering"]:
        return False
    turn["prompt"] = turns.cut(words)
    return True


def is_known(turn: RunningTurn, words: str) -> bool:
    """Whether hooks reported the words."""
    return turns.cut(words) in (turn["prompt"], *turn["steering"])
