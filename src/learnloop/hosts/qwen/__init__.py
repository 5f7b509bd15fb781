"""Qwen Code: hooks in `~/.qwen/settings.json`, as Claude Code has them."""

from learnloop.hosts.host import Host
from learnloop.hosts.qwen import qwen_chats

QWEN = Host(
    name="qwen",
    program="qwen",
    oldest=(0, 24, 0),
    settings="settings.json",
    transcripts=qwen_chats,
    matchers={"PreToolUse": "write_file|edit|run_shell_command", "Notification": "idle_prompt"},
    off=("settings.json", "disableAllHooks", True),
)
