"""The live state of sessions: `apply_event` folds one event into a session. Pure; does not load pydantic."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from learnloop.wire import clock

Event = Mapping[str, Any]
Phase = Literal["waiting", "tool", "working", "idle", "vanished", "interrupted", "finished"]
PHASES: tuple[Phase, ...] = ("waiting", "tool", "working", "idle", "vanished", "interrupted", "finished")
"""In the order of lists: sessions that wait for the person first, finished ones last."""
SILENT_MS = 30 * 60_000
"""A turn without an event for so long has vanished: the client was killed, or the machine slept."""
IDLE_MS = 12 * 3_600_000
"""The same limit for a session that waits for its next prompt."""
_OVER_MS = 24 * 3_600_000
"""After so long a session without an end is over: it was read from a transcript, or its client was closed."""
_STARTERS = ("Agent", "Task")
"""Tools that start a subagent."""
_OF_NO_SESSION = ("decision", "discovery", "facts", "hook_error")
_ASKS = ("permission_prompt", "agent_needs_input")
_TASK = 300
_FEW_WORDS = 4
_GOES_ON = re.compile(
    r"\W*(?:ok(?:ay)?|y[eu]p|yes|sure|thanks?|great|perfect|nice|good|cool|awesome|excellent|exactly|amazing"
    r"|lovely|(?:looks?|works?) (?:good|great|fine)|lgtm|proceed|continue|go (?:ahead|on|for)|do it)\b",
    re.I,
)
"""Praise or a go-ahead: with few words such a prompt names no session."""
_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Subagent:
    """A subagent of a session."""

    id: str
    type: str
    started_ms: int
    ended_ms: int = 0
    parent: str = ""
    """The id of the subagent that started it; empty if the session itself did."""
    calls: int = 0
    failures: int = 0


@dataclass(frozen=True)
class Call:
    """A tool call."""

    id: str
    tool: str
    target: str
    """The file or the command."""
    agent: str = ""


@dataclass(frozen=True)
class LiveSession:
    """The state of a session by its events."""

    id: str
    host: str = ""
    project: str = ""
    branch: str = ""
    transcript_path: str = ""
    started_ms: int = 0
    last_ms: int = 0
    ended: str = ""
    """The reason for its end; empty while it runs."""
    task: str = ""
    """The last prompt of a person that asks for something, cut; of those that do not, the first."""
    prompts: int = 0
    is_busy: bool = False
    """Whether a turn is running."""
    is_cut_off: bool = False
    """Whether the last turn was interrupted."""
    asks: str = ""
    """The question that the client waits for an answer to."""
    running: tuple[Call, ...] = ()
    tools: Mapping[str, tuple[int, int]] = field(default_factory=lambda: _NONE)
    """Calls and failures by tool."""
    calls: int = 0
    """Calls of all tools; of a session whose events were not read again, this alone is there."""
    refusals: int = 0
    todo: tuple[int, int] | None = None
    """The agent's task list: done, and all."""
    tasks: Mapping[str, bool] = field(default_factory=lambda: _NONE)
    """Tasks that the client reports one at a time: whether each is done."""
    subagents: tuple[Subagent, ...] = ()
    recalls: Mapping[str, int] = field(default_factory=lambda: _NONE)
    """Recalls by lesson."""
    events: int = 0
    hook_ms: tuple[float, ...] = ()
    """Milliseconds of the last hooks, at most `_MOST_HOOK_TIMES`."""


_MOST_HOOK_TIMES, _MOST_SUBAGENTS = 200, 50


def apply_event(before: LiveSession, event: Event) -> LiveSession:
    """The session after an event; events of an unknown kind only update its times."""
    ms = clock.parse_ms(event.get("ts"))
    payload = event.get("payload")
    took = event.get("hook_ms")
    seen = replace(
        before,
        host=before.host or str(event.get("host", "")),
        project=before.project or str(event.get("project", "")),
        transcript_path=before.transcript_path or str(event.get("transcript_path") or ""),
        started_ms=before.started_ms or ms, last_ms=max(before.last_ms, ms), events=before.events + 1,
    )  # fmt: skip
    if isinstance(took, int | float):
        seen = replace(seen, hook_ms=(*before.hook_ms, float(took))[-_MOST_HOOK_TIMES:])
    handle = _HANDLERS.get(str(event.get("kind", "")))
    return handle(seen, event, payload if isinstance(payload, dict) else {}) if handle else seen


def _session_started(session: LiveSession, _: Event, payload: Event) -> LiveSession:
    branch = payload.get("branch")
    goes_on = payload.get("source") == "compact"  # in the middle of a turn
    resumed = replace(
        session, ended="", asks="", running=(), is_busy=session.is_busy and goes_on, is_cut_off=False
    )
    return replace(resumed, branch=branch) if isinstance(branch, str) and branch else resumed


def _prompted(session: LiveSession, _: Event, payload: Event) -> LiveSession:
    words = payload.get("prompt")
    prompted = replace(session, ended="", is_busy=True, is_cut_off=False, asks="")
    if payload.get("machine") or not isinstance(words, str):
        return prompted
    return replace(prompted, task=task_of([session.task, words]), prompts=session.prompts + 1)


def task_of(prompts: Iterable[str]) -> str:
    """The last prompt that asks for something, on one line and cut; where none does, the first."""
    lines = [line for prompt in prompts if (line := " ".join(prompt[: 4 * _TASK].split())[:_TASK])]
    asking = (line for line in reversed(lines) if len(line.split()) > _FEW_WORDS or not _GOES_ON.match(line))
    return next(asking, next(iter(lines), ""))


def _tool_started(session: LiveSession, event: Event, payload: Event) -> LiveSession:
    target = str(payload.get("file") or payload.get("command") or "")
    call = Call(str(event.get("tool_use_id", "")), _tool(payload), target, str(event.get("agent_id", "")))
    others = tuple(running for running in session.running if running.id != call.id)
    return replace(session, is_busy=True, asks="", ended="", running=(*others, call)[-20:])


def _tool_failed(session: LiveSession, event: Event, payload: Event) -> LiveSession:
    counted = _tool_ended(session, event, payload, failures=1)
    if payload.get("interrupt"):
        return replace(counted, is_busy=False, is_cut_off=True, running=())
    return counted


def _refused(session: LiveSession, event: Event, payload: Event) -> LiveSession:
    """A refusal with words continues the turn; without words the client waits for the next prompt."""
    counted = _tool_ended(session, event, payload)
    goes_on = bool(payload.get("words"))
    running = counted.running if goes_on else ()
    return replace(
        counted, refusals=session.refusals + 1, is_cut_off=not goes_on, is_busy=goes_on, running=running
    )


def _tool_ended(session: LiveSession, event: Event, payload: Event, failures: int = 0) -> LiveSession:
    tool, agent = _tool(payload), str(event.get("agent_id", ""))
    calls, failed = session.tools.get(tool, (0, 0))
    tools = {**session.tools, tool: (calls + 1, failed + failures)}
    done = str(event.get("tool_use_id", ""))
    subagents = tuple(
        replace(each, calls=each.calls + 1, failures=each.failures + failures) if each.id == agent else each
        for each in session.subagents
    )
    if tool in _STARTERS and agent:
        subagents = _with_parent(subagents, agent, str(payload.get("agent_type") or ""))
    counted = replace(
        session, is_busy=True, asks="", ended="", tools=MappingProxyType(tools), calls=session.calls + 1,
        subagents=subagents,
        running=tuple(call for call in session.running if call.id != done),
    )  # fmt: skip
    return _with_tasks(counted, payload)


def _with_parent(subagents: tuple[Subagent, ...], parent: str, kind: str) -> tuple[Subagent, ...]:
    """Set the parent of a started subagent: the last one of its type that has none.

    A call that starts a subagent is reported only when that subagent is done.
    """
    started = next((subagent.started_ms for subagent in subagents if subagent.id == parent), None)
    for at in range(len(subagents) - 1, -1, -1):
        subagent = subagents[at]
        fits = subagent.type == kind and subagent.id != parent and not subagent.parent
        if started is not None and fits and subagent.started_ms >= started:
            return (*subagents[:at], replace(subagent, parent=parent), *subagents[at + 1 :])
    return subagents


def _with_tasks(session: LiveSession, payload: Event) -> LiveSession:
    todos, task = payload.get("todos"), payload.get("task")
    if isinstance(todos, dict):
        total, done = todos.get("total"), todos.get("completed")
        if isinstance(total, int) and isinstance(done, int):
            return replace(session, todo=(done, total))
    elif isinstance(task, dict) and task.get("id"):
        tasks = {**session.tasks, str(task["id"]): task.get("status") == "completed"}
        if task.get("status") == "deleted":
            del tasks[str(task["id"])]
        return replace(session, tasks=MappingProxyType(tasks), todo=(sum(tasks.values()), len(tasks)))
    return session


def _subagent_started(session: LiveSession, event: Event, _: Event) -> LiveSession:
    agent_id = str(event.get("agent_id", ""))
    if not agent_id or any(subagent.id == agent_id for subagent in session.subagents):
        return session
    calling = [call.agent for call in session.running if call.tool in _STARTERS]
    kind, parent = str(event.get("agent_type") or "subagent"), calling[-1] if calling else ""
    subagent = Subagent(agent_id, kind, session.last_ms, parent=parent)
    subagents = (*session.subagents, subagent)[-_MOST_SUBAGENTS:]
    return replace(session, is_busy=True, asks="", subagents=subagents)


def _subagent_ended(session: LiveSession, event: Event, _: Event) -> LiveSession:
    agent_id = str(event.get("agent_id", ""))
    subagents = tuple(
        replace(subagent, ended_ms=session.last_ms) if subagent.id == agent_id else subagent
        for subagent in session.subagents
    )
    return replace(session, subagents=subagents)


def _turn_ended(session: LiveSession, _: Event, __: Event) -> LiveSession:
    return replace(session, is_busy=False, is_cut_off=False, asks="", running=())


def _noticed(session: LiveSession, _: Event, payload: Event) -> LiveSession:
    kind = payload.get("type")
    if kind in _ASKS:
        return replace(session, asks=str(payload.get("message") or kind))
    if kind == "interrupted":
        return replace(session, is_busy=False, asks="", is_cut_off=True)
    return replace(session, is_busy=False, asks="") if kind == "idle_prompt" else session


def _recalled(session: LiveSession, _: Event, payload: Event) -> LiveSession:
    lessons = payload.get("lessons")
    recalls = dict(session.recalls)
    for lesson in lessons if isinstance(lessons, list) else ():
        if isinstance(lesson, dict) and isinstance(lesson.get("id"), str):
            recalls[lesson["id"]] = recalls.get(lesson["id"], 0) + 1
    return replace(session, recalls=MappingProxyType(recalls))


def _session_ended(session: LiveSession, _: Event, payload: Event) -> LiveSession:
    cut = session.is_cut_off or session.is_busy
    reason = str(payload.get("reason") or "over")
    return replace(session, ended=reason, is_busy=False, is_cut_off=cut, asks="", running=())


def _tool(payload: Event) -> str:
    return str(payload.get("tool") or "a tool")


_HANDLERS = {
    "session_start": _session_started, "prompt": _prompted, "tool_start": _tool_started,
    "tool_end": _tool_ended, "tool_failed": _tool_failed, "refusal": _refused,
    "subagent_start": _subagent_started, "subagent_end": _subagent_ended,
    "turn_end": _turn_ended, "turn_failed": _turn_ended, "notice": _noticed, "recall": _recalled,
    "session_end": _session_ended,
}  # fmt: skip
"""The function for each kind of event."""


def fold(sessions: Mapping[str, LiveSession], events: Iterable[Event]) -> dict[str, LiveSession]:
    """The sessions after more events; events without a session are ignored."""
    updated = dict(sessions)
    for event in events:
        session_id, kind = event.get("session_id"), event.get("kind")
        if session_id and isinstance(session_id, str) and kind not in _OF_NO_SESSION:
            updated[session_id] = apply_event(updated.get(session_id) or LiveSession(session_id), event)
    return updated


def phase(session: LiveSession, now_ms: int) -> Phase:
    """What a session is doing now, by its state and the time of its last event."""
    if session.ended:
        return "interrupted" if session.is_cut_off else "finished"
    silent = now_ms - session.last_ms
    if silent > _OVER_MS:
        return "interrupted" if session.is_cut_off else "finished"
    if silent > (SILENT_MS if session.is_busy and not session.asks else IDLE_MS):
        return "vanished"
    if session.asks:
        return "waiting"
    if session.is_busy:
        return "tool" if session.running else "working"
    return "interrupted" if session.is_cut_off else "idle"


def sort_sessions(sessions: Iterable[LiveSession], now_ms: int) -> list[LiveSession]:
    """Sort: waiting for the person, then working (both newest first), then the others by their last event.

    Waiting and working sessions are sorted by start time, so that busy rows keep their place.
    """
    groups: dict[Phase, int] = {"waiting": 0, "tool": 1, "working": 1}

    def key(session: LiveSession) -> tuple[int, int, str]:
        group = groups.get(phase(session, now_ms), 2)
        return group, -(session.last_ms if group == 2 else session.started_ms), session.id

    return sorted(sessions, key=key)
