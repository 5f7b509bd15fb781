"""Verdicts inside an agent's session: only what the person typed there counts, not what the agent runs.

An agent's shell carries `CLAUDECODE` and the session's id. A verdict from there is taken where the last
prompt that the person typed in that session is the plugin's command for it, naming the lesson, as
`/learn:promote ID`.
The hook records a prompt before the client expands its command. It is a guard against an agent that helps
itself, not against one that hides where it runs.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.service import captured
from learnloop.wire import env

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

INSIDE, SESSION = "CLAUDECODE", "CLAUDE_CODE_SESSION_ID"


def is_inside(ws: "Workspace") -> bool:
    """Whether it is an agent's shell that asks."""
    return ws.by == "cli" and env.is_on(INSIDE)


def check(root: str, action: str, ids: Sequence[str]) -> None:
    """Raises Refused where an agent gives a verdict that no person typed."""
    if env.is_on(INSIDE) and not is_typed(_last_prompt(root, env.get(SESSION)), action, ids):
        way = (
            f"type /learn:{action} ID" if action in ("promote", "archive", "rate") else "run it in a terminal"
        )
        raise Refused("an agent cannot give verdicts: this needs the person's own command", f"{way}")


def is_typed(prompt: str, action: str, ids: Sequence[str]) -> bool:
    """Whether a prompt is the command for this verdict, each lesson named by the beginning of its id."""
    name, *words = prompt.split() or [""]
    named = [word for word in words if len(word) >= 4]
    return name == f"/learn:{action}" and bool(ids) and all(any(map(one.startswith, named)) for one in ids)


def _last_prompt(root: str, session: str) -> str:
    """What the person typed last in a session; nothing where it was never seen."""
    events: Iterable[dict[str, Any]] = captured.recent(root) if session else ()
    mine = [
        (str(one["ts"]), str(one["payload"].get("prompt", "")))
        for one in events
        if one.get("kind") == "prompt" and one.get("session_id") == session
        and isinstance(one.get("payload"), dict) and not one["payload"].get("machine")
    ]  # fmt: skip
    return max(mine, default=("", ""))[1]
