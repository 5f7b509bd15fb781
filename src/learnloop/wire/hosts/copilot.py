"""Copilot CLI: the command line names the event, and a subagent has an id in place of its session's."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Copilot CLI",
    "events": {
        "sessionStart": "SessionStart", "userPromptSubmitted": "UserPromptSubmit",
        "preToolUse": "PreToolUse", "postToolUse": "PostToolUse",
        "postToolUseFailure": "PostToolUseFailure", "subagentStart": "SubagentStart",
        "subagentStop": "SubagentStop", "agentStop": "Stop", "preCompact": "PreCompact",
        "sessionEnd": "SessionEnd",
    },
    "fields": {
        "sessionId": "session_id", "parentAgentId": "session_id", "agentId": "agent_id",
        "agentType": "agent_type", "transcriptPath": "transcript_path", "toolName": "tool_name",
        "toolArgs": "tool_input", "toolResult": "tool_response", "response": "last_assistant_message",
    },
    "tools": {
        "create": ("Write", {"path": "file_path", "file_text": "content"}),
        "edit": ("Edit", {"path": "file_path", "old_str": "old_string", "new_str": "new_string"}),
        "bash": ("Bash", {}),
        "view": ("Read", {"path": "file_path"}),
        "task": ("Agent", {"agent_type": "subagent_type"}),
    },
    "machine": ("agent_id",),
    "told": ("SessionStart", "UserPromptSubmit", "PreToolUse"),
    "stopped": ("PreToolUse", "Stop"),
    "answers": {
        "context": {"additionalContext": hosts.TEXT},
        "deny": {"permissionDecision": "deny", "permissionDecisionReason": hosts.TEXT},
        "again": {"decision": "block", "reason": hosts.TEXT},
    },
    "project": "COPILOT_PROJECT_DIR",
    "exit_code": "completed with exit code ",
    "print": ("-p", "--prompt"),
    "limits": (
        "Answers, refusals and what you type while it works count from the end of a turn, when the "
        "transcript is read.",
        "Hooks for Claude Code in a project stay silent in Copilot, which would run them too.",
        "Its hooks are the person's, so no folder has to be trusted for them.",
    ),
}  # fmt: skip
