"""Every agent that Learnloop can be installed for, a row each."""

from pathlib import Path
from typing import Any

from learnloop.errors import Refused
from learnloop.hosts import (
    claude_transcripts,
    droid_sessions,
    gemini_chats,
    messages_files,
    qwen_chats,
    rollouts,
    session_events,
    session_store,
)
from learnloop.hosts.host import Host, NoTranscripts
from learnloop.wire import payload_fields, payloads

_VERSIONED = '{\n  "version": 1\n}\n'


def _copilot_handler(command: str, event: str) -> dict[str, Any]:
    """A command that never fails: where it does, Copilot denies the call that it asks about."""
    return {"type": "command", "bash": f"{command} {event} || :", "timeoutSec": 10}


def _cursor_handler(command: str, event: str) -> dict[str, Any]:
    matcher = {"matcher": "Shell|Write"} if event == "preToolUse" else {}
    return {"command": command, "timeout": 10, **matcher}


CLAUDE = Host(
    name="claude", program="claude", oldest=(2, 1, 118), settings="settings.json",
    local=".claude/settings.local.json", transcripts=claude_transcripts,
    matchers={"PreToolUse": "|".join(payload_fields.ASKED_TOOLS), "Notification": "|".join(payloads.NOTICES)},
    off=("settings.json", "disableAllHooks", True),
)  # fmt: skip
"""The host whose payloads all others are read as."""
CODEX = Host(
    name="codex", program="codex", oldest=(0, 148, 0), settings="hooks.json", transcripts=rollouts,
    matchers={"PreToolUse": "Bash|apply_patch"}, off=("config.toml", "features.hooks", False),
    approval='start codex in a terminal once and answer "Hooks need review" with "Trust all and continue"',
)  # fmt: skip
"""It runs hooks once the person has reviewed them."""
GEMINI = Host(
    name="gemini", program="gemini", oldest=(0, 61, 0), settings="settings.json", transcripts=gemini_chats,
    matchers={"BeforeTool": "write_file|replace|run_shell_command"},
    off=("settings.json", "hooksConfig.enabled", False), timeout=10_000,
)  # fmt: skip
"""Its timeouts are milliseconds."""
QWEN = Host(
    name="qwen", program="qwen", oldest=(0, 24, 0), settings="settings.json", transcripts=qwen_chats,
    matchers={"PreToolUse": "write_file|edit|run_shell_command", "Notification": "idle_prompt"},
    off=("settings.json", "disableAllHooks", True),
)  # fmt: skip
COPILOT = Host(
    name="copilot", program="copilot", oldest=(1, 0, 100), settings="hooks/learnloop.json",
    transcripts=session_events, new=_VERSIONED, handler=_copilot_handler,
)  # fmt: skip
DROID = Host(
    name="droid", program="droid", oldest=(0, 225, 0), settings="settings.json", shadowed_by="hooks.json",
    transcripts=droid_sessions, matchers={"PreToolUse": "Create|Edit|ApplyPatch|Execute"},
)  # fmt: skip
OPENCODE = Host(
    name="opencode", program="opencode", oldest=(1, 18, 0), settings="plugin/learnloop.js",
    transcripts=session_store, plugin=Path(__file__).with_name("opencode_plugin.js"),
    plugin_folders=("plugin", "plugins", ".opencode/plugin", ".opencode/plugins"),
)  # fmt: skip
CLINE = Host(
    name="cline", program="cline", oldest=(3, 0, 65), settings="plugins/learnloop.js",
    transcripts=messages_files, plugin=Path(__file__).with_name("cline_plugin.js"),
    plugin_folders=("plugins", ".cline/plugins"),
)  # fmt: skip
"""A plugin: its file hooks would never see a prompt."""
CURSOR = Host(
    name="cursor", program="cursor", oldest=(), settings="hooks.json", transcripts=NoTranscripts(),
    new=_VERSIONED, handler=_cursor_handler, not_run=True,
)  # fmt: skip
"""As https://cursor.com/docs/hooks has it."""
HOSTS = (CLAUDE, CODEX, GEMINI, QWEN, COPILOT, DROID, OPENCODE, CLINE, CURSOR)
"""Each reads its own transcripts; of two that could read a file, the later is asked first."""


def host(name: str) -> Host:
    """The host of a name; raises Refused for an unknown one."""
    by_name = {each.name: each for each in HOSTS}
    if name not in by_name:
        raise Refused(f"no hooks for {name!r}", f"known: {', '.join(by_name)}")
    return by_name[name]
