"""A demo store: a lively scene, played through the same path as the real thing, the same at every run."""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from learnloop.demo import contents, found, helpers, prompts, running, scenes, stage, ways
from learnloop.demo.crowd import seed_queue
from learnloop.errors import Refused
from learnloop.wire import clock, event, journal, paths

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

__all__ = ["seed", "seed_queue"]

DAY_MS = 86_400_000


def seed(root: str, *, now_ms: int | None = None) -> None:
    """Fill an empty root with some weeks of sessions, drafts, lessons in every state, receipts and trouble.

    Events are appended as hooks would, ingested, decided on and published; all times lie before `now_ms`.
    """
    from learnloop.service.intake import skipped
    from learnloop.service.workspace import open_workspace

    ws, now = open_workspace(root, by="console"), clock.now_ms() if now_ms is None else now_ms
    _append(ws, _together([*stage.play(scenes.EARLIER, now), *stage.play(helpers.scene(), now)]))
    _ingest(ws)
    _decide(ws, now - 10 * DAY_MS, _first_verdicts(ws))
    later = [*stage.play(ways.SCENE, now), *stage.play(found.SCENE, now)]
    _append(ws, _together([*later, *stage.play(scenes.LATER, now, _receipts(ws))]))
    _append(ws, list(found.discoveries(now)))
    _append(ws, _trouble(now))
    _tear(root)
    _decide(ws, now - 5 * DAY_MS, [*_imports(now - 5 * DAY_MS), *found.brought(now - 5 * DAY_MS)])
    skipped.note(root, *found.LEFT_OUT, now_ms=now - 5 * DAY_MS)
    _decide(ws, now - DAY_MS, _later_verdicts(ws))
    _decide(ws, now - DAY_MS // 2, prompts.told(now - DAY_MS // 2))
    _append(ws, _together(stage.play(running.SCENE, now, _receipts(ws))))
    _patch(ws, now - DAY_MS // 3)


def _together(sessions: Iterable[list[stage.Record]]) -> list[stage.Record]:
    return sorted(
        (record for session in sessions for record in session), key=lambda record: str(record["ts"])
    )


def _append(ws: "Workspace", records: list[stage.Record]) -> None:
    if not journal.append(ws.root, records):
        raise Refused(f"{ws.root} cannot be written", "check free space and permissions")


def _ingest(ws: "Workspace") -> None:
    from learnloop.service import workspace

    workspace.ingest(ws, wait_s=10.0)


_Verdict = tuple[str, str, dict[str, Any]]
"""Action, lesson and what the action needs."""


def _first_verdicts(ws: "Workspace") -> Iterator[_Verdict]:
    for quote in scenes.PROMOTED:
        yield "promote", said(ws, quote), {}
    for quote, reason in scenes.REJECTED:
        yield "reject", said(ws, quote), {"reason": reason}


def _later_verdicts(ws: "Workspace") -> Iterator[_Verdict]:
    for quote, reason in scenes.ARCHIVED:
        yield "archive", said(ws, quote), {"reason": reason}
    for quote in scenes.PAUSED:
        yield "pause", said(ws, quote), {}
    for quote in found.APPROVED:
        yield "promote", said(ws, quote), {}
    for quote, changes in contents.WRITTEN:
        yield "edit", said(ws, quote), changes
    for quote, scope in scenes.SCOPED:
        yield "scope", said(ws, quote), {"scope": scope}


def _imports(ms: int) -> Iterator[_Verdict]:
    """What a colleague's export brought: drafts that nobody has approved here."""
    from learnloop.models.ids import draft_id

    for project, statement, quote in scenes.IMPORTED:
        lesson_id = draft_id(stage.stable_id(ms, statement), "import")
        ts = clock.iso(ms)
        lesson = {
            "id": lesson_id, "kind": "preference", "statement": statement, "title": statement.rstrip("."),
            "project": f"{scenes.HOME}/{project}", "confidence": 0.8, "source": "import", "trust": "external",
            "evidence": [{"quote": quote, "session_id": "import", "event_id": "", "ts": ts}],
            "fingerprint": lesson_id, "created": ts, "updated": ts,
        }  # fmt: skip
        yield "add", lesson_id, {"lesson": lesson}


def said(ws: "Workspace", quote: str) -> str:
    """The id of the lesson that came of these words."""
    from learnloop.service.lessons import documents

    for lesson_id, doc in documents.lessons(ws.root).items():
        if any(quote in seen["quote"] for seen in doc.get("evidence", ())):
            return lesson_id
    raise Refused(f"the demo has no lesson from {quote!r}", "its scene and its verdicts are out of step")


def _decide(ws: "Workspace", at_ms: int, verdicts: Iterable[_Verdict]) -> None:
    """Write verdicts as the console does, some seconds after each other."""
    records = [
        _record(ms, "decision", f"{action} {lesson_id}", "learnloop", ws.by, {
            "action": action, "lesson_ids": [lesson_id], "args": args, "by": ws.by,
        })
        for ms, (action, lesson_id, args) in zip(count(at_ms, 20_000), verdicts, strict=False)
    ]  # fmt: skip
    _append(ws, records)
    _ingest(ws)


def _patch(ws: "Workspace", at_ms: int) -> None:
    """Prompt files of the demo's own, and what was decided about patches of them."""
    for ms, args in zip(count(at_ms, 20_000), prompts.seed(ws, at_ms), strict=False):
        payload = {"action": "patch", "lesson_ids": [], "args": args, "by": ws.by}
        _append(ws, [_record(ms, "decision", f"patch {args['did']}", "learnloop", ws.by, payload)])
    _ingest(ws)


def _record(
    ms: int, kind: str, name: str, host: str, session_id: str, payload: dict[str, Any]
) -> stage.Record:
    """An event at a set time, with an id that is the same at every run."""
    return event.record(
        kind, host=host, session_id=session_id, cwd="", project="", payload=payload, ts_ms=ms,
        event_id=stage.stable_id(ms, kind, name),
    )  # fmt: skip


def _receipts(ws: "Workspace") -> stage.Receipts:
    """What recall tells at a payload, by the function that hooks share; each lesson once a session."""
    from learnloop.service.recall import explain
    from learnloop.wire import payloads

    told: set[tuple[str, str, str]] = set()
    last: dict[str, str] = {}

    def ask(payload: dict[str, Any], project: str, session: str) -> list[dict[str, Any]]:
        name = payload["hook_event_name"]
        if name == "UserPromptSubmit" and not payloads.machine(payload["prompt"]):
            last[session] = payload["prompt"]
            found = explain.explain(ws, prompt=payload["prompt"], project=project)
        elif name == "PreToolUse":
            found = explain.explain(
                ws, tool=payloads.tool_name(payload), file=payloads.tool_file(payload) or None,
                command=payloads.tool_command(payload) or None, prompt=last.get(session), project=project,
            )  # fmt: skip
        else:
            return []
        fresh = [one for one in found if one.told and (session, name, one.id) not in told]
        told.update((session, name, one.id) for one in fresh)
        return [{"id": one.id, "score": one.final} for one in fresh]

    return ask


def _trouble(now_ms: int) -> list[stage.Record]:
    """Input that a hook could not use, two days ago."""
    payload = {"event": "PostToolBatch", "error": "ValueError: tool_calls is no list", "bytes": 2_204}
    return [_record(now_ms - 2 * DAY_MS, "hook_error", "trouble", stage.HOST, "", payload)]


def _tear(root: str) -> None:
    """A line that a killed process left half written."""
    with open(paths.journal(root), "ab") as file:  # noqa: PTH123
        file.write(b'\n{"v":1,"id":"0198c0ffee00","ts":"2025-07-0\n')
