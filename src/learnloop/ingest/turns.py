"""The turn while it runs: what its events add to it, how it ends, what its background tasks were for.

Its outcome is decided by the strongest remark, and inferred where nobody said anything.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from learnloop.ingest.effects import FeedbackHeard, FeedbackWithdrawn
from learnloop.ingest.running import RunningTurn, SessionView, TaskContext
from learnloop.learn.hear import outcomes, prompts
from learnloop.wire import clock
from learnloop.wire.hosts import CLAUDE

if TYPE_CHECKING:
    from learnloop.models import Turn


Doc = dict[str, Any]

WRITING_TOOLS = frozenset([
    "Write", "Edit", "MultiEdit", "NotebookEdit",
    "write_file", "replace", "apply_patch", "create", "edit", "write",
])  # fmt: skip
_PROMPT, _CLAIM, _COMMAND, _ERROR = 2000, 2000, 300, 300
_WRITTEN, _MOST_WRITTEN = 1000, 12
_FILES, _COMMANDS, _FAILURES, _REFUSALS, _STEERING, _RECALLED = 60, 40, 15, 10, 10, 30


def begin(event: Doc, prompt: str, origin: str) -> RunningTurn:
    """Return the turn that starts with an event."""
    return {
        "id": event["id"], "session_id": event["session_id"], "host": event["host"],
        "project": event.get("project", ""),
        "started": event["ts"], "origin": origin, "prompt": prompt[:_PROMPT],
        "prompt_id": event.get("prompt_id", ""),
        "steering": [], "agents": [], "starts": {}, "files": [], "commands": [], "failures": [],
        "refusals": [], "recalled": [], "tools": {},
        "claim": "", "agent_used": "main", "background": 0, "end": "unfinished", "outcome": "unknown",
        "_writers": {}, "_failed": [], "_last": event["ts"], "_shares": [],
    }  # fmt: skip


def document(turn: RunningTurn) -> Doc:
    """Return the turn as it is stored; a copy, which later events do not change."""
    return {
        name: list(value) if isinstance(value, list) else dict(value) if isinstance(value, dict) else value
        for name, value in turn.items()
        if name[0] != "_"
    }


def steer(turn: RunningTurn, words: str) -> None:
    """Add words that the person typed while the agent worked."""
    if len(turn["steering"]) < _STEERING:
        turn["steering"].append(words[:_PROMPT])


def tool_end(turn: RunningTurn, event: Doc) -> None:
    """Add a tool call that succeeded; the second report of a failed call is dropped."""
    payload = event["payload"]
    if event.get("tool_use_id", "") in turn["_failed"]:
        return
    tool = _count_tool(turn, event)
    file, command = payload.get("file"), payload.get("command")
    if file and tool in WRITING_TOOLS:
        turn["_writers"][event.get("agent_id", "")] = event.get("agent_type") or "main"
        _once(turn["files"], file, _FILES)
    elif command:
        _once(turn["commands"], command[:_COMMAND], _COMMANDS)


def tool_failed(turn: RunningTurn, event: Doc) -> None:
    """Add a tool call that failed or was interrupted."""
    payload = event["payload"]
    _count_tool(turn, event)
    turn["_failed"] = [*turn["_failed"][-20:], event.get("tool_use_id", "")]
    if payload.get("interrupt"):
        turn["end"] = "interrupted"
    if payload.get("command"):
        _once(turn["commands"], payload["command"][:_COMMAND], _COMMANDS)
    _note_failure(turn, payload)


def wrote(turn: RunningTurn, file: str, text: str) -> None:
    """Keep the beginning of what a call wrote into a file, for the newest files."""
    if file and text:
        written = turn.setdefault("_written", {})
        written[file] = f"{written.pop(file, '')}\n{text}"[:_WRITTEN]
        while len(written) > _MOST_WRITTEN:
            del written[next(iter(written))]


def failed_late(turn: RunningTurn, event: Doc) -> None:
    """Note that a call failed which was counted as one that went through, or was not counted."""
    command = event["payload"].get("command", "")[:_COMMAND]
    if command and command not in turn["commands"]:
        _count_tool(turn, event)
        _once(turn["commands"], command, _COMMANDS)
    turn["_failed"] = [*turn["_failed"][-20:], event.get("tool_use_id", "")]
    _note_failure(turn, event["payload"])


def refused(turn: RunningTurn, event: Doc) -> None:
    """Add a tool call that the person refused."""
    payload = event["payload"]
    turn["_refused"] = True
    _at_work(turn, event)
    if len(turn["refusals"]) < _REFUSALS:
        words = payload.get("words", "")[:_CLAIM]
        turn["refusals"].append({"tool": payload.get("tool", ""), "target": _target(payload), "words": words})


def subagent(turn: RunningTurn, event: Doc, *, is_new: bool) -> None:
    """Add a subagent that started or ended; its first event counts as its start."""
    kind = event.get("agent_type")
    if not kind:
        return
    _once(turn["agents"], kind, 20)
    if is_new and kind in turn["agents"]:
        starts = turn.setdefault("starts", {})
        starts[kind] = starts.get(kind, 0) + 1


def recalled(turn: RunningTurn, lesson_ids: Iterable[str]) -> None:
    """Add lessons that were shown in it."""
    for lesson_id in lesson_ids:
        _once(turn["recalled"], lesson_id, _RECALLED)


def done(turn: RunningTurn, event: Doc) -> None:
    """End the turn with the agent's claim."""
    payload = event["payload"]
    background = payload.get("background")
    turn["end"], turn["ended"] = "done", event["ts"]
    turn["claim"] = payload.get("message", "")[:_CLAIM] or turn["claim"]
    turn["background"] = len(background) if isinstance(background, list) else 0
    _once(turn["agents"], "main", 20)
    turn["agent_used"] = _claimant(turn)


def cut(words: str) -> str:
    """Return as much of a prompt as a turn keeps."""
    return words[:_PROMPT]


def claimed(turn: RunningTurn, event: Doc) -> str:
    """Give an ended turn the agent's last words, and return them."""
    turn["claim"] = event["payload"].get("message", "")[:_CLAIM]
    return turn["claim"]


def interrupted(turn: RunningTurn, ts: str) -> None:
    """End the turn because the person interrupted it."""
    if turn["end"] in ("unfinished", "interrupted"):
        end(turn, "interrupted", ts)


def close(turn: RunningTurn, *, session_ended: bool) -> None:
    """End a turn that has no end yet, because something else began.

    All hosts but Claude Code report every end, so the person cut off a turn without one.
    """
    if not turn.get("ended"):
        is_known = turn["end"] == "interrupted" or turn["host"] != CLAUDE
        is_cut = session_ended or turn.get("_refused") or is_known
        end(turn, "interrupted" if is_cut else turn["end"], turn.get("_last", turn["started"]))


def end(turn: RunningTurn, how: str, ts: str) -> None:
    """End the turn without a claim."""
    turn["end"], turn["ended"] = how, ts
    if turn["_writers"]:
        turn["agent_used"] = _claimant(turn)


def before(view: SessionView) -> Doc:
    """Return what the turn before a remark was about, with the context that a machine's turn inherits.

    {transcript_path, task, files, commands, failures, written {file: text}, refusal, agent}; the path alone
    where there is no turn.
    """
    turn = view["turn"]
    if turn is None:
        return {"transcript_path": view["session"]["transcript_path"]}
    context = inherited(turn)
    refusals = [refusal for refusal in turn["refusals"] if refusal["words"]]
    return {
        "task": task(turn), "files": list(dict.fromkeys([*context.get("files", ()), *turn["files"]])),
        "commands": list(dict.fromkeys([*context.get("commands", ()), *turn["commands"]])),
        "failures": [*context.get("failures", ()), *_failures(turn)], "written": turn.get("_written", {}),
        "refusal": refusals[-1]["words"] if refusals else "", "agent": turn["agent_used"],
        "transcript_path": view["session"]["transcript_path"],
    }  # fmt: skip


def context_of(turn: "Turn") -> Doc:
    """Return what a stored turn was about, as `before` does of a running one."""
    return {
        "task": turn.prompt, "files": turn.files, "commands": turn.commands, "agent": turn.agent_used,
        "failures": [f"{failure.tool}: {failure.error}" for failure in turn.failures],
    }  # fmt: skip


def from_event(lesson: Doc, event: Doc) -> Doc:
    """Return a draft that an event led to; its evidence says whether the event comes from a transcript."""
    if event.get("source"):
        lesson["evidence"] = [{**evidence, "backfilled": True} for evidence in lesson["evidence"]]
    return lesson


def task(turn: RunningTurn) -> str:
    """Return what a person asked for; a machine's turn inherits it."""
    return inherited(turn).get("task") or turn["prompt"]


def inherited(turn: RunningTurn) -> TaskContext:
    """Return what a machine's turn inherits; empty for a human turn."""
    return turn.get("_led") or {}


def context_for_next(turn: RunningTurn | None) -> TaskContext:
    """Return what a machine's turn inherits from this one."""
    if turn is None:
        return {}
    context = inherited(turn)
    return {
        "task": task(turn)[:500], "files": [*context.get("files", ()), *turn["files"]][-20:],
        "commands": [*context.get("commands", ()), *turn["commands"]][-10:],
        "failures": [*context.get("failures", ()), *_failures(turn)][-5:], "writers": _writers(turn),
        "open": turn.get("_open", 0),
    }  # fmt: skip


def _writers(turn: RunningTurn) -> dict[str, str]:
    return {**inherited(turn).get("writers", {}), **turn["_writers"]}


def _claimant(turn: RunningTurn) -> str:
    """Return the one subagent that changed files if main changed none, else main."""
    writers = _writers(turn)
    return next(iter(writers.values())) if len(writers) == 1 and "" not in writers else "main"


def _failures(turn: RunningTurn) -> list[str]:
    return [f"{failure['tool']}: {failure['error']}" for failure in turn["failures"]]


def _target(payload: Doc) -> str:
    return str(payload.get("file") or payload.get("command") or "")[:_COMMAND]


def _note_failure(turn: RunningTurn, payload: Doc) -> None:
    if len(turn["failures"]) < _FAILURES:
        error = payload.get("error", "")[:_ERROR]
        failure = {"tool": payload.get("tool", ""), "error": error, "target": _target(payload)}
        turn["failures"].append(failure)


def _count_tool(turn: RunningTurn, event: Doc) -> str:
    tool: str = event["payload"].get("tool", "")
    turn["tools"][tool] = turn["tools"].get(tool, 0) + 1
    _at_work(turn, event)
    return tool


def _at_work(turn: RunningTurn, event: Doc) -> None:
    turn["_last"] = event["ts"]
    _once(turn["agents"], event.get("agent_type") or "main", 20)


def _once(items: list[str], item: str, most: int) -> None:
    if item not in items and len(items) < most:
        items.append(item)


_MOST_WAITING = 10
_TASK_ID = re.compile(r"<task-id>([^<]{1,200})</task-id>")


def remember_background(view: SessionView, turn: RunningTurn, event: Doc) -> None:
    """Keep what background tasks were started for, until their result comes."""
    tasks = event["payload"].get("background")
    ids = [task.get("id") for task in tasks if isinstance(task, dict)] if isinstance(tasks, list) else []
    waiting = view.setdefault("waiting", {})
    for task_id in filter(None, ids):
        waiting.setdefault(str(task_id), {"turn": turn["id"], **context_for_next(turn)})
    while len(waiting) > _MOST_WAITING:
        del waiting[next(iter(waiting))]


def background_context(view: SessionView, words: str) -> TaskContext | None:
    """Return what the background tasks named in a notification were started for."""
    contexts = [view.get("waiting", {}).pop(task, None) for task in _TASK_ID.findall(words[:20_000])]
    background_context = next(filter(None, contexts), None)
    if background_context is None:
        return None
    for turn in (view["turn"], *view.get("left", ())):
        if turn and turn["id"] == background_context["turn"]:
            return context_for_next(turn)
    return background_context


_MESSAGE = 2000


def take(turn: RunningTurn, heard: FeedbackHeard) -> None:
    """Let feedback decide a turn, unless stronger feedback has; words replace an inferred outcome."""
    doc = heard.doc
    inferred = bool(doc.get("inferred"))
    rank = outcomes.INFERRED_PRECEDENCE
    if not inferred:
        rank = outcomes.precedence(doc["rule"], doc["feedback_category"])
    outcome = outcomes.outcome_of_remark(doc["event_type"], doc["feedback_category"], doc["confidence"])
    if outcome == "unknown":
        if not turn.get("feedback_id"):
            turn["feedback_id"] = doc["id"]
        return
    if turn["outcome"] == "unknown" or rank < turn.get("_rank", 0):
        turn["outcome"], turn["feedback_id"], turn["_rank"] = outcome, doc["id"], rank
        turn["inferred"] = inferred
    if inferred:
        turn["_inferred"] = [doc["id"]]


def withdraw(turn: RunningTurn | None) -> FeedbackWithdrawn | None:
    """Take back an inferred outcome: the turn went on after all, or a person said what it was."""
    if turn is None or "_inferred" not in turn:
        return None
    feedback_id = turn.pop("_inferred")[-1]
    if turn.get("feedback_id") == feedback_id:
        turn["outcome"], turn["feedback_id"] = "unknown", None
        turn["inferred"] = False
        turn.pop("_rank", None)
    return FeedbackWithdrawn(feedback_id)


def infer(
    view: SessionView, event: Doc, words: str | None = None, doubt: float = 0.0
) -> FeedbackHeard | None:
    """Infer the outcome of the last turn from a prompt about something else, or from the session's end.

    `doubt`: the probability that the prompt is feedback after all.
    """
    turn = view["turn"]
    if turn is None or not _is_open(turn):
        return None
    if words is None:
        inferred = outcomes.infer_from_session_end(_turn_end(view, turn))
    else:
        since = clock.parse_ms(event["ts"]) - clock.parse_ms(turn.get("ended") or turn["started"])
        inferred = outcomes.infer_from_prompt(words, _turn_end(view, turn), since, doubt)
    if inferred is None:
        return None
    doc = outcome_document(turn, event, inferred, inferred.message or words or "")
    heard = FeedbackHeard({**doc, "inferred": True})
    take(turn, heard)
    return heard


def _is_open(turn: RunningTurn) -> bool:
    """Whether a turn has a person's task and is not judged yet."""
    if turn["outcome"] != "unknown" or "_inferred" in turn or "_no_task" in turn:
        return False
    return bool(task(turn)) if turn["origin"] == "human" else bool(inherited(turn).get("task"))


def _turn_end(view: SessionView, turn: RunningTurn) -> outcomes.TurnEnd:
    return outcomes.TurnEnd(
        end=turn["end"], task=task(turn), open_tasks=turn.get("_open", 0),
        asked=turn["claim"].rstrip().endswith("?"), waits=bool(turn["background"]),
        reports_ends=bool(turn["prompt_id"]) or view["session"]["counts"].get("turn_end", 0) > 0,
    )  # fmt: skip


def outcome_document(
    turn: RunningTurn | None, event: Doc, verdict: outcomes.InferredOutcome | prompts.PromptVerdict,
    words: str,
) -> Doc:  # fmt: skip
    """Return the feedback on a turn as it is stored."""
    doc: Doc = {
        "id": event["id"], "timestamp": event["ts"], "session_id": event["session_id"],
        "turn_id": turn["id"] if turn else "", "project_path": event.get("project", ""),
        "event_type": verdict.event_type, "feedback_category": verdict.category,
        "confidence": verdict.confidence, "reason": verdict.reason, "rule": verdict.rule,
        "user_message": words[:_MESSAGE], "event_id": event["id"],
    }  # fmt: skip
    if turn:
        doc.update(original_task=task(turn)[:500], agent_used=turn["agent_used"])
        if turn["claim"]:
            doc["completion_claim"] = turn["claim"][:500]
    return doc
