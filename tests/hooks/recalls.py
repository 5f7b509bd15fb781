"""Lessons, and the moments of an agent at which they are recalled."""

import json
from typing import Any

from tests.hooks.agent import Agent

HEADING = "The user's standing instructions for this project, approved by them:"


def lesson(lesson_id: str, statement: str, **changes: Any) -> dict[str, Any]:
    triggers = {"file_patterns": ["*.py"], "action_keywords": ["deploy"], **changes.pop("triggers", {})}
    return {
        "id": lesson_id, "status": "active", "statement": statement, "scope": "global", "triggers": triggers,
        **changes,
    }  # fmt: skip


def said(out: bytes) -> list[str]:
    """The lines the model gets under the heading."""
    if not out:
        return []
    text: str = json.loads(out)["hookSpecificOutput"]["additionalContext"]
    first, *lines = text.split("\n")
    assert first == HEADING
    return lines


def edit(agent: Agent, name: str = "app.py", session: str = "s1", **fields: Any) -> list[str]:
    call = {"file_path": str(agent.project / name), "old_string": "a", "new_string": "b"}
    return said(
        agent.fire("PreToolUse", session, tool_name="Edit", tool_use_id="t1", tool_input=call, **fields)
    )


def run(agent: Agent, command: str, **fields: Any) -> list[str]:
    call = {"command": command}
    return said(agent.fire("PreToolUse", tool_name="Bash", tool_use_id="t1", tool_input=call, **fields))


def start(agent: Agent, source: str = "startup", session: str = "s1") -> list[str]:
    return said(agent.fire("SessionStart", session, source=source))


def receipts(agent: Agent) -> list[dict[str, Any]]:
    return [event for event in agent.events() if event["kind"] == "recall"]
