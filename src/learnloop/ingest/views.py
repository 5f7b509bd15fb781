"""The running view of sessions that ingest keeps in its state: bounded, plain JSON.

`open` holds the sessions at work with their last turn; those idle for a day, or beyond the newest 64, keep
nothing but the places of their documents (`dormant`, the newest 1,000), from which they are brought back.
"""

import zlib
from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

Doc = dict[str, Any]

MOST_OPEN = 64
MOST_DORMANT = 1000
IDLE_MS = 24 * 3600 * 1000
SHARD = 250
"""Documents in a shard; the cost of a write does not grow with what is stored."""
MOST_DAYS = 400
MOST_KEYS = 64
SAME_MS = 5000
_EARLIER = "#earlier"
_EPOCH = "1970-01-01T00:00:00.000Z"


def fresh() -> Doc:
    """The state before the first event."""
    return {"open": {}, "dormant": {}, "shards": {}}


def key_of(event: Doc) -> str:
    """The name of an event's session in the state."""
    return f"{event['host']}/{event['session_id']}"


def view_of(state: Doc, event: Doc) -> Doc:
    """The view that an event belongs to, made where there is none.

    What a transcript tells of the time before hooks were there comes late: it gets a view of its own, so that
    it is not taken for what happened last. Such a view has no document of its session.
    """
    key = key_of(event)
    views: Doc = state["open"]
    found = views.get(key)
    if found is not None and event.get("source") and not found["read"]:
        key += _EARLIER
        found = views.get(key)
    if found is None:
        found = views[key] = _new_view(state, event)
        if key.endswith(_EARLIER):
            found["shard"] = ""
    return cast("Doc", found)


def _new_view(state: Doc, event: Doc) -> Doc:
    ts = event["ts"]
    return {
        "session": {
            "id": event["session_id"], "host": event["host"], "project": event.get("project", ""), "cwd": event.get("cwd", ""),
            "transcript_path": event.get("transcript_path", ""), "started": ts, "last_seen": ts, "recent_prompts": [], "counts": {},
        },
        "shard": shard(state, "sessions", ts), "turn": None, "prompts": 0, "keys": {}, "told": [], "read": bool(event.get("source")), "dirty": True,
    }  # fmt: skip


def shard(state: Doc, table: str, ts: str) -> str:
    """The shard that the next new document of a day goes to."""
    days = state["shards"].setdefault(table, {})
    place = days.get(ts[:10])
    if place is None:
        place = days[ts[:10]] = [1, 0]
        if len(days) > MOST_DAYS:
            del days[min(days)]
    if place[1] >= SHARD:
        place[0], place[1] = place[0] + 1, 0
    place[1] += 1
    return f"{table}/{ts[:10]}-{place[0]}"


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
    """The keys under which a second copy of an event is known; those by an id last, those by text 5 seconds."""
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


def millis(ts: str) -> int:
    """Milliseconds of one of our times; 0 for anything else."""
    try:
        return int(datetime.fromisoformat(ts).timestamp() * 1000)
    except ValueError:
        return 0


def revive(state: Doc, key: str, read: Callable[[str, str], Doc | None]) -> None:
    """Bring a dormant session back from its documents; `read(table, id)` gives a stored document."""
    session_shard, turn_shard, turn_id, prompts, read_from_transcript = state["dormant"].pop(key)
    session = read(session_shard, key.partition("/")[2])
    if session is None:
        return
    turn = read(turn_shard, turn_id) if turn_id else None
    if turn is not None:
        turn.update(_shard=turn_shard, _writers={}, _failed=[])
    state["open"][key] = {
        "session": session, "shard": session_shard, "turn": turn, "prompts": prompts, "keys": {}, "told": [],
        "read": read_from_transcript, "dirty": False,
    }  # fmt: skip


def settle(state: Doc) -> None:
    """Put sessions to rest that are idle for a day, and the longest idle beyond the newest 64."""
    views: Doc = state["open"]
    newest = max((view["session"]["last_seen"] for view in views.values()), default=_EPOCH)
    limit = millis(newest) - IDLE_MS
    order = sorted(views, key=lambda key: views[key]["session"]["last_seen"])
    excess = len(order) - MOST_OPEN
    for position, key in enumerate(order):
        if position >= excess and millis(views[key]["session"]["last_seen"]) >= limit:
            break
        view = views.pop(key)
        turn = view["turn"]
        state["dormant"][key] = [
            view["shard"],
            turn["_shard"] if turn else "",
            turn["id"] if turn else "",
            view["prompts"],
        ]
    while len(state["dormant"]) > MOST_DORMANT:
        del state["dormant"][next(iter(state["dormant"]))]
