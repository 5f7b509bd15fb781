"""Prompts that an agent may have typed: whose words they are is decided by what recorded them, and when."""

from typing import Any

from learnloop.ingest import agent_calls
from learnloop.learn.language import authorship
from learnloop.learn.language.authorship import Authorship
from learnloop.learn.lessons import claims

Doc = dict[str, Any]
_TYPED, _CLIENTS, _DOUBTED = 40, 200, 500
_WORDS = 2_000


def read(state: Doc, event: Doc, words: str) -> Authorship:
    """Whose the words of a prompt are; who steers types while a command runs, so that judges all the same."""
    authored, reason = authorship.read(words, event["payload"]), _doubt(agent_calls.of(state), event)
    return Authorship(words, reason, authored.judges and reason == claims.BESIDE_CALL) if reason else authored


def is_doubted(state: Doc, event_id: str, ts: str) -> bool:
    """Whether a prompt was doubted, or is older than all that are remembered when they are too many."""
    doubted: Doc = agent_calls.of(state)["doubted"]
    return event_id in doubted or (len(doubted) >= _DOUBTED and ts <= next(iter(doubted.values())))


def _doubt(calls: Doc, event: Doc) -> str:
    """Why a prompt may be an agent's doing; of one that is not, its client is kept, and a verdict in it.

    One without a seal counts as long as no hook has sealed any: earlier versions did not.
    """
    session, payload, typed = event["session_id"], event["payload"], calls["typed"]
    is_sealed = "seal" in payload and not event.get("fault")
    starter: Doc = payload.get("starter", {}) if is_sealed else {}
    calls["sealed"] = calls.get("sealed") or is_sealed
    reason = claims.UNSEALED if event.get("fault") and calls["sealed"] else ""
    reason = reason or claims.of_prompt(event["ts"], starter, agent_calls.spans(calls))
    typed.pop(session, None)
    if reason:
        calls["doubted"][event["id"]] = event["ts"]
    elif (prompt := str(payload.get("prompt", ""))).startswith("/learn:"):
        typed[session] = prompt[:_WORDS]
    if not reason and "pid" in starter:
        calls["clients"][session] = starter["pid"]
    for name, most in (("typed", _TYPED), ("clients", _CLIENTS), ("doubted", _DOUBTED)):
        agent_calls.trim(calls[name], most)
    return reason
