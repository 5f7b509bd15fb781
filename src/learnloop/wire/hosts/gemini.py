"""Gemini CLI: a prompt and its answer are those of an agent, and no event has an id."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Gemini CLI",
    "events": {
        "SessionStart": "SessionStart", "BeforeAgent": "UserPromptSubmit", "BeforeTool": "PreToolUse",
        "AfterTool": "PostToolUse", "AfterAgent": "Stop", "Notification": "Notification",
        "SessionEnd": "SessionEnd",
    },
    "notices": {"ToolPermission": "permission_prompt"},
    "fields": {"prompt_response": "last_assistant_message"},
    "tools": {
        "write_file": ("Write", {}),
        "replace": ("Edit", {}),
        "run_shell_command": ("Bash", {}),
        "read_file": ("Read", {}),
        "invoke_agent": ("Agent", {"agent_name": "subagent_type"}),
    },
    "added": ("<hook_context>", "</hook_context>"),
    "machine": (),
    "told": ("SessionStart", "UserPromptSubmit", "PostToolUse"),
    "stopped": ("PreToolUse", "Stop"),
    "answers": {
        "context": hosts.NESTED,
        "deny": {"decision": "deny", "reason": hosts.TEXT},
        "again": {"decision": "deny", "reason": hosts.TEXT},
        "message": {"systemMessage": hosts.TEXT},
    },
    "project": "GEMINI_PROJECT_DIR",
    "exit_code": "\nExit Code: ",
    "cancelled": "Command was cancelled by user",
    "print": ("-p", "--prompt"),
    "piped": ("--acp", "--experimental-acp"),
    "limits": (
        "A lesson about a call is told after the call, unless it stops the call.",
        "What a subagent does counts as done by the main agent.",
        "An answer that you cut off counts as cut off from the end of its turn, when the transcript is read.",
    ),
}  # fmt: skip
