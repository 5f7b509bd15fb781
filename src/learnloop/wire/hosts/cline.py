"""Cline: its file hooks never have the prompt; our plugin hands its events on, under names of ours."""

from learnloop.wire import hosts

DESCRIPTION: "hosts.Description" = {
    "title": "Cline",
    "events": {
        "sessionStart": "SessionStart", "beforeRun": "UserPromptSubmit", "beforeTool": "PreToolUse",
        "afterTool": "PostToolUse", "toolFailed": "PostToolUseFailure", "subagentStart": "SubagentStart",
        "subagentEnd": "SubagentStop", "afterRun": "Stop", "runAborted": "Notification",
        "runFailed": "StopFailure",
    },
    "notices": {"runAborted": "interrupted"},
    "fields": {},
    "tools": {
        "editor": ("Edit", {"path": "file_path", "old_text": "old_string", "new_text": "new_string"}),
        "apply_patch": ("Edit", {"input": "patch"}),
        "run_commands": ("Bash", {}),
        "read_files": ("Read", {}),
        "spawn_agent": ("Agent", {"task": "prompt"}),
    },
    "added": ("<hook_context", "</hook_context>"),
    "machine": (),
    "told": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse"),
    "stopped": ("PreToolUse",),
    "answers": {"context": {"context": hosts.TEXT}, "deny": {"deny": hosts.TEXT}},
    "print": ("--json",),
    "plugins": "plugin-sandbox-bootstrap.js",
    "limits": (
        "A plugin in JavaScript hands the events on; Cline asks nobody before it loads one.",
        "A new file counts as an edit of it, since one tool does both.",
    ),
}  # fmt: skip
