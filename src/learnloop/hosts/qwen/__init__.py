"""Qwen Code: hooks in `~/.qwen/settings.json`, as Claude Code has them."""

from learnloop.hosts.host import Host
from learnloop.hosts.qwen import qwen_chats
from learnloop.wire.hosts.qwen import DESCRIPTION

_MATCHERS = {"PreToolUse": "write_file|edit|run_shell_command", "Notification": "idle_prompt"}

QWEN = Host(
    name="qwen",
    title=DESCRIPTION["title"],
    program="qwen",
    oldest=(0, 24, 0),
    settings="settings.json",
    events={event: _MATCHERS.get(event, "") for event in DESCRIPTION["events"]},
    transcripts=qwen_chats,
    off=("settings.json", "disableAllHooks", True),
)
