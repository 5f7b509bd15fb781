"""Cursor: hooks in `~/.cursor/hooks.json`, as https://cursor.com/docs/hooks has them; not run."""

from typing import Any

from learnloop.hosts.host import Host, NoTranscripts


def _handler(command: str, event: str) -> dict[str, Any]:
    matcher = {"matcher": "Shell|Write"} if event == "preToolUse" else {}
    return {"command": command, "timeout": 10, **matcher}


CURSOR = Host(
    name="cursor",
    program="cursor",
    oldest=(),
    settings="hooks.json",
    transcripts=NoTranscripts(),
    new='{\n  "version": 1\n}\n',
    handler=_handler,
    not_run=True,
)
