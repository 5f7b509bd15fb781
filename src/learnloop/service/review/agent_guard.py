"""Verdicts inside an agent's session: only what the person typed there counts, not what the agent runs.

An agent's shell has `CLAUDECODE` and the session's id in its environment. A verdict from there is accepted
where the last prompt that the person typed in that session is the plugin's command for it and names the
lesson, as `/learn:promote ID`. Switches, settings and forgetting are always refused there, because they
change what is recalled as well. The hook records a prompt before the client expands its command. The guard
stops an agent that helps itself, not one that hides where it runs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from learnloop.errors import Refused
from learnloop.service.sessions import recent_events
from learnloop.service.workspace import Workspace
from learnloop.wire import env

INSIDE, SESSION = "CLAUDECODE", "CLAUDE_CODE_SESSION_ID"


def is_inside(ws: Workspace) -> bool:
    """Whether the command runs in an agent's shell."""
    return ws.by == "cli" and env.is_on(INSIDE)


def refuse(ws: Workspace, what: str) -> None:
    """Raises Refused in an agent's shell: only the person may do this."""
    if is_inside(ws):
        raise Refused(f"an agent cannot {what}", "run it in a terminal")


def check(ws: Workspace, action: str, ids: Sequence[str], args: Mapping[str, Any] | None = None) -> None:
    """Raises Refused where an agent gives a verdict that no person typed."""
    if is_inside(ws) and not is_typed(_last_prompt(ws.root), action, ids, args or {}):
        way_out = f"type /learn:{action} ID" if action in _ARGUMENTS else "run it in a terminal"
        raise Refused("an agent cannot give verdicts: this needs the person's own command", way_out)


def is_typed(prompt: str, action: str, ids: Sequence[str], args: Mapping[str, Any]) -> bool:
    """Whether a prompt is the command for this verdict, each lesson named by the beginning of its id.

    The verdict's argument, a statement or a rating, has to be in the prompt too.
    """
    name, *words = prompt.split() or [""]
    if name != f"/learn:{action}" or action not in _ARGUMENTS:
        return False
    named = [word for word in words if len(word) >= 4]
    argument = str(args.get(_ARGUMENTS[action], ""))
    is_argument_typed = argument == _DEFAULT_REASON or " ".join(argument.split()) in " ".join(words)
    return is_argument_typed and bool(ids) and all(any(map(lesson_id.startswith, named)) for lesson_id in ids)


_ARGUMENTS = {"promote": "statement", "archive": "reason", "rate": "verdict"}
"""The verdicts that the plugin has a command for, and the argument of each besides the lessons."""
_DEFAULT_REASON = "unused"
"""The reason for archiving where none is given."""


def _last_prompt(root: str) -> str:
    """The last prompt of the person in this session; empty where none was recorded."""
    session = env.get(SESSION)
    prompts = [
        (str(event["ts"]), str(event["payload"].get("prompt", "")))
        for event in (recent_events.recent(root) if session else ())
        if event["kind"] == "prompt" and event.get("session_id") == session
        and "payload" in event and not event["payload"].get("machine")
    ]  # fmt: skip
    return max(prompts, default=("", ""))[1]
