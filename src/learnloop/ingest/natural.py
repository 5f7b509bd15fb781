"""Natural keys: a second copy of the same happening (two hook sources, hook and transcript) is one event."""

import zlib
from typing import Any

from learnloop.ingest.times import millis

Doc = dict[str, Any]

MOST_KEYS = 24
"""Copies come close together: so many happenings of a session are remembered."""
SAME_MS = 5000


def is_copy(view: Doc, event: Doc) -> bool:
    """Whether the session has seen this happening already, from another source; remembers it."""
    known: dict[str, int] = view["keys"]
    ms = millis(event["ts"])
    keys = natural_keys(event)
    copy = any(_is_known(known, key, ms, lasting) for key, lasting in keys)
    for key, _ in keys:
        known.pop(key, None)
        known[key] = ms
    while len(known) > MOST_KEYS:
        del known[next(iter(known))]
    return copy


def _is_known(known: dict[str, int], key: str, ms: int, lasting: bool) -> bool:
    seen = known.get(key)
    return seen is not None and (lasting or abs(ms - seen) <= SAME_MS)


def natural_keys(event: Doc) -> list[tuple[str, bool]]:
    """The keys under which a copy of an event is known, and whether for good: those by text last 5 s."""
    kind, get = event["kind"], event.get
    agent = get("agent_id", "")
    payload = event["payload"]
    if kind == "recall":
        return []
    if tool_use := get("tool_use_id"):
        return [(_hash(f"{kind}\0{agent}\0{tool_use}"), True)]
    if kind == "prompt":
        words = payload.get("prompt", "")[:2000]
        keys = [(_hash(f"prompt\0{words}"), False)]
        if prompt_id := get("prompt_id"):
            keys.append((_hash(f"prompt\0{prompt_id}\0{words}"), True))
        return keys
    if kind == "subagent_start" and agent:
        return [(_hash(f"{kind}\0{agent}"), True)]
    text = (
        payload.get("message")
        or payload.get("command")
        or payload.get("source")
        or payload.get("file")
        or payload.get("reason")
        or ""
    )
    return [(_hash(f"{kind}\0{agent}\0{payload.get('tool', '')}\0{str(text)[:2000]}"), False)]


def _hash(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"
