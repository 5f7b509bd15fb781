"""What a turn adds to a task: steps, subagents' runs, time at work. A running turn holds it as `_trace`."""

import re
from collections.abc import Callable
from typing import Any

from learnloop.ingest.effects import SetAside, UpsertDocument
from learnloop.ingest.running import RunningTurn
from learnloop.learn.tasks import continuations, patterns
from learnloop.models.task import FIRST_STEPS, MOST_STEPS
from learnloop.wire import clock, codec

Doc = dict[str, Any]

TABLE = "traces"
KINDS = frozenset((
    "tool_end", "tool_failed", "refusal", "subagent_start", "subagent_end", "turn_end", "turn_failed",
))  # fmt: skip
"""The events that add something to a task."""
_MOST_RUNS, _MOST_VERSIONS, _MOST_TOPIC = 20, 10, 120
_TARGET, _ERROR = 160, 300
_NUMBER = re.compile(r"\d+(?:\.\d+)+")
_PAUSE_MS = 5 * 60 * 1000
_FIELDS = (
    "branch", "title", "attended", "prerequisites", "criteria", "error", "continues", "set_aside",
    "busy_ms", "calls", "steps", "versions",
)  # fmt: skip


def begin(turn: RunningTurn, event: Doc, prompt: str, session: Doc) -> SetAside | None:
    """Start a turn's trace with what its prompt asks for."""
    trace = turn["_trace"] = {
        "branch": session.get("branch", ""),
        "title": "", "prerequisites": [], "criteria": [], "error": "", "continues": "",
        "attended": _is_attended(turn, event), "set_aside": False, "runs": {}, "versions": [], **_work(event),
    }  # fmt: skip
    return _guarded(turn, event, lambda: trace.update(_asked(prompt))) if prompt else None


def _is_attended(turn: RunningTurn, event: Doc) -> bool:
    return (
        turn["origin"] == "human" and event.get("kind") == "prompt" and not event["payload"].get("headless")
    )


def _asked(prompt: str) -> Doc:
    request = continuations.request_of(prompt)
    return {
        "title": request.title, "prerequisites": [*request.prerequisites], "criteria": [*request.criteria],
    }  # fmt: skip


def _work(event: Doc) -> Doc:
    return {"busy_ms": 0, "calls": 0, "steps": [], "last": clock.parse_ms(event["ts"])}


def follow(turn: RunningTurn, before: RunningTurn | None) -> None:
    """Note that a turn only goes on with the one before it, or with what that one goes on with."""
    if before is not None:
        turn["_trace"]["continues"] = before["id"] if _is_task(before) else _trace(before)["continues"]


def go_on(turn: RunningTurn, before: RunningTurn | None, words: str, *, corrects: bool) -> None:
    """Note whether a person's prompt only goes on with the turn before it, which it may correct."""
    trace, topic = turn["_trace"], continuations.telling(words)
    if before is not None:
        asked = before["claim"].rstrip().endswith(("?", "？"))
        earlier = _trace(before).get("topic", [])
        if continuations.goes_on(words, answers=asked, corrects=corrects, topic=earlier):
            follow(turn, before)
            topic = [*dict.fromkeys((*earlier, *topic))][:_MOST_TOPIC]
    trace["topic"] = topic


def note(turn: RunningTurn, event: Doc) -> SetAside | None:
    """Add an event of `KINDS` to a turn; what raises is set aside, and its turn is not tried again."""
    return _guarded(turn, event, lambda: _take(turn, event))


def fail_late(turn: RunningTurn, event: Doc) -> None:
    """Note that the newest step like this call failed."""
    failed = _step("tool_failed", event["payload"])
    steps = _trace(turn)["steps"]
    for number in range(len(steps) - 1, -1, -1):
        if steps[number] == failed[:2]:
            steps[number] = failed
            return


def _guarded(turn: RunningTurn, event: Doc, take: Callable[[], None]) -> SetAside | None:
    trace = _trace(turn)
    if trace["set_aside"]:
        return None
    try:
        take()
    except Exception as error:  # one task must not stop the others
        trace["set_aside"] = True
        return SetAside(f"task {turn['id']}", codec.encode(event), f"{type(error).__name__} {error}")
    return None


def _trace(turn: RunningTurn) -> Doc:
    """The trace of a turn; one that began before there were traces gets one now."""
    if "_trace" not in turn:
        begin(turn, {"ts": turn["started"]}, turn["prompt"], {})
    return turn["_trace"]


def _take(turn: RunningTurn, event: Doc) -> None:
    trace, kind = _trace(turn), event["kind"]
    if kind == "turn_failed":
        payload = event["payload"]
        trace["error"] = str(payload.get("message") or payload.get("error") or "")[:_ERROR]
    work = _work_of(trace, event)
    if work is None:
        return
    now = clock.parse_ms(event["ts"])
    work["busy_ms"] += now - work["last"] if 0 < now - work["last"] <= _PAUSE_MS else 0
    work["last"] = now
    if kind == "subagent_end":
        work["ended"] = event["ts"]
    elif kind in ("tool_end", "tool_failed", "refusal"):
        is_repeated = kind != "tool_failed" and event.get("tool_use_id", "") in turn["_failed"]
        if not is_repeated:
            _add(work, _step(kind, event["payload"]))
        if version := _version(event["payload"]):
            trace["versions"] = [*dict.fromkeys((*trace["versions"], version))][-_MOST_VERSIONS:]


def _version(call: Doc) -> str:
    """The program and its version (`node 20.11.1`) that a call printed; empty where it printed none."""
    program = str(call.get("command", "")).split(" ", 1)[0].rpartition("/")[2]
    number = _NUMBER.search(str(call.get("version", "")))
    return f"{program} {number[0]}" if number else ""


def _work_of(trace: Doc, event: Doc) -> Doc | None:
    """What an event is part of: the turn itself, or the run of a subagent; None beyond the most runs."""
    agent_id, runs = event.get("agent_id"), trace["runs"]
    if not agent_id:
        return trace
    if agent_id not in runs and len(runs) < _MOST_RUNS:
        agent = event.get("agent_type") or "subagent"
        runs[agent_id] = {
            "id": event["id"], "agent_id": agent_id, "agent": agent, "started": event["ts"], **_work(event),
        }  # fmt: skip
    run: Doc | None = runs.get(agent_id)
    return run


def _step(kind: str, payload: Doc) -> list[str]:
    target = str(payload.get("file") or payload.get("command") or payload.get("agent_type") or "")
    step = [str(payload.get("tool", "")), target[:_TARGET]]
    if kind == "refusal" and payload.get("marked"):
        step.append("refused")
    elif kind == "tool_failed":
        is_stopped = bool(payload.get("interrupt"))
        error = str(payload.get("error", ""))
        step += ["failed", patterns.INTERRUPTED if is_stopped else patterns.error_class(error)]
    return step


def _add(work: Doc, step: list[str]) -> None:
    work["calls"] += 1
    work["steps"].append(step)
    if len(work["steps"]) > MOST_STEPS:
        del work["steps"][FIRST_STEPS]


def _is_task(turn: RunningTurn) -> bool:
    """Whether a turn has anything to show; one that a machine began has to have done something."""
    trace = _trace(turn)
    is_asked = turn["origin"] == "human" and bool(turn["prompt"])
    return is_asked or bool(trace["calls"] or trace["error"] or trace["set_aside"])


def stored(turn: RunningTurn) -> UpsertDocument | None:
    """Return the trace as it is stored; None if it is empty."""
    if not _is_task(turn):
        return None
    trace = _trace(turn)
    doc = {
        "id": turn["id"], "session_id": turn["session_id"], "project": turn["project"],
        "started": turn["started"], "ended": turn.get("ended"),
        **{name: _copied(trace.get(name)) for name in _FIELDS},
        "runs": [
            {name: _copied(value) for name, value in run.items() if name != "last"}
            for run in trace["runs"].values()
        ],
    }  # fmt: skip
    doc = {name: value for name, value in doc.items() if value}  # the model has the rest
    return UpsertDocument(TABLE, turn["id"], doc)


def _copied(value: Any) -> Any:
    return list(value) if isinstance(value, list) else value
