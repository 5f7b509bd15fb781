"""Sessions by name: what each was about, so that one can be found among thousands."""

from typing import TYPE_CHECKING, NamedTuple

from learnloop.service.sessions import sessions, watching

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

MOST = 5_000
"""The newest sessions that are known by name."""


class SessionName(NamedTuple):
    """One session as a search finds it."""

    id: str
    task: str
    """What was asked of it last, as far as it is known."""
    project: str
    branch: str
    host: str
    last_seen: str


def session_names(ws: "Workspace", now_ms: int) -> list[SessionName]:
    """The sessions, running ones first, then newest first."""
    from learnloop.wire import clock

    live = [
        SessionName(one.id, one.task, one.project, one.branch, one.host, clock.iso(one.last_ms))
        for one in watching.sessions(ws, now_ms)
    ]
    known = {one.id for one in live}
    stored = [
        SessionName(
            one.id, one.recent_prompts[-1] if one.recent_prompts else "", one.project, one.branch or "",
            one.host, one.last_seen,
        )
        for one in sessions.sessions(ws, limit=MOST)
        if one.id not in known
    ]  # fmt: skip
    return [*live, *stored][:MOST]
