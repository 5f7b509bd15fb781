"""Sessions and the entries of their timelines as JSON documents; docs/json.md describes their fields."""

from typing import Any

from learnloop.service.sessions import live_sessions
from learnloop.service.sessions.live_sessions import LiveSession, Subagent, TimelineEntry
from learnloop.wire import clock

now_ms = clock.now_ms
time = clock.iso


def document(session: LiveSession, now: int) -> dict[str, Any]:
    """A session as it is at a time, as `learn sessions --json` prints it."""
    times, (done, total) = live_sessions.latency(session), session.todo or (0, 0)
    todo = {"total": total, "completed": done, "pending": total - done} if session.todo else None
    return {
        "id": session.id, "host": session.host, "project": session.project, "branch": session.branch or None,
        "transcript_path": session.transcript_path, "started": time(session.started_ms),
        "last_seen": time(session.last_ms), "ended": session.ended or None,
        "phase": live_sessions.phase(session, now), "task": session.task, "asks": session.asks,
        "prompts": session.prompts, "events": session.events,
        "tools": {name: {"calls": calls, "failed": bad} for name, (calls, bad) in session.tools.items()},
        "refusals": session.refusals, "recalled": dict(session.recalls),
        "agents": [_subagent(subagent) for subagent in session.subagents],
        "todo_snapshot": todo,
        "hook_ms": {"p50": times[0], "p95": times[1]} if times else None,
    }  # fmt: skip


def _subagent(subagent: Subagent) -> dict[str, Any]:
    return {
        "id": subagent.id, "type": subagent.type, "parent": subagent.parent or None, "calls": subagent.calls,
        "failed": subagent.failures, "started": time(subagent.started_ms),
        "ended": time(subagent.ended_ms) if subagent.ended_ms else None,
    }  # fmt: skip


def entry(line: TimelineEntry) -> dict[str, Any]:
    """One entry of a session's timeline, as `learn sessions ID --json` prints it."""
    return {
        "id": line.id, "ts": time(line.ms), "kind": line.kind, "words": line.words, "tool": line.tool,
        "agent": line.agent, "tool_use_id": line.mark, "machine": line.machine, "heard": line.heard,
        "lessons": [{"id": lesson.id, "score": lesson.score} for lesson in line.lessons],
    }  # fmt: skip
