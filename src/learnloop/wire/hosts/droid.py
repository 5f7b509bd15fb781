"""Factory droid: Claude Code's events and other tools; only calls that went through are reported."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Factory droid",
    "events": {
        "SessionStart": "SessionStart", "UserPromptSubmit": "UserPromptSubmit", "PreToolUse": "PreToolUse",
        "PostToolUse": "PostToolUse", "Stop": "Stop", "Notification": "Notification",
        "PreCompact": "PreCompact", "SessionEnd": "SessionEnd",
    },
    "notices": {"idle_prompt": "interrupted"},
    "fields": {},
    "tools": {
        "Create": ("Write", {}),
        "Edit": ("Edit", {"old_str": "old_string", "new_str": "new_string"}),
        "ApplyPatch": ("Edit", {"input": "patch"}),
        "Execute": ("Bash", {}),
        "Task": ("Agent", {}),
    },
    "machine": (),
    "caller": "calling_session_id",
    "told": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PostToolUse"),
    "stopped": ("PreToolUse", "Stop"),
    "answers": {
        "context": hosts.NESTED,
        "deny": hosts.DENIED,
        "again": {"decision": "block", "reason": hosts.TEXT},
        "message": {"systemMessage": hosts.TEXT},
    },
    "project": "FACTORY_PROJECT_DIR",
    "exit_code": "[Process exited with code ",
    "limits": (
        "A lesson about a call is told after the call, unless it stops the call.",
        "Answers, failures, refusals and what you type while it works count from the end of a turn, when "
        "the transcript is read.",
        "`droid exec` reports no prompt, so its prompt is told no lesson and comes from the transcript.",
    ),
}  # fmt: skip
