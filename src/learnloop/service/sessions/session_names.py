"""The task of each session, so that a person can find one among thousands."""

from typing import TYPE_CHECKING, NamedTuple

from learnloop.service.sessions import live_sessions, sessions

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

MOST = 5_000
"""Sessions that are searched, the newest ones."""


class SessionName(NamedTuple):
    """One session in a search."""

    id: str
    task: str
    """The last prompt; empty where none was recorded."""
    project: str
    branch: str
    host: str
    last_seen: str


def session_names(ws: "Workspace", now_ms: int) -> list[SessionName]:
    """The sessions, running ones first, then newest first."""
    from learnloop.wire import clock

    live = [
        SessionName(
            session.id,
            session.task,
            session.project,
            session.branch,
            session.host,
            clock.iso(session.last_ms),
        )
        for session in live_sessions.sessions(ws, now_ms)
    ]
    live_ids = {session.id for session in live}
    stored = [
        SessionName(
            id=session.id,
            task=session.recent_prompts[-1] if session.recent_prompts else "",
            project=session.project,
            branch=session.branch or "",
            host=session.host,
            last_seen=session.last_seen,
        )
        for session in sessions.sessions(ws, limit=MOST)
        if session.id not in live_ids
    ]
    return [*live, *stored][:MOST]
