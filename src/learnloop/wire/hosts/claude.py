"""Claude Code, whose payloads all others are read as; its own hooks load no description."""

from learnloop.wire.hosts import DENIED, NESTED, TEXT

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.hosts import Description

_EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolBatch", "PostToolUseFailure", "SubagentStart",
    "SubagentStop", "Stop", "StopFailure", "Notification", "PreCompact", "SessionEnd",
)  # fmt: skip
DESCRIPTION: "Description" = {
    "title": "Claude Code",
    "events": dict(zip(_EVENTS, _EVENTS, strict=True)),
    "fields": {},
    "tools": {},
    "machine": (),
    "told": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse"),
    "stopped": ("PreToolUse", "Stop", "SubagentStop"),
    "answers": {
        "context": NESTED,
        "deny": DENIED,
        "again": {"decision": "block", "reason": TEXT},
        "message": {"systemMessage": TEXT},
    },
    "limits": (),
}
