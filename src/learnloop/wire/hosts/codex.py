"""Codex: Claude Code's events and shapes, but its own patches, and no exit codes."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Codex",
    "events": {
        "SessionStart": "SessionStart", "UserPromptSubmit": "UserPromptSubmit", "PreToolUse": "PreToolUse",
        "PermissionRequest": "Notification", "PostToolUse": "PostToolUse", "PreCompact": "PreCompact",
        "SubagentStart": "SubagentStart", "SubagentStop": "SubagentStop", "Stop": "Stop",
        "Interrupt": "Notification", "SessionEnd": "SessionEnd",
    },
    "notices": {"PermissionRequest": "permission_prompt", "Interrupt": "interrupted"},
    "fields": {"turn_id": "prompt_id"},
    "tools": {
        "apply_patch": ("Edit", {"command": "patch"}),
        "spawn_agent": ("Agent", {"message": "prompt", "agent_type": "subagent_type"}),
    },
    "machine": ("agent_id",),
    "told": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse"),
    "stopped": ("PreToolUse", "Stop", "SubagentStop"),
    "answers": {
        "context": {  # it stands behind the prompt, where models took such words for the task
            "hookSpecificOutput": {
                "hookEventName": hosts.EVENT,
                "additionalContext": f"Background, no task: {hosts.TEXT}",
            }
        },
        "deny": hosts.DENIED,
        "again": {"decision": "block", "reason": hosts.TEXT},
        "message": {"systemMessage": hosts.TEXT},
    },
    "print": ("exec", "e"),
    "limits": ("A failing command counts from the end of its turn, when the transcript is read.",),
}  # fmt: skip
