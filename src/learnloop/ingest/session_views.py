"""The views of running sessions in ingest's state: bounded, plain JSON.

`open` holds the newest 40 sessions with their last turn, each as a text that is decoded only when one of its
events comes. Sessions that are idle for a day, or beyond the newest 40, are `dormant`: the state names the
last turn of the newest 500, and they are revived from their documents.
"""

from collections.abc import Callable
from typing import Any, cast

from learnloop.ingest import agents, task_traces
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.learn.hear.version import DETECTOR
from learnloop.wire import clock, codec

Doc = dict[str, Any]

MOST_OPEN = 40
MOST_DORMANT = 500
IDLE_MS = 24 * 3600 * 1000
_MOST_AGENTS = 50
_EARLIER = "#earlier"
"""Ends the name of a view of the time before hooks were there, which has no document of its own."""
AT_REST = "_view"
"""Under this name a session's document keeps the view of a session at rest."""
_TS = 24
"""A view's text begins with the time of its last event, so that the idle ones are found without reading."""


def fresh() -> Doc:
    """The state before the first event."""
    return {"open": {}, "dormant": {}, "detector": DETECTOR}


def key_of(event: Doc) -> str:
    """The name of an event's session in the state."""
    return f"{event['host']}/{event['session_id']}"


def has_document(key: str) -> bool:
    """Whether the session of that name has a document."""
    return not key.endswith(_EARLIER)


class Views:
    """The sessions' views while events are taken in."""

    def __init__(self, state: Doc) -> None:
        self._state = state
        self._open: dict[str, str] = state["open"]
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
            view = self.touched[key] = _view(session, is_read=bool(event.get("source")))
        return view

    def known(self, event: Doc) -> SessionView | None:
        """Return the view that an event belongs to, if there is one."""
        return self._find(key_of(event))

    def _find(self, key: str) -> SessionView | None:
        view = self.touched.get(key)
        if view is None and key in self._open:
            view = self.touched[key] = _decode(self._open[key])
            _with_shares(view["turn"])
        return view

    def close(self) -> list[Doc]:
        """Put the views back into the state, those to rest that are idle for a day or beyond the newest.

        Returns the session documents of the latter: what is at rest is kept in them.
        """
        rested = []
        for key, view in self.touched.items():
            self._open.pop(key, None)
            self._open[key] = view["session"]["last_seen"] + codec.encode(view)
        order = sorted(self._open, key=lambda key: self._open[key][:_TS])
        limit = clock.parse_ms(self._open[order[-1]][:_TS]) - IDLE_MS if order else 0
        for position, key in enumerate(order):
            if position >= len(order) - MOST_OPEN and clock.parse_ms(self._open[key][:_TS]) >= limit:
                break
            view = _decode(self._open.pop(key))
            if has_document(key):
                rested.append(self._rest(key, view))
        return rested

    def _rest(self, key: str, view: SessionView) -> Doc:
        """Keep only the turn of a view; the rest is stored in its session's document."""
        turn = view["turn"]["id"] if view["turn"] else ""
        dormant: dict[str, str] = self._state["dormant"]
        source, last_seen = "read" if view["read"] else "", view["session"]["last_seen"]
        dormant[key] = f"{turn} {view['prompts']} {source} {last_seen}"
        while len(dormant) > MOST_DORMANT:
            del dormant[next(iter(dormant))]
        rest = {name: value for name, value in view.items() if name != "session"}
        return {**view["session"], AT_REST: codec.encode(rest)}


def _decode(text: str) -> SessionView:
    return cast("SessionView", codec.decode(text[_TS:]))


def _with_shares(turn: RunningTurn | None) -> None:
    """Add the shares that a turn was counted as, if its state is older than the agents' tallies."""
    if turn is not None:
        turn.setdefault("_shares", agents.shares(turn))


def _view(session: Doc, *, is_read: bool) -> SessionView:
    return {"session": session, "turn": None, "prompts": 0, "keys": {}, "told": [], "read": is_read}


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


Read = Callable[[str, str], Doc | None]
"""Returns a stored document by kind and id."""


def revive(state: Doc, events: list[Doc], read: Read) -> None:
    """Bring the dormant sessions of some events back from their documents."""
    dormant = state["dormant"]
    if dormant:
        for key in dict.fromkeys(map(key_of, events)):
            if key in dormant:
                _revive(state, key, read)


def _revive(state: Doc, key: str, read: Read) -> None:
    """Bring a session back as it was put to rest.

    If its document was written again since, by an ingest that was cut off, its view is made from documents.
    """
    turn_id, prompts, source, last_seen = state["dormant"].pop(key).split(" ")[-4:]
    session = read("sessions", key.partition("/")[2])
    if session is None:
        return
    stored_view = session.pop(AT_REST, None)
    if stored_view is not None and last_seen == session["last_seen"]:
        view = cast("SessionView", {"session": session, **codec.decode(stored_view)})
    else:
        view = _view(session, is_read=bool(source))
        view["prompts"] = int(prompts)
        doc = read("turns", turn_id) if turn_id else None
        if doc is not None:
            private = {"_writers": {}, "_failed": [], "_judged": bool(doc.get("ended"))}
            turn = view["turn"] = cast("RunningTurn", {**doc, **private})
            task_traces.revive(turn, read(task_traces.TABLE, turn_id))
            _with_shares(view["turn"])
    state["open"][key] = session["last_seen"] + codec.encode(view)
