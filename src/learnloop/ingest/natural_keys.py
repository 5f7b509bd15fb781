"""Natural keys: a second copy of the same happening (two hook sources, hook and transcript) is one event."""

import zlib
from typing import Any, NamedTuple

from learnloop.wire import clock

Doc = dict[str, Any]
Key = tuple[str, bool]
"""The name of a happening, and whether it stands for it for good: one made of a text lasts 5 s."""

MOST_KEYS = 24
"""Copies come close together: so many happenings of a session are remembered."""
SAME_MS = 5000


class Keys(NamedTuple):
    """Under which keys a copy of an event is looked for, and under which the event is remembered."""

    asked: tuple[Key, ...]
    kept: tuple[Key, ...]


def is_copy(view: Doc, event: Doc) -> bool:
    """Whether the session has seen this happening already, from another source; remembers it."""
    known: dict[str, int] = view["keys"]
    ms = clock.parse_ms(event["ts"])
    keys = natural_keys(event)
    copy = any(_is_known(known, key, ms) for key in keys.asked)
    for name, _ in keys.kept:
        known.pop(name, None)
        known[name] = ms
    while len(known) > MOST_KEYS:
        del known[next(iter(known))]
    return copy


def _is_known(known: dict[str, int], key: Key, ms: int) -> bool:
    name, lasting = key
    seen = known.get(name)
    return seen is not None and (lasting or abs(ms - seen) <= SAME_MS)


def natural_keys(event: Doc) -> Keys:
    """The keys of an event: by its own id where it has one, else by its text.

    A text stands for the same happening only where one of the two copies came without an id: the same words
    under two ids were said twice.
    """
    kind, agent, payload = event["kind"], event.get("agent_id", ""), event["payload"]
    if kind == "recall":
        return Keys((), ())
    if tool_use := event.get("tool_use_id"):
        return _same((_hash(f"{kind}\0{agent}\0{tool_use}"), True))
    if kind == "subagent_start" and agent:
        return _same((_hash(f"{kind}\0{agent}"), True))
    text = f"{kind}\0{agent}\0{payload.get('tool', '')}\0{_words(payload)[:2000]}"
    without_id, with_any = (_hash(f"{text}\0-"), False), (_hash(f"{text}\0+"), False)
    if not (prompt_id := event.get("prompt_id")):
        return Keys((without_id, with_any), (without_id,))
    own = (_hash(f"{text}\0{prompt_id}"), kind == "prompt")
    return Keys((own, without_id), (own, with_any))


def _same(key: Key) -> Keys:
    return Keys((key,), (key,))


def _words(payload: Doc) -> str:
    """What an event without a call is known by."""
    named = (payload.get(name) for name in ("prompt", "message", "command", "source", "file", "reason"))
    return str(next((value for value in named if value), ""))


def _hash(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"
