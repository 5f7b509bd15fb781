"""Events of one session, and the session that they make."""

from typing import Any

from learnloop.learn.sessions import watch
from learnloop.learn.sessions.watch import LiveSession
from learnloop.wire import clock

NOW = 1_790_000_000_000
Event = dict[str, Any]


def event(kind: str, at_s: float = 0, payload: Event | None = None, **more: Any) -> Event:
    ts = clock.iso(NOW - 60_000 + int(at_s * 1000))
    return {"id": f"{kind}{at_s}", "kind": kind, "ts": ts, "session_id": "s1", "host": "claude",
            "project": "/code/shop", "payload": payload or {}, "hook_ms": 20.0, **more}  # fmt: skip


def call(
    kind: str = "tool_start", at_s: float = 2, use: str = "t1", tool: str = "Bash", **more: Any
) -> Event:
    return event(
        kind, at_s, {"tool": tool, "command": "pytest -q", **more.pop("said", {})}, tool_use_id=use, **more
    )


def after(*events: Event) -> LiveSession:
    return watch.fold({}, events)["s1"]


PROMPT = event("prompt", 1, {"prompt": "fix  the\nbuild"})
