"""Qwen Code: Claude Code's events, other tools, and a prompt event after each round of tools."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Qwen Code",
    "events": {
        "SessionStart": "SessionStart", "UserPromptSubmit": "UserPromptSubmit", "PreToolUse": "PreToolUse",
        "PermissionRequest": "Notification", "PostToolUse": "PostToolUse",
        "PostToolUseFailure": "PostToolUseFailure", "PostToolBatch": "Notification",
        "SubagentStart": "SubagentStart", "SubagentStop": "SubagentStop", "Stop": "Stop",
        "StopFailure": "StopFailure", "Notification": "Notification", "PreCompact": "PreCompact",
        "SessionEnd": "SessionEnd",
    },
    "notices": {"PermissionRequest": "permission_prompt", "idle_prompt": "idle_prompt"},
    "refused": "cancelled",
    "fields": {"tool_call_id": "tool_use_id"},
    "tools": {
        "write_file": ("Write", {}),
        "edit": ("Edit", {}),
        "run_shell_command": ("Bash", {}),
        "read_file": ("Read", {}),
        "agent": ("Agent", {}),
    },
    "added": ("<qwen:user-prompt-submit-context>", "</qwen:user-prompt-submit-context>"),
    "machine": ("agent_id",),
    "told": ("SessionStart", "UserPromptSubmit", "PostToolUse"),
    "stopped": ("PreToolUse", "Stop", "SubagentStop"),
    "answers": {
        "context": hosts.NESTED,
        "deny": {"decision": "block", "reason": hosts.TEXT},
        "again": {"decision": "block", "reason": hosts.TEXT},
        "message": {"systemMessage": hosts.TEXT},
    },
    "project": "QWEN_PROJECT_DIR",
    "print": ("-p", "--prompt"),
    "piped": ("--acp", "--experimental-acp"),
    "limits": (
        "A lesson about a call is told after the call, unless it stops the call.",
        "After Esc the prompt stands in the input line again, so the next one may begin with it.",
    ),
}  # fmt: skip
