"""OpenCode: no commands as hooks; our plugin hands its events on, under the names that stand here."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "OpenCode",
    "events": {
        "session.created": "SessionStart", "chat.message": "UserPromptSubmit",
        "tool.execute.before": "PreToolUse", "permission.asked": "Notification",
        "permission.rejected": "Notification", "tool.execute.after": "PostToolUse",
        "tool.failed": "PostToolUseFailure", "subagent.created": "SubagentStart",
        "subagent.idle": "SubagentStop", "session.idle": "Stop", "session.aborted": "Notification",
        "session.error": "StopFailure", "session.compacted": "PreCompact",
    },
    "notices": {
        "permission.asked": "permission_prompt",
        "permission.rejected": "interrupted",
        "session.aborted": "interrupted",
    },
    "fields": {},
    "tools": {
        "write": ("Write", {"filePath": "file_path"}),
        "edit": ("Edit", {"filePath": "file_path", "oldString": "old_string", "newString": "new_string"}),
        "apply_patch": ("Edit", {"patchText": "patch"}),
        "bash": ("Bash", {}),
        "read": ("Read", {"filePath": "file_path"}),
        "task": ("Agent", {}),
    },
    "machine": (),
    "told": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PostToolUse"),
    "stopped": ("PreToolUse",),
    "answers": {"context": {"context": hosts.TEXT}, "deny": {"deny": hosts.TEXT}},
    "print": ("run",),
    "limits": (
        "A plugin in JavaScript hands the events on; OpenCode asks nobody before it loads one.",
        "A lesson about a call is told after the call, unless it stops the call.",
        "A call that fails without an exit code is not reported to plugins.",
        "All old sessions are in one file; learn backfill takes each for the project that it began in.",
    ),
}  # fmt: skip
