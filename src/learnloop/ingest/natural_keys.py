"""Natural keys: a second copy of the same happening (two hook sources, hook and transcript) is one event."""

import zlib
from typing import Any

from learnloop.ingest.running import SessionView
from learnloop.wire import clock

Doc = dict[str, Any]
Key = tuple[str, bool]
"""A name, and whether it lasts: a key made from a text is valid for 5 s."""

MOST_KEYS = 24
"""Keys that a session remembers; copies come close together."""
SAME_MS = 5000


def is_copy(view: SessionView, event: Doc) -> bool:
    """Whether the session already had this event from another source; remembers the event."""
    seen_at: dict[str, int] = view["keys"]
    ms = clock.parse_ms(event["ts"])
    left_by_copy, to_remember = natural_keys(event)
    copy = any(
        name in seen_at and (lasting or abs(ms - seen_at[name]) <= SAME_MS) for name, lasting in left_by_copy
    )
    for name, _ in to_remember:
        seen_at.pop(name, None)
        seen_at[name] = ms
    while len(seen_at) > MOST_KEYS:
        del seen_at[next(iter(seen_at))]
    return copy


def natural_keys(event: Doc) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """Return the keys that a copy of an event would have left, and those to remember the event by.

    An event is named by its own id if it has one, else by its text.
    Two equal texts are one event only if one of them came without an id; under two ids they were said twice.
    """
    kind, agent, payload = event["kind"], event.get("agent_id", ""), event["payload"]
    if kind == "recall":
        return (), ()
    tool_use = event.get("tool_use_id")
    if tool_use or (kind == "subagent_start" and agent):
        lasting = ((_hash(f"{kind}\0{agent}\0{tool_use}" if tool_use else f"{kind}\0{agent}"), True),)
        return lasting, lasting
    named = (payload.get(name) for name in ("prompt", "message", "command", "source", "file", "reason"))
    words = str(next(filter(None, named), ""))
    text = f"{kind}\0{agent}\0{payload.get('tool', '')}\0{words[:2000]}"
    without_id, with_any = (_hash(f"{text}\0-"), False), (_hash(f"{text}\0+"), False)
    if not (words or event.get("prompt_id")) and kind == "turn_end":  # nothing names it
        return (), ()
    if not (prompt_id := event.get("prompt_id")):
        return (without_id, with_any), (without_id,)
    own = (_hash(f"{text}\0{prompt_id}"), kind == "prompt")
    return (own, without_id), (own, with_any)


def _hash(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"
