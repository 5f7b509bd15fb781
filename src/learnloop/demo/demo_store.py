"""Fills a store with some weeks of made-up work, through the path that real events take."""

from collections.abc import Iterable
from itertools import count
from operator import itemgetter
from typing import Any

from learnloop.demo import (
    experiment_scenes,
    outside_sources,
    prompt_files,
    scripted_verdicts,
    stage,
    subagent_scene,
)
from learnloop.demo.stage import DAY_MS
from learnloop.errors import Refused
from learnloop.models.decision import DecisionPlace
from learnloop.service.intake import skipped
from learnloop.service.recall import explain
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop.store import seal
from learnloop.wire import clock, event, paths, payload_fields

_PLACE = DecisionPlace(terminal="demo", attended=True)


def seed(root: str, *, now_ms: int | None = None) -> None:
    """Fill an empty root with sessions, drafts, lessons in every state, receipts and faults.

    Events are appended as hooks would, ingested, decided on and published; all times lie before `now_ms`.
    Raises Refused where the root cannot be written.
    """
    ws, now = open_workspace(root, by="console"), clock.now_ms() if now_ms is None else now_ms
    known, begun = experiment_scenes.ALL
    _experiment(ws, known, now)
    _play(ws, now, stage.scene("earlier"), subagent_scene.scene())
    ingest(ws, wait_s=10.0)
    _decide(ws, now - 10 * DAY_MS, scripted_verdicts.on_lessons(ws, scripted_verdicts.FIRST))
    _play(ws, now, stage.scene("traits"), stage.scene("blocks"), recalling=stage.scene("later"))
    _append(ws, list(outside_sources.discoveries(now)))
    _experiment(ws, begun, now)
    unusable = {"event": "PostToolBatch", "error": "ValueError: tool_calls is no list", "bytes": 2_204}
    _append(ws, [_record(now - 2 * DAY_MS, "hook_error", "trouble", stage.HOST, "", unusable)])
    with open(paths.journal(root), "ab") as file:  # noqa: PTH123
        file.write(b'\n{"v":1,"id":"0198c0ffee00","ts":"2025-07-0\n')  # as a killed process leaves it
    at = now - 5 * DAY_MS
    _decide(ws, at, [*outside_sources.from_export(at), *outside_sources.from_tools(at)])
    skipped.note(root, *outside_sources.LEFT_OUT, now_ms=at)
    _decide(ws, now - DAY_MS, scripted_verdicts.on_lessons(ws, scripted_verdicts.LATER))
    _decide(ws, now - DAY_MS // 2, scripted_verdicts.stated(now - DAY_MS // 2))
    _play(ws, now, recalling=stage.scene("this_hour"))
    at = now - DAY_MS // 3
    _decide(ws, at, (("patch", "", args) for args in prompt_files.seed(ws, at)))


def _play(ws: Workspace, now: int, *scenes: str, recalling: str = "") -> None:
    """Append the events of scenes by time; lessons are recalled only in the one that is `recalling`."""
    sessions = [session for scene in scenes for session in stage.play(scene, now)]
    if recalling:
        sessions += stage.play(recalling, now, _receipts(ws))
    _append(ws, sorted((record for session in sessions for record in session), key=itemgetter("ts")))


def _experiment(ws: Workspace, trial: experiment_scenes.HoldoutScene, now: int) -> None:
    """Start an experiment and play its sessions."""
    at = now - trial.days[0] * DAY_MS
    _decide(ws, at, experiment_scenes.decisions(trial, at))
    _append(ws, list(experiment_scenes.play(trial, now)))


def _append(ws: Workspace, records: list[stage.Record]) -> None:
    if not seal.append(ws.root, records):
        raise Refused(f"{ws.root} cannot be written", "check free space and permissions")


def _decide(ws: Workspace, at_ms: int, verdicts: Iterable[scripted_verdicts.Verdict]) -> None:
    """Write verdicts as the console does, some seconds after each other."""
    records = [
        _record(ms, "decision", f"{action} {lesson_id}", "learnloop", ws.by, {
            "action": action, "lesson_ids": [lesson_id] if lesson_id else [], "args": args, "by": ws.by,
            "door": ws.by, "place": _PLACE.as_json(),
        })
        for ms, (action, lesson_id, args) in zip(count(at_ms, 20_000), verdicts, strict=False)
    ]  # fmt: skip
    _append(ws, records)
    ingest(ws, wait_s=10.0)


def _record(
    ms: int, kind: str, name: str, host: str, session_id: str, payload: dict[str, Any]
) -> stage.Record:
    """An event at a set time, with an id that is the same at every run."""
    return event.record(
        kind, host=host, session_id=session_id, cwd="", project="", payload=payload, ts_ms=ms,
        event_id=stage.stable_id(ms, kind, name),
    )  # fmt: skip


def _receipts(ws: Workspace) -> stage.Receipts:
    """A function of the lessons that hooks would recall at a payload, each once a session."""
    shown: set[tuple[str, str, str]] = set()
    last_prompt: dict[str, str] = {}

    def receipts(payload: dict[str, Any], project: str, session: str) -> list[dict[str, Any]]:
        name = payload["hook_event_name"]
        if name == "UserPromptSubmit" and not payload_fields.machine(payload["prompt"]):
            last_prompt[session] = payload["prompt"]
            explained = explain.explain(ws, prompt=payload["prompt"], project=project)
        elif name == "PreToolUse":
            explained = explain.explain(
                ws, tool=payload_fields.tool_name(payload), file=payload_fields.tool_file(payload) or None,
                command=payload_fields.tool_command(payload) or None, prompt=last_prompt.get(session),
                project=project,
            )  # fmt: skip
        else:
            return []
        recalled = [lesson for lesson in explained if lesson.told and (session, name, lesson.id) not in shown]
        shown.update((session, name, lesson.id) for lesson in recalled)
        return [{"id": lesson.id, "score": lesson.final} for lesson in recalled]

    return receipts
