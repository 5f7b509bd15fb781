"""Recall seen from outside: what an agent would be told at a moment and why, and publishing."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learnloop.recall.explain import Explained as Explained
    from learnloop.service.workspace import Workspace


def explain(
    ws: "Workspace",
    *,
    tool: str | None = None,
    file: str | None = None,
    command: str | None = None,
    prompt: str | None = None,
    agent: str | None = None,
    project: str | None = None,
) -> "list[Explained]":
    """Every lesson in use with every part of its score at a moment, best first; `told` says what is told.

    With a tool (or a file or a command, which imply one) it is the moment before that call, and `prompt` is
    what the person typed last; else it is the moment of the prompt. Verdicts that are not ingested yet count.
    """
    from learnloop.recall import explain as recall
    from learnloop.service import documents, known
    from learnloop.wire import clock, relevance

    tool = tool or ("Write" if file else "Bash" if command else None)
    moment: dict[str, Any] = {
        "moment": "tool" if tool else "prompt",
        "tool": tool or "",
        "file": file or "",
        "command": command or "",
        "words": "\n".join(filter(None, (file, command, prompt))),
        "project": project or "",
        "cwd": project or "",
        "agent": agent or "main",
    }
    budgets = {**ws.settings.budgets.model_dump(), "threshold": relevance.THRESHOLD}
    lessons = known.with_places(ws, documents.lessons(ws.root).values())
    return recall.explain(lessons, moment, budgets, clock.iso(clock.now_ms()))


def publish(ws: "Workspace", force: bool = False) -> int:
    """Bring the index that hooks read up to date; its generation. `force` takes changed settings along."""
    from learnloop.ingest import publish as publishing

    return publishing.publish(ws.root, force=force)
