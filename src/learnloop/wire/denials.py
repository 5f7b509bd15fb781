"""Whether the client's transcript marks a tool call as refused by the person.

Only a hook that meets a result in the words of a refusal loads this, which is rare. The client alone writes
the fields that are read here, outside of what a tool may print.
"""

import posix
import time

from learnloop.wire import codec, regular

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from learnloop.wire.payload_fields import Payload

_TAIL = 1 << 18
_PATIENCE_S, _PAUSE_S = 0.2, 0.01
_UNTIL = time.monotonic() + _PATIENCE_S
"""So long a firing waits for all its lines: the client writes them while its hooks run."""
_BY_PERSON = "user-rejected"
_OLDER = "User rejected tool use"


def is_marked(payload: "Payload", call: "Payload") -> bool | None:
    """Whether the person refused a call; None where the transcript does not tell of it."""
    use_id = call.get("tool_use_id")
    if not isinstance(use_id, str) or not use_id:
        return None
    try:
        path = _transcript(payload)
        while (mark := _marked_in(path, use_id)) is None and time.monotonic() < _UNTIL:
            time.sleep(_PAUSE_S)
    except (OSError, ValueError):
        return None
    return mark


def _marked_in(path: str, use_id: str) -> bool | None:
    lines = regular.foreign(path, _tail).split(b"\n")
    name = use_id.encode("utf-8", "surrogatepass")
    marks = (_mark(line, use_id) for line in reversed(lines) if name in line)
    return next((mark for mark in marks if mark is not None), None)


def is_refusal(line: "Payload", part: "Payload") -> bool:
    """Whether a line of the transcript with a call's result says that the person refused the call."""
    by_person = line.get("toolDenialKind") == _BY_PERSON or line.get("toolUseResult") == _OLDER
    return part.get("is_error") is True and by_person


def _mark(raw: bytes, use_id: str) -> bool | None:
    try:
        line = codec.decode(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    message = line.get("message") if isinstance(line, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    for part in content if isinstance(content, list) else ():
        is_result = isinstance(part, dict) and part.get("type") == "tool_result"
        if is_result and part.get("tool_use_id") == use_id:
            return is_refusal(line, part)
    return None


def _transcript(payload: "Payload") -> str:
    """The transcript of the agent that made the call; raises ValueError where none is named."""
    path, agent = payload.get("transcript_path"), payload.get("agent_id")
    if not isinstance(path, str) or not path.endswith(".jsonl"):
        raise ValueError("no transcript")
    if isinstance(agent, str) and agent:
        if not agent.replace("-", "").replace("_", "").isalnum():
            raise ValueError("no agent")
        return f"{path[:-6]}/subagents/agent-{agent}.jsonl"
    return path


def _tail(path: str) -> bytes:
    fd = regular.opened(path)
    try:
        return posix.pread(fd, _TAIL, max(0, posix.fstat(fd).st_size - _TAIL))
    finally:
        posix.close(fd)
