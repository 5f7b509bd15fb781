"""Cursor, by https://cursor.com/docs/hooks alone: no test ran these hooks against the real program.

What that page does not say is left out: which agent a call is of, whether a prompt may be added to, and what
a transcript looks like. A hook that prints nothing lets a call pass, as "no output" is a failure there.
"""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Cursor (not run)",
    "events": {
        "sessionStart": "SessionStart",
        "beforeSubmitPrompt": "UserPromptSubmit",
        "preToolUse": "PreToolUse",
        "postToolUse": "PostToolUse",
        "postToolUseFailure": "PostToolUseFailure",
        "subagentStop": "SubagentStop",
        "afterAgentResponse": "Answer",
        "preCompact": "PreCompact",
        "stop": "Stop",
        "sessionEnd": "SessionEnd",
    },
    "variants": {
        "stop": ("status", {"aborted": "Notification", "error": "StopFailure"}),
        "postToolUseFailure": ("failure_type", {"permission_denied": ""}),
    },
    "notices": {"stop": "interrupted"},
    "fields": {
        "conversation_id": "session_id",
        "generation_id": "prompt_id",
        "tool_output": "tool_response",
        "error_message": "error",
        "subagent_id": "agent_id",
        "subagent_type": "agent_type",
        "summary": "last_assistant_message",
        "text": "last_assistant_message",
    },
    "tools": {"Shell": ("Bash", {}), "Write": ("Write", {}), "Task": ("Agent", {})},
    "machine": (),
    "told": ("SessionStart", "PostToolUse"),
    "stopped": ("PreToolUse", "Stop"),
    "answers": {
        "context": {"additional_context": hosts.TEXT},
        "deny": {"permission": "deny", "user_message": hosts.TEXT, "agent_message": hosts.TEXT},
        # Cursor submits it as the next prompt: such words are known as those of a hook, not a person's.
        "again": {"followup_message": f"Stop hook feedback: {hosts.TEXT}"},
    },
    "project": "CURSOR_PROJECT_DIR",
    "exit_code": '"exitCode":',
    "limits": (
        "**Not run**: it was built from Cursor's documents, and no test ran it against the real program.",
        "A lesson that only a prompt calls up is not told: a prompt takes no words.",
        "A lesson about a call is told after the call, unless it stops the call.",
        "A call that is denied is not recorded: the hook does not say whether you or another hook denied it.",
        "Others found that `cursor-agent -p` reports neither prompts nor answers nor ends of turns.",
        "Hooks for Claude Code stay silent in Cursor, which can run them too.",
        "Old sessions are not read, since the form of its transcripts is not documented.",
    ),
}
