"""Recall for an agent that asks: what hooks would tell it at a moment, with the same receipt."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from learnloop.hosts.agent_files import HOSTS
from learnloop.learn.experiments import replay
from learnloop.service import workspace
from learnloop.service.lessons import documents
from learnloop.service.recall.at_start import records_at_start
from learnloop.service.recall.explain import explain
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, env, event, journal, paths, render, switches

if TYPE_CHECKING:
    from learnloop.service.recall.explain import Explained

SOURCE = "mcp"
"""The `source` of events that no hook and no transcript brought."""
_TARGET, _READ = 2_000, 16_000
"""Characters that are recorded of a file or command, and that are looked at; as with hooks."""
_FORBIDDEN = "What you asked about goes against ({}). Only if the user asked for this very call, make it."

Permission = Literal["", "vital", "all"]


class Inquiry(NamedTuple):
    """What an agent is about to do: write a file, run a command, or begin a task; none is its start."""

    project: str
    host: str = ""
    file: str = ""
    command: str = ""
    task: str = ""


def host_of(client: str) -> str:
    """The host that a client's name is of, as `codex` of `codex-mcp-client`; `mcp` for any other."""
    words = re.split(r"[^a-z]+", client.lower())
    return next((row.host for row in HOSTS if row.host in words), "mcp")


def permitted(ws: Workspace, project: str) -> Permission:
    """Which lessons agents may be told here: all, none, or those that a project's own switch leaves."""
    is_off = switches.silenced() or switches.is_set(paths.off_switch(ws.root))
    if is_off or switches.stopped_in(ws.root, project) or not (ws.settings.enabled and ws.settings.recall):
        return ""
    if not switches.recalling(ws.root, project):
        return ""
    return "vital" if switches.of_project(project) else "all"


def lessons_for(ws: Workspace, inquiry: Inquiry) -> str:
    """What an agent reads at a moment, empty where nothing is told; a receipt says that it was."""
    permission = permitted(ws, inquiry.project)
    if not permission:
        return ""
    vital_only, left_out = permission == "vital", _under_test(ws, inquiry.project)
    if not (inquiry.file or inquiry.command or inquiry.task):
        at_start = records_at_start(ws.root, inquiry.project, inquiry.host, vital_only=vital_only)
        records = [record for record in at_start if record["id"] not in left_out]
        text = render.text(records) if records else ""
        _leave_receipt(ws, inquiry, "start", [(record["id"], 0) for record in records], text)
        return text
    explained = explain(
        ws, file=inquiry.file[:_READ], command=inquiry.command[:_READ], prompt=inquiry.task[:_READ],
        project=inquiry.project, host=inquiry.host, vital_only=vital_only,
    )  # fmt: skip
    every = [each for each in explained if (each.told or each.stops) and each.id not in left_out]
    chosen = sorted(every, key=lambda each: not each.stops)
    text = _text(chosen)
    moment = "tool" if inquiry.file or inquiry.command else "prompt"
    _leave_receipt(ws, inquiry, moment, [(each.id, each.final) for each in chosen], text)
    return text


def active_lessons(ws: Workspace, project: str) -> list[dict[str, Any]]:
    """The lessons in use that hold in a project, as the records that agents get; none where recall is off."""
    from learnloop.recall import compile as index_records
    from learnloop.recall.explain import is_vital

    permission = permitted(ws, project)
    if not permission:
        return []
    stored, left_out = documents.lessons(ws.root).values(), _under_test(ws, project)
    return [
        record
        for record in index_records.records(stored, clock.iso(clock.now_ms()))
        if record["project"] in ("", project) and record["id"] not in left_out
        and (permission == "all" or is_vital(record))
    ]  # fmt: skip


def _under_test(ws: Workspace, project: str) -> set[str]:
    """The lessons of running experiments, which no agent that asks is told.

    Nobody can say for sure which session asks, so an answer might reach one that is held out. As with hooks,
    nothing is held back where nothing may be recorded.
    """
    if not switches.recording(ws.root, project):
        return set()
    running = replay.running(replay.experiments(documents.decisions(ws.root)).values())
    return {lesson_id for experiment in running for lesson_id in experiment.lesson_ids}


def _text(chosen: "Sequence[Explained]") -> str:
    if not chosen:
        return ""
    forbidding = ", ".join(each.short for each in chosen if each.stops)
    text = render.text({"text": each.says, "short": each.short} for each in chosen)
    return f"{text}\n{_FORBIDDEN.format(forbidding)}" if forbidding else text


def _leave_receipt(
    ws: Workspace, inquiry: Inquiry, moment: str, lessons: Sequence[tuple[str, int]], text: str
) -> None:
    """Append the event of a recall, where anything was told and may be recorded."""
    if not lessons or not switches.recording(ws.root, inquiry.project):
        return
    payload = {
        "moment": moment, "lessons": [{"id": key, "score": score} for key, score in lessons],
        "chars": len(text), **dict(_target(ws, inquiry)),
    }  # fmt: skip
    record = event.record(
        "recall", host=inquiry.host or SOURCE, cwd="", payload=payload,
        session_id=workspace.redacted(ws, env.get("CLAUDE_CODE_SESSION_ID")),
        project=workspace.redacted(ws, inquiry.project),
    )  # fmt: skip
    journal.append(ws.root, [{**record, "source": SOURCE}])


def _target(ws: Workspace, inquiry: Inquiry) -> Iterator[tuple[str, str]]:
    """The file and the command that were asked about, as hooks record them."""
    if inquiry.file:
        yield from (("tool", "Write"), ("file", workspace.redacted(ws, inquiry.file)[:_TARGET]))
    if inquiry.command:
        command = workspace.redacted(ws, inquiry.command)[:_TARGET]
        yield from (("tool", "Write" if inquiry.file else "Bash"), ("command", command))
