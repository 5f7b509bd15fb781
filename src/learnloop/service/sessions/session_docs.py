"""Sessions and the entries of their stories as JSON documents."""

from typing import Any

from learnloop.service.sessions import watching
from learnloop.service.sessions.watching import LiveSession, Subagent, TimelineEntry
from learnloop.wire import clock

now_ms = clock.now_ms
time = clock.iso


def document(one: LiveSession, now: int) -> dict[str, Any]:
    """A session as it is at a time."""
    times, todo = watching.latency(one), one.todo
    return {
        "id": one.id, "host": one.host, "project": one.project, "branch": one.branch or None,
        "transcript_path": one.transcript_path, "started": time(one.started_ms),
        "last_seen": time(one.last_ms), "ended": one.ended or None, "phase": watching.phase(one, now),
        "task": one.task, "asks": one.asks, "prompts": one.prompts, "events": one.events,
        "tools": {tool: {"calls": calls, "failed": failed} for tool, (calls, failed) in one.tools.items()},
        "refusals": one.refusals, "recalled": dict(one.told), "agents": [_helper(one) for one in one.helpers],
        "todo_snapshot": _todo(*todo) if todo else None,
        "hook_ms": {"p50": times[0], "p95": times[1]} if times else None,
    }  # fmt: skip


def _todo(done: int, total: int) -> dict[str, int]:
    return {"total": total, "completed": done, "pending": total - done}


def _helper(one: Subagent) -> dict[str, Any]:
    return {
        "id": one.id, "type": one.type, "parent": one.parent or None, "calls": one.calls,
        "failed": one.failures, "started": time(one.started_ms),
        "ended": time(one.ended_ms) if one.ended_ms else None,
    }  # fmt: skip


def entry(one: TimelineEntry) -> dict[str, Any]:
    """One line of a session's story."""
    return {
        "id": one.id, "ts": time(one.ms), "kind": one.kind, "words": one.words, "tool": one.tool,
        "agent": one.agent, "tool_use_id": one.mark, "machine": one.machine, "heard": one.heard,
        "lessons": [{"id": lesson.id, "score": lesson.score} for lesson in one.lessons],
    }  # fmt: skip
