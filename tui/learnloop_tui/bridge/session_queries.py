"""Queries on one session: its story."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop_tui.bridge.live_events import LiveEvents

if TYPE_CHECKING:
    from learnloop.service.sessions.live_sessions import LiveSession, Story
    from learnloop.service.workspace import Workspace
    from learnloop_tui.bridge.protocol import Bridge


def read_story(ws: Workspace, session: LiveSession) -> Story:
    """What happened in a session."""
    from learnloop.service.sessions import live_sessions

    return live_sessions.story(ws, session.id, session.started_ms, session.last_ms)


async def story(bridge: Bridge, session: LiveSession) -> Story:
    """What happened in a session; the list of sessions learns from it too."""
    result = await bridge.long(read_story, session)
    if result.whole is not None:
        await bridge.live(LiveEvents.learn, result.whole)
    return result
