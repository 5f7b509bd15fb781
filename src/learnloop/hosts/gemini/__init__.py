"""Gemini CLI: hooks in `~/.gemini/settings.json`, with timeouts in milliseconds."""

from learnloop.hosts.gemini import chats
from learnloop.hosts.host import Host
from learnloop.wire.hosts.gemini import DESCRIPTION

_MATCHERS = {"BeforeTool": "write_file|replace|run_shell_command"}

GEMINI = Host(
    name="gemini",
    title=DESCRIPTION["title"],
    program="gemini",
    oldest=(0, 61, 0),
    settings="settings.json",
    events={event: _MATCHERS.get(event, "") for event in DESCRIPTION["events"]},
    transcripts=chats,
    off=("settings.json", "hooksConfig.enabled", False),
    timeout=10_000,
)
