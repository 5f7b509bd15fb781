"""Claude Code, whose payloads all others are read as; its own hooks load no description."""

from learnloop.wire import hosts

_EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolBatch", "PostToolUseFailure", "SubagentStart",
    "SubagentStop", "Stop", "StopFailure", "Notification", "PreCompact", "SessionEnd",
)  # fmt: skip
DESCRIPTION: "hosts.Description" = {
    "title": "Claude Code",
    "events": dict(zip(_EVENTS, _EVENTS, strict=True)),
    "fields": {},
    "tools": {},
    "machine": (),
    "told": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse"),
    "stopped": ("PreToolUse", "Stop", "SubagentStop"),
    "answers": {
        "context": hosts.NESTED,
        "deny": hosts.DENIED,
        "again": {"decision": "block", "reason": hosts.TEXT},
        "message": {"systemMessage": hosts.TEXT},
    },
    "limits": (),
}
