"""The views of running sessions, one document each, of which the store keeps the newest.

A second copy of the same happening (two hook sources, hook and transcript) is one event, by its natural key.
What a transcript says of a turn after hooks have reported it (an answer, a failure, an interruption) is late.
"""

import zlib
from typing import Any, Protocol, cast

from learnloop.ingest import task_traces, turns
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.wire import clock

Doc = dict[str, Any]

_MOST_AGENTS = 50
_EARLIER = "#earlier"
"""Ends the name of a view of the time before hooks were there, which has no document of its own."""


class KeptViews(Protocol):
    """Where views are kept between segments, by the name of their session."""

    def get(self, doc_id: str) -> Doc | None:
        """A copy of a view, or None."""

    def put(self, doc_id: str, document: Doc) -> None:
        """Keep a view."""


def key_of(event: Doc) -> str:
    """The name of an event's session in the state."""
    return f"{event['host']}/{event['session_id']}"


def has_document(key: str) -> bool:
    """Whether the session of that name has a document."""
    return not key.endswith(_EARLIER)


class Views:
    """The sessions' views while the events of a segment are taken in."""

    def __init__(self, kept: KeptViews) -> None:
        self._kept = kept
        self.touched: dict[str, SessionView] = {}
        """Views that received events, by key."""

    def of(self, event: Doc) -> SessionView:
        """Return the view that an event belongs to, a new one if there is none.

        Events of a transcript from before the hooks were installed come late. They get a view of their own,
        without a document, so that they do not count as the latest events.
        """
        key = key_of(event)
        view = self._find(key)
        if view is not None and event.get("source") and not view["read"]:
            key += _EARLIER
            view = self._find(key)
        if view is None:
            session = {
                "id": event["session_id"], "host": event["host"], "project": event.get("project", ""),
                "cwd": event.get("cwd", ""), "transcript_path": event.get("transcript_path", ""),
                "started": event["ts"], "last_seen": event["ts"], "recent_prompts": [], "counts": {},
            }  # fmt: skip
            view = self.touched[key] = {
                "id": key, "last_seen": "", "session": session, "turn": None, "prompts": 0, "keys": {},
                "told": [], "read": bool(event.get("source")),
            }  # fmt: skip
        return view

    def known(self, event: Doc) -> SessionView | None:
        """Return the view that an event belongs to, if there is one."""
        return self._find(key_of(event))

    def _find(self, key: str) -> SessionView | None:
        if key not in self.touched and (kept := self._kept.get(key)) is not None:
            self.touched[key] = cast("SessionView", kept)
        return self.touched.get(key)

    def close(self) -> None:
        """Keep the views that received events."""
        for key, view in self.touched.items():
            view["last_seen"] = view["session"]["last_seen"]
            self._kept.put(key, cast("Doc", view))


def update(session: Doc, event: Doc) -> None:
    """Count an event in its session's document."""
    kind = event["kind"]
    session["last_seen"] = max(event["ts"], session["last_seen"])
    session["counts"][kind] = session["counts"].get(kind, 0) + 1
    for name in ("project", "transcript_path"):
        if not session[name] and event.get(name):
            session[name] = event[name]
    branch = event["payload"].get("branch")
    if branch and isinstance(branch, str):
        session["branch"] = branch


def is_new_agent(view: SessionView, event: Doc) -> bool:
    """Whether a subagent is seen for the first time; one without an id counts by its start."""
    agent_id, agent_ids = event.get("agent_id"), view.get("subagents", [])
    if not agent_id or agent_id in agent_ids:
        return not agent_id and bool(event["kind"] == "subagent_start")
    view["subagents"] = [*agent_ids, agent_id][-_MOST_AGENTS:]
    return True


def turn_of(view: SessionView, event: Doc) -> RunningTurn | None:
    """Return the turn that an event names, while the session still has it."""
    late = event["payload"]["late"]
    every = (view["turn"], *view.get("left", ()))
    return next((turn for turn in every if turn and turn["id"] == late), None)


def take(view: SessionView, turn: RunningTurn, event: Doc) -> None:
    """Add a failure, an answer or an interruption to its turn."""
    kind = event["kind"]
    if kind == "tool_failed":
        turns.failed_late(turn, event)
        task_traces.fail_late(turn, event)
    elif kind == "turn_end":
        claim = turns.claimed(turn, event)
        completion = view["session"].get("pending_completion")
        if completion and turn is view["turn"]:
            completion["claim"] = claim[:500]
    elif kind == "notice":
        turns.end(turn, "interrupted", turn.get("ended") or event["ts"])
        turn["claim"] = ""
        if turn is view["turn"]:
            view["session"].pop("pending_completion", None)


def begins(turn: RunningTurn, words: str) -> bool:
    """Whether words began a turn whose prompt no hook reported; it has them then."""
    if turn["prompt"] or turn["steering"]:
        return False
    turn["prompt"] = turns.cut(words)
    return True


def is_known(turn: RunningTurn, words: str) -> bool:
    """Whether hooks reported the words."""
    return turns.cut(words) in (turn["prompt"], *turn["steering"])


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
