"""The turn while it runs: what its events add to it, and how it ends."""

from collections.abc import Iterable
from typing import Any

Doc = dict[str, Any]

WRITING_TOOLS = frozenset(
    (
        "Write",
        "Edit",
        "MultiEdit",
        "NotebookEdit",
        "write_file",
        "replace",
        "apply_patch",
        "create",
        "edit",
        "write",
    )
)
_PROMPT, _CLAIM, _COMMAND, _ERROR = 2000, 2000, 300, 300
_FILES, _COMMANDS, _FAILURES, _REFUSALS, _STEERING, _RECALLED = 60, 40, 15, 10, 10, 30


def begin(event: Doc, shard: str, prompt: str, origin: str) -> Doc:
    """A turn that starts with an event."""
    return {
        "id": event["id"], "session_id": event["session_id"], "host": event["host"],
        "project": event.get("project", ""),
        "started": event["ts"], "origin": origin, "prompt": prompt[:_PROMPT],
        "prompt_id": event.get("prompt_id", ""),
        "steering": [], "agents": [], "starts": {}, "files": [], "commands": [], "failures": [],
        "refusals": [], "recalled": [], "tools": {},
        "claim": "", "agent_used": "main", "background": 0, "end": "unfinished", "outcome": "unknown",
        "_shard": shard, "_writers": {}, "_failed": [], "_last": event["ts"], "_shares": [],
    }  # fmt: skip


def document(turn: Doc) -> Doc:
    """The turn as it is stored, independent of the running view."""
    return {
        name: list(value) if isinstance(value, list) else dict(value) if isinstance(value, dict) else value
        for name, value in turn.items()
        if name[0] != "_"
    }


def steer(turn: Doc, words: str) -> None:
    """The person typed while the agent was at work."""
    if len(turn["steering"]) < _STEERING:
        turn["steering"].append(words[:_PROMPT])


def tool_end(turn: Doc, event: Doc) -> None:
    """A tool call that went through; what a failed call of the same id reports again is nothing new."""
    payload = event["payload"]
    tool = payload.get("tool", "")
    if event.get("tool_use_id", "") in turn["_failed"]:
        return
    turn["tools"][tool] = turn["tools"].get(tool, 0) + 1
    _at_work(turn, event)
    file, command = payload.get("file"), payload.get("command")
    if file and tool in WRITING_TOOLS:
        turn["_writers"][event.get("agent_id", "")] = event.get("agent_type") or "main"
        _once(turn["files"], file, _FILES)
    elif command:
        _once(turn["commands"], command[:_COMMAND], _COMMANDS)


def tool_failed(turn: Doc, event: Doc) -> None:
    """A tool call that failed, or was interrupted."""
    payload = event["payload"]
    tool = payload.get("tool", "")
    turn["tools"][tool] = turn["tools"].get(tool, 0) + 1
    turn["_failed"] = [*turn["_failed"][-20:], event.get("tool_use_id", "")]
    _at_work(turn, event)
    if payload.get("interrupt"):
        turn["end"] = "interrupted"
    if payload.get("command"):
        _once(turn["commands"], payload["command"][:_COMMAND], _COMMANDS)
    if len(turn["failures"]) < _FAILURES:
        turn["failures"].append(
            {"tool": tool, "error": payload.get("error", "")[:_ERROR], "target": _target(payload)}
        )


def refused(turn: Doc, event: Doc) -> None:
    """A tool call that the person refused."""
    payload = event["payload"]
    turn["_refused"] = True
    _at_work(turn, event)
    if len(turn["refusals"]) < _REFUSALS:
        words = payload.get("words", "")[:_CLAIM]
        turn["refusals"].append({"tool": payload.get("tool", ""), "target": _target(payload), "words": words})


def todos(turn: Doc, counts: Doc) -> None:
    """How far the agent's own list is."""
    turn["_open"] = counts["pending"]


def subagent(turn: Doc, event: Doc, *, is_new: bool) -> None:
    """A subagent that started or ended; the first that is seen of it counts as its start."""
    kind = event.get("agent_type")
    if not kind:
        return
    _once(turn["agents"], kind, 20)
    if is_new and kind in turn["agents"]:
        starts = turn.setdefault("starts", {})
        starts[kind] = starts.get(kind, 0) + 1


def recalled(turn: Doc, lessons: Iterable[str]) -> None:
    """Lessons that were told in it."""
    for lesson in lessons:
        _once(turn["recalled"], lesson, _RECALLED)


def done(turn: Doc, event: Doc) -> None:
    """The agent ended the turn with a claim."""
    payload = event["payload"]
    background = payload.get("background")
    turn.update(end="done", ended=event["ts"], claim=payload.get("message", "")[:_CLAIM])
    turn["background"] = len(background) if isinstance(background, list) else 0
    _once(turn["agents"], "main", 20)
    turn["agent_used"] = _claimant(turn)


def failed(turn: Doc, event: Doc) -> None:
    """The turn ended in an error of the client or the service."""
    turn.update(end="failed", ended=event["ts"], agent_used=_left_by(turn))


def interrupted(turn: Doc, ts: str) -> None:
    """It is certain that the person interrupted the turn."""
    if turn["end"] in ("unfinished", "interrupted"):
        turn.update(end="interrupted", ended=ts, agent_used=_left_by(turn))


def close(turn: Doc, *, session_ended: bool) -> bool:
    """What a turn without an end is once something else begins; whether that changed it."""
    if turn.get("ended"):
        return False
    if session_ended or turn.get("_refused") or turn["end"] == "interrupted":
        turn["end"] = "interrupted"
    turn.update(ended=turn.get("_last", turn["started"]), agent_used=_left_by(turn))
    return True


def before(view: Doc) -> Doc:
    """What the turn before a remark was about; a machine's turn with the human one that led to it."""
    turn = view["turn"]
    if turn is None:
        return {"transcript_path": view["session"]["transcript_path"]}
    led = turn.get("_led", {})
    refusals = [refusal for refusal in turn["refusals"] if refusal["words"]]
    return {
        "task": task(turn),
        "files": list(dict.fromkeys([*led.get("files", ()), *turn["files"]])),
        "commands": list(dict.fromkeys([*led.get("commands", ()), *turn["commands"]])),
        "failures": [*led.get("failures", ()), *(_failure(failure) for failure in turn["failures"])],
        "refusal": refusals[-1]["words"] if refusals else "",
        "agent": turn["agent_used"],
        "transcript_path": view["session"]["transcript_path"],
    }


def from_event(lesson: Doc, event: Doc) -> Doc:
    """A draft of an event; its evidence says where a transcript told of it afterwards."""
    if event.get("source"):
        lesson["evidence"] = [{**seen, "backfilled": True} for seen in lesson["evidence"]]
    return lesson


def task(turn: Doc) -> str:
    """What a person asked for: a machine's turn inherits it."""
    return str(turn.get("_led", {}).get("task") or turn["prompt"])


def led(turn: Doc | None) -> Doc:
    """What a machine's turn inherits from the one before it."""
    if turn is None:
        return {}
    inherited = turn.get("_led", {})
    return {
        "task": task(turn)[:500],
        "files": [*inherited.get("files", ()), *turn["files"]][-20:],
        "commands": [*inherited.get("commands", ()), *turn["commands"]][-10:],
        "failures": [*inherited.get("failures", ()), *(_failure(failure) for failure in turn["failures"])][
            -5:
        ],
        "writers": {**inherited.get("writers", {}), **turn["_writers"]},
        "open": turn.get("_open", 0),
    }


def _claimant(turn: Doc) -> str:
    """The one subagent that changed files where main changed none, else main."""
    writers = {**turn.get("_led", {}).get("writers", {}), **turn["_writers"]}
    return str(next(iter(writers.values()))) if len(writers) == 1 and "" not in writers else "main"


def _left_by(turn: Doc) -> str:
    """Whose work a turn without a claim was: the same, where anybody wrote in it."""
    return _claimant(turn) if turn["_writers"] else str(turn["agent_used"])


def _failure(failure: Doc) -> str:
    return f"{failure['tool']}: {failure['error']}"


def _target(payload: Doc) -> str:
    return str(payload.get("file") or payload.get("command") or "")[:_COMMAND]


def _at_work(turn: Doc, event: Doc) -> None:
    turn["_last"] = event["ts"]
    _once(turn["agents"], event.get("agent_type") or "main", 20)


def _once(items: list[str], item: str, most: int) -> None:
    if item not in items and len(items) < most:
        items.append(item)
