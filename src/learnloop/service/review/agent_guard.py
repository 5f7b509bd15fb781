"""Verdicts inside an agent's session: only what the person typed there counts, not what the agent runs.

An agent's shell carries `CLAUDECODE` and the session's id. A verdict from there is taken where the last
prompt that the person typed in that session is the plugin's command for it, naming the lesson, as
`/learn:promote ID`. Switches, settings and forgetting change what is recalled as well: refused there.
The hook records a prompt before the client expands its command. It is a guard against an agent that helps
itself, not against one that hides where it runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.service.sessions import recent_events
from learnloop.wire import env

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

INSIDE, SESSION = "CLAUDECODE", "CLAUDE_CODE_SESSION_ID"


def is_inside(ws: "Workspace") -> bool:
    """Whether it is an agent's shell that asks."""
    return ws.by == "cli" and env.is_on(INSIDE)


def refuse(ws: "Workspace", what: str) -> None:
    """Raises Refused where an agent's shell does what no command of the plugin does: a person's, always."""
    if is_inside(ws):
        raise Refused(f"an agent cannot {what}", "run it in a terminal")


def check(root: str, action: str, ids: Sequence[str], args: Mapping[str, Any] | None = None) -> None:
    """Raises Refused where an agent gives a verdict that no person typed."""
    if env.is_on(INSIDE) and not is_typed(_last_prompt(root, env.get(SESSION)), action, ids, args or {}):
        way = f"type /learn:{action} ID" if action in _BESIDES else "run it in a terminal"
        raise Refused("an agent cannot give verdicts: this needs the person's own command", f"{way}")


def is_typed(prompt: str, action: str, ids: Sequence[str], args: Mapping[str, Any]) -> bool:
    """Whether a prompt is the command for this verdict, each lesson named by the beginning of its id.

    What the verdict says besides, a statement or a rating, has to stand there too.
    """
    name, *words = prompt.split() or [""]
    if name != f"/learn:{action}" or action not in _BESIDES:
        return False
    named = [word for word in words if len(word) >= 4]
    said = str(args.get(_BESIDES[action], ""))
    is_said = said == _UNSAID or " ".join(said.split()) in " ".join(words)
    return is_said and bool(ids) and all(any(map(one.startswith, named)) for one in ids)


_BESIDES = {"promote": "statement", "archive": "reason", "rate": "verdict"}
"""The verdicts that the plugin has a command for, and what each says besides the lessons."""
_UNSAID = "unused"
"""The reason for archiving where none is given."""


def _last_prompt(root: str, session: str) -> str:
    """What the person typed last in a session; nothing where it was never seen."""
    events: Iterable[dict[str, Any]] = recent_events.recent(root) if session else ()
    mine = [
        (str(one["ts"]), str(one["payload"].get("prompt", "")))
        for one in events
        if one.get("kind") == "prompt" and one.get("session_id") == session
        and isinstance(one.get("payload"), dict) and not one["payload"].get("machine")
    ]  # fmt: skip
    return max(mine, default=("", ""))[1]
