"""Journal lines: which bytes are an event, and which are not."""

import json
from typing import Any

Record = dict[str, Any]
_NOTHING: Record = {}


def parse(line: bytes) -> Record | None:
    """The event that a line stands for; None for torn, foreign and otherwise broken lines."""
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if _is_event(value) else None


def _is_event(value: object) -> bool:
    """Whether a JSON value has what every reader of events relies on."""
    if not isinstance(value, dict):
        return False
    get = value.get
    event_id, ts, kind = get("id"), get("ts"), get("kind")
    if not (event_id and ts and kind):
        return False
    return (
        isinstance(event_id, str)
        and isinstance(ts, str)
        and isinstance(kind, str)
        and isinstance(get("session_id", ""), str)
        and isinstance(get("payload", _NOTHING), dict)
    )


def complete(data: bytes) -> tuple[list[bytes], bytes]:
    """The terminated lines of a file that may still be written to, blank ones left out, and its tail."""
    head, newline, tail = data.rpartition(b"\n")
    return [line for line in (head + newline).split(b"\n") if line], tail
