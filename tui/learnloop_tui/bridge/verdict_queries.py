"""Verdicts as a person gives them, written by the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from learnloop.service.workspace import Workspace
    from learnloop_tui.view.state import Verdict


class Offer(NamedTuple):
    """What else a lesson that was kept settled, and in which file it may stand too."""

    words: str


def _keep(ws: Workspace, ids: list[str], args: Mapping[str, Any]) -> Offer:
    """Keep drafts; what else that settles, and in which file it may stand too."""
    from learnloop.service.history import sentences
    from learnloop.service.patches import board
    from learnloop.service.profile import one_yes

    way, check = args.get("way"), args.get("check", ())
    decision = one_yes.promote(ws, ids, args.get("statement"), way=way, check=check)
    offered = board.offered(ws, decision.lesson_ids)
    return Offer(sentences.settled(decision) + (f". Also in {offered[1]}? a shows it" if offered else ""))


def write(ws: Workspace, verdict: Verdict) -> Offer | None:
    """Write a verdict down; raises LearnloopError where it is refused."""
    from learnloop.service.review import verdicts

    ids, args = list(verdict.ids), verdict.args
    match verdict.action:
        case "promote":
            return _keep(ws, ids, args)
        case "reject":
            verdicts.reject(ws, ids, args.get("reason", ""))
        case "archive":
            verdicts.archive(ws, ids, args.get("reason", "unused"))
        case "restore":
            verdicts.restore(ws, ids)
        case "edit":
            verdicts.edit(ws, ids[0], dict(args))
        case "bind":
            verdicts.bind(ws, ids[0], args["way"], args.get("check", ()))
        case "scope":
            verdicts.set_scope(ws, ids, args["scope"], project=args.get("project"))
        case "pause" | "resume":
            verdicts.pause(ws, ids, verdict.action == "pause")
        case "rate":
            verdicts.rate(ws, ids, args["verdict"])
        case "keep":
            verdicts.keep(ws, ids)
        case "merge":
            verdicts.merge(ws, args["keep"], [name for name in ids if name != args["keep"]])
        case "replace":
            verdicts.replace(ws, ids[0], ids[1], args.get("statement"))
        case "confirm" | "dismiss" | "resolve":
            _write_belief(ws, verdict)
        case action if action == "hold_out" or action.startswith("experiment_"):
            from learnloop_tui.bridge import experiment_queries

            experiment_queries.write(ws, verdict)
        case "memory_mark" | "priming":
            _write_memory(ws, verdict)
        case _:
            raise ValueError(verdict.action)
    return None


def _write_belief(ws: Workspace, verdict: Verdict) -> None:
    from learnloop.service.profile import belief_verdicts

    belief, args = verdict.ids[0], verdict.args
    if verdict.action == "resolve":
        belief_verdicts.resolve(ws, belief, args["keep"])
    elif verdict.action == "dismiss":
        belief_verdicts.dismiss(ws, belief)
    else:
        belief_verdicts.confirm(ws, belief, args.get("value"), args.get("statement"))


def _write_memory(ws: Workspace, verdict: Verdict) -> None:
    from learnloop_tui.bridge import memory_queries

    memory_queries.write(ws, verdict)
