"""Journal lines: which bytes are an event, and which are not."""

import json
from typing import Any

Record = dict[str, Any]
_NOTHING: Record = {}


def parse(line: bytes) -> Record | None:
    """The event of a line; None for torn, foreign and otherwise broken lines."""
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    get = value.get
    event_id, ts, kind = get("id"), get("ts"), get("kind")
    is_event = (
        event_id and isinstance(event_id, str) and ts and isinstance(ts, str)
        and kind and isinstance(kind, str)
        and isinstance(get("session_id", ""), str) and isinstance(get("payload", _NOTHING), dict)
    )  # fmt: skip
    return value if is_event else None


def complete(data: bytes) -> tuple[list[bytes], bytes]:
    """The terminated lines of a file that may still be written to, blank ones left out, and its tail."""
    head, newline, tail = data.rpartition(b"\n")
    return [line for line in (head + newline).split(b"\n") if line], tail
