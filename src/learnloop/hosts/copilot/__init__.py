"""Copilot CLI: hooks in a file of their own, `~/.copilot/hooks/learnloop.json`."""

from typing import Any

from learnloop.hosts.copilot import session_events
from learnloop.hosts.host import Host


def _handler(command: str, event: str) -> dict[str, Any]:
    """A command that never fails: where it does, Copilot denies the call that it asks about."""
    return {"type": "command", "bash": f"{command} {event} || :", "timeoutSec": 10}


COPILOT = Host(
    name="copilot",
    program="copilot",
    oldest=(1, 0, 100),
    settings="hooks/learnloop.json",
    transcripts=session_events,
    new='{\n  "version": 1\n}\n',
    handler=_handler,
)
