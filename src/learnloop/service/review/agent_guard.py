"""Verdicts inside an agent's session: only what the person typed there counts, not what the agent runs.

`service.place` says whether a process runs below an agent. A verdict from there is accepted where the last
prompt that the person typed in that session is the plugin's command for exactly this verdict, as
`/learn:promote ID`. Whatever else changes what is recorded, recalled or handed on is refused there. The guard
stops an agent that helps itself; `learn.lessons.claims` holds what comes round it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from learnloop.errors import Refused
from learnloop.ingest import decided
from learnloop.learn.lessons import claims
from learnloop.service import event_log, place
from learnloop.service.sessions import recent_events
from learnloop.service.workspace import Workspace

_COMMANDS = ("promote", "archive", "rate")


def is_inside() -> bool:
    """Whether the command runs below an agent."""
    return bool(place.here().agent)


def refuse(what: str) -> None:
    """Raises Refused below an agent: only the person may do this."""
    if is_inside():
        raise Refused(f"an agent cannot {what}", "run it in a terminal")


def refuse_in_call(ws: Workspace, what: str) -> None:
    """Raises Refused during a command of an agent where nobody decides at a terminal of their own.

    What a person approved before, or upkeep does, is none of the command's.
    """
    asked = event_log.decision_record(ws.by, "patch", [], {})
    if reason := decided.claimed_now(ws.root, asked):
        raise Refused(f"nothing is {what}: {reason}", "run it in a terminal of your own")


def check(ws: Workspace, action: str, ids: Sequence[str], args: Mapping[str, Any] | None = None) -> None:
    """Raises Refused where an agent gives a verdict that no person typed."""
    here = place.here()
    if here.agent and not claims.is_typed(_last_prompt(ws.root, here.session), action, ids, args or {}):
        way_out = f"type /learn:{action} ID" if action in _COMMANDS else "run it in a terminal"
        raise Refused("an agent cannot give verdicts: this needs the person's own command", way_out)


def _last_prompt(root: str, session: str) -> str:
    """The last prompt of the person in this session; empty where none was recorded."""
    prompts = [
        (str(event["ts"]), str(event["payload"].get("prompt", "")))
        for event in (recent_events.recent(root) if session else ())
        if event["kind"] == "prompt" and event.get("session_id") == session
        and "payload" in event and not event["payload"].get("machine")
    ]  # fmt: skip
    return max(prompts, default=("", ""))[1]
