"""Moments at which a lesson may be recalled, and lessons as the index holds them."""

from typing import Any

from learnloop.wire import relevance

PROJECT = "/code/alpha"


def lesson(**changes: Any) -> dict[str, Any]:
    """A lesson as the index holds it, with nothing declared; each action keyword is enough by itself."""
    return {
        "telling": dict.fromkeys(changes.get("action", ()), relevance.ENOUGH),
        "id": "a", "short": "a", "text": "Black formats the code.", "priority": "MEDIUM", "tools": [],
        "files": [], "commands": [], "action": [], "context": [], "agents": [],
        "project": "", "path": "",
        **changes,
    }  # fmt: skip


def write(**changes: Any) -> dict[str, Any]:
    """The moment before a Write."""
    return {
        "moment": "tool", "tool": "Write", "file": f"{PROJECT}/src/app.py", "command": "",
        "words": "print the list", "project": PROJECT, "cwd": PROJECT, "agent": "main", **changes,
    }  # fmt: skip


def bash(command: str, **changes: Any) -> dict[str, Any]:
    """The moment before a Bash."""
    return write(tool="Bash", file="", command=command, words=command, **changes)


def prompt(words: str, **changes: Any) -> dict[str, Any]:
    """The moment of a prompt."""
    return write(moment="prompt", tool="", file="", words=words, **changes)
