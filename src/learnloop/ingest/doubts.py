"""Prompts that an agent may have typed: whose words they are is decided by what recorded them, and when."""

from typing import Any

from learnloop.ingest import agent_calls
from learnloop.learn.language import authorship
from learnloop.learn.language.authorship import Authorship
from learnloop.learn.lessons import claims

Doc = dict[str, Any]


def read(state: Doc, event: Doc, words: str) -> Authorship:
    """Whose the words of a prompt are; who steers types while a command runs, so that judges all the same."""
    authored, reason = authorship.read(words, event["payload"]), agent_calls.doubt(state, event)
    return Authorship(words, reason, authored.judges and reason == claims.BESIDE_CALL) if reason else authored


def is_doubted(state: Doc, event_id: str, ts: str) -> bool:
    """Whether a prompt was doubted, or is older than all that are remembered when they are too many."""
    doubted: Doc = agent_calls.of(state)["doubted"]
    return event_id in doubted or (len(doubted) >= agent_calls.DOUBTED and ts <= next(iter(doubted.values())))
