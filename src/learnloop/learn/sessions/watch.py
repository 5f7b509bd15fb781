"""A session as it looks from outside while it runs: one pure step for each event. No pydantic here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from learnloop.wire import clock

Event = Mapping[str, Any]
Phase = Literal["waiting", "tool", "working", "idle", "vanished", "interrupted", "finished"]
PHASES: tuple[Phase, ...] = ("waiting", "tool", "working", "idle", "vanished", "interrupted", "finished")
"""In the order in which a person wants to see them: who waits for them first, what is over last."""
SILENT_MS = 30 * 60_000
"""A turn that nothing was heard of for so long has vanished: the client was killed, or the machine slept."""
IDLE_MS = 12 * 3_600_000
"""The same for a session that waits for its next prompt."""
_STARTERS = ("Agent", "Task")
"""The tools that start a subagent."""
_ASKS = ("permission_prompt", "agent_needs_input")
_TASK = 300
_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Subagent:
    """A subagent."""

    id: str
    type: str
    started_ms: int
    ended_ms: int = 0
    parent: str = ""
    """The subagent that started it; empty: the session itself."""
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
    """A session as far as its events tell."""

    id: str
    host: str = ""
    project: str = ""
    branch: str = ""
    transcript_path: str = ""
    started_ms: int = 0
    last_ms: int = 0
    ended: str = ""
    """Why it ended; empty while it goes on."""
    task: str = ""
    """The last prompt that a person typed."""
    prompts: int = 0
    is_busy: bool = False
    """A turn is running."""
    is_cut_off: bool = False
    """The last turn was interrupted."""
    asks: str = ""
    """What the client waits for the person with."""
    running: tuple[Call, ...] = ()
    tools: Mapping[str, tuple[int, int]] = field(default_factory=lambda: _NONE)
    """Calls and failures by tool."""
    refusals: int = 0
    todo: tuple[int, int] | None = None
    """Done, and all."""
    tasks: Mapping[str, bool] = field(default_factory=lambda: _NONE)
    """Tasks told one at a time: whether each is done."""
    helpers: tuple[Subagent, ...] = ()
    told: Mapping[str, int] = field(default_factory=lambda: _NONE)
    """How often each lesson was recalled."""
    events: int = 0
    hook_ms: tuple[float, ...] = ()
    """Of the last hooks, at most `_KEPT_MS`."""


_KEPT_MS, _KEPT_HELPERS = 200, 50


def apply_event(before: LiveSession, event: Event) -> LiveSession:
    """The session after an event."""
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
        seen = replace(seen, hook_ms=(*before.hook_ms, float(took))[-_KEPT_MS:])
    handle = _STEPS.get(str(event.get("kind", "")))
    return handle(seen, event, payload if isinstance(payload, dict) else {}) if handle else seen


def _started(one: LiveSession, _: Event, payload: Event) -> LiveSession:
    branch = payload.get("branch")
    goes_on = payload.get("source") == "compact"  # in the middle of a turn
    resumed = replace(one, ended="", asks="", running=(), is_busy=one.is_busy and goes_on, is_cut_off=False)
    return replace(resumed, branch=branch) if isinstance(branch, str) and branch else resumed


def _prompted(one: LiveSession, _: Event, payload: Event) -> LiveSession:
    words = payload.get("prompt")
    made = replace(one, ended="", is_busy=True, is_cut_off=False, asks="")
    if payload.get("machine") or not isinstance(words, str):
        return made
    return replace(made, task=" ".join(words[: 4 * _TASK].split())[:_TASK], prompts=one.prompts + 1)


def _calls(one: LiveSession, event: Event, payload: Event) -> LiveSession:
    call = Call(
        str(event.get("tool_use_id", "")), _tool(payload), _target(payload), str(event.get("agent_id", ""))
    )
    others = tuple(running for running in one.running if running.id != call.id)
    return replace(one, is_busy=True, asks="", ended="", running=(*others, call)[-20:])


def _called(one: LiveSession, event: Event, payload: Event) -> LiveSession:
    return _counted(one, event, payload, 0)


def _failed(one: LiveSession, event: Event, payload: Event) -> LiveSession:
    made = _counted(one, event, payload, 1)
    return replace(made, is_busy=False, is_cut_off=True, running=()) if payload.get("interrupt") else made


def _refused(one: LiveSession, event: Event, payload: Event) -> LiveSession:
    """Words tell the agent how to go on; without any the client stops and waits for the next prompt."""
    made = _counted(one, event, payload, 0)
    goes_on = bool(payload.get("words"))
    running = made.running if goes_on else ()
    return replace(made, refusals=one.refusals + 1, is_cut_off=not goes_on, is_busy=goes_on, running=running)


def _counted(one: LiveSession, event: Event, payload: Event, failures: int) -> LiveSession:
    tool, agent = _tool(payload), str(event.get("agent_id", ""))
    calls, failed = one.tools.get(tool, (0, 0))
    tools = {**one.tools, tool: (calls + 1, failed + failures)}
    done = str(event.get("tool_use_id", ""))
    helpers = tuple(_busier(helper, failures) if helper.id == agent else helper for helper in one.helpers)
    if tool in _STARTERS and agent:
        helpers = _grafted(helpers, agent, str(payload.get("agent_type") or ""))
    made = replace(
        one, is_busy=True, asks="", ended="", tools=MappingProxyType(tools), helpers=helpers,
        running=tuple(call for call in one.running if call.id != done),
    )  # fmt: skip
    return _todo(made, payload)


def _grafted(helpers: tuple[Subagent, ...], parent: str, kind: str) -> tuple[Subagent, ...]:
    """A subagent's call that starts another is told when that one is done: the last of its type."""
    started = next((helper.started_ms for helper in helpers if helper.id == parent), None)
    for at in range(len(helpers) - 1, -1, -1):
        one = helpers[at]
        fits = one.type == kind and one.id != parent and not one.parent
        if started is not None and fits and one.started_ms >= started:
            return (*helpers[:at], replace(one, parent=parent), *helpers[at + 1 :])
    return helpers


def _busier(helper: Subagent, failures: int) -> Subagent:
    return replace(helper, calls=helper.calls + 1, failures=helper.failures + failures)


def _todo(one: LiveSession, payload: Event) -> LiveSession:
    todos, task = payload.get("todos"), payload.get("task")
    if isinstance(todos, dict):
        total, done = todos.get("total"), todos.get("completed")
        return replace(one, todo=(done, total)) if isinstance(total, int) and isinstance(done, int) else one
    if isinstance(task, dict) and task.get("id"):
        tasks = {**one.tasks, str(task["id"]): task.get("status") == "completed"}
        if task.get("status") == "deleted":
            del tasks[str(task["id"])]
        return replace(one, tasks=MappingProxyType(tasks), todo=(sum(tasks.values()), len(tasks)))
    return one


def _helper_started(one: LiveSession, event: Event, _: Event) -> LiveSession:
    agent_id = str(event.get("agent_id", ""))
    if not agent_id or any(helper.id == agent_id for helper in one.helpers):
        return one
    calling = [call.agent for call in one.running if call.tool in _STARTERS]
    made = Subagent(
        agent_id,
        str(event.get("agent_type") or "subagent"),
        one.last_ms,
        parent=calling[-1] if calling else "",
    )
    return replace(one, is_busy=True, asks="", helpers=(*one.helpers, made)[-_KEPT_HELPERS:])


def _helper_ended(one: LiveSession, event: Event, _: Event) -> LiveSession:
    agent_id = str(event.get("agent_id", ""))
    helpers = tuple(
        replace(helper, ended_ms=one.last_ms) if helper.id == agent_id else helper for helper in one.helpers
    )
    return replace(one, helpers=helpers)


def _turn_ended(one: LiveSession, _: Event, __: Event) -> LiveSession:
    return replace(one, is_busy=False, is_cut_off=False, asks="", running=())


def _noticed(one: LiveSession, _: Event, payload: Event) -> LiveSession:
    kind = payload.get("type")
    if kind in _ASKS:
        return replace(one, asks=str(payload.get("message") or kind))
    return replace(one, is_busy=False, asks="") if kind == "idle_prompt" else one


def _recalled(one: LiveSession, _: Event, payload: Event) -> LiveSession:
    found = payload.get("lessons")
    told = dict(one.told)
    for lesson in found if isinstance(found, list) else ():
        if isinstance(lesson, dict) and isinstance(lesson.get("id"), str):
            told[lesson["id"]] = told.get(lesson["id"], 0) + 1
    return replace(one, told=MappingProxyType(told))


def _over(one: LiveSession, _: Event, payload: Event) -> LiveSession:
    cut = one.is_cut_off or one.is_busy
    return replace(
        one, ended=str(payload.get("reason") or "over"), is_busy=False, is_cut_off=cut, asks="", running=()
    )


def _tool(payload: Event) -> str:
    return str(payload.get("tool") or "a tool")


def _target(payload: Event) -> str:
    return str(payload.get("file") or payload.get("command") or "")


_STEPS = {
    "session_start": _started, "prompt": _prompted, "tool_start": _calls, "tool_end": _called,
    "tool_failed": _failed, "refusal": _refused, "subagent_start": _helper_started,
    "subagent_end": _helper_ended, "turn_end": _turn_ended, "turn_failed": _turn_ended, "notice": _noticed,
    "recall": _recalled, "session_end": _over,
}  # fmt: skip
"""What each kind of event changes; others only tell that the session is there."""


def fold(known: Mapping[str, LiveSession], events: Iterable[Event]) -> dict[str, LiveSession]:
    """The sessions after more events; what no session belongs to is left out."""
    found = dict(known)
    for event in events:
        session = event.get("session_id")
        if (
            isinstance(session, str)
            and session
            and event.get("kind") not in ("decision", "discovery", "hook_error")
        ):
            found[session] = apply_event(found.get(session) or LiveSession(session), event)
    return found


def phase(one: LiveSession, now_ms: int) -> Phase:
    """What a session is doing now, by what was heard of it and when."""
    if one.ended:
        return "interrupted" if one.is_cut_off else "finished"
    silent = now_ms - one.last_ms
    if silent > (SILENT_MS if one.is_busy and not one.asks else IDLE_MS):
        return "vanished"
    if one.asks:
        return "waiting"
    if one.is_busy:
        return "tool" if one.running else "working"
    return "interrupted" if one.is_cut_off else "idle"


def sort_sessions(found: Iterable[LiveSession], now_ms: int) -> list[LiveSession]:
    """Who waits for the person, who is at work (both: newest first, so that rows stand still), the others.

    The others stand in the order in which they were heard of last.
    """
    groups: dict[Phase, int] = {"waiting": 0, "tool": 1, "working": 1}

    def key(one: LiveSession) -> tuple[int, int, str]:
        group = groups.get(phase(one, now_ms), 2)
        return group, -(one.last_ms if group == 2 else one.started_ms), one.id

    return sorted(found, key=key)
