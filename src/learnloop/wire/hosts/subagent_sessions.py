"""Subagents that are sessions of their own: what they do counts to the session that called them.

Only their start names that session, and only their task names their type; a hook remembers both.
"""

from learnloop.wire import payloads, session_recalls

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.payload_fields import Payload

_TASK, _TYPE = "# Task Tool Invocation\n", "\nSubagent type: "
_UNNAMED = "subagent"


def type_of(task: str) -> str:
    """The type of subagent that a task is for; nothing where a person typed it."""
    if not task.startswith(_TASK):
        return ""
    kind = payloads.named(task.partition(_TYPE)[2].partition("\n")[0].strip())
    return kind if session_recalls.is_safe(kind) else _UNNAMED


def joined(root: str, payload: "Payload", field: str) -> "Payload":
    """The payload as one of the session that called its own; as it is where none did, or a person types."""
    session, prompt, caller = payload.get("session_id"), payload.get("prompt"), payload.get(field)
    if not isinstance(session, str):
        return payload
    if isinstance(caller, str):
        session_recalls.SessionRecalls(root, session).keep_caller(payloads.named(caller), _UNNAMED)
    caller, kind = session_recalls.caller(root, session)
    task = type_of(prompt) if isinstance(prompt, str) else kind
    if not caller or not task:
        return payload
    if task != kind:
        session_recalls.SessionRecalls(root, session).keep_caller(caller, task)
    path = str(payload.get("transcript_path", "")).replace(session, caller)
    ids = {"session_id": caller, "agent_id": session, "agent_type": task, "transcript_path": path}
    return {**payload, **ids}
