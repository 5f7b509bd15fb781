"""Gemini CLI: hooks in `~/.gemini/settings.json`, with timeouts in milliseconds."""

from learnloop.hosts.gemini import chats
from learnloop.hosts.host import Host

GEMINI = Host(
    name="gemini",
    program="gemini",
    oldest=(0, 61, 0),
    settings="settings.json",
    transcripts=chats,
    matchers={"BeforeTool": "write_file|replace|run_shell_command"},
    off=("settings.json", "hooksConfig.enabled", False),
    timeout=10_000,
)
