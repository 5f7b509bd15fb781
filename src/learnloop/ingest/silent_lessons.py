"""Recalls that were missed: files of a CRITICAL lesson were written in a session that was never shown it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from learnloop.ingest.effects import TurnFinished
from learnloop.ingest.running import RunningTurn
from learnloop.recall.compile import record
from learnloop.wire import globs

Doc = dict[str, Any]


def finished(turn: RunningTurn) -> TurnFinished | None:
    """Return the files that a turn wrote, once, when it is over; None if there are none."""
    if not turn.get("ended") or turn.get("_judged") or not turn["files"]:
        return None
    turn["_judged"] = True
    return TurnFinished(
        turn["session_id"], turn["project"], turn["started"], turn["ended"], list(turn["files"]),
        list(dict.fromkeys([*turn.get("_heard", ()), *turn["recalled"]])),
    )  # fmt: skip


def critical(lessons: Mapping[str, Doc]) -> dict[str, Doc]:
    """Return what `in_turn` needs of CRITICAL lessons: {id: {project, path, files, since}}."""
    return {
        lesson_id: {
            "project": entry["project"], "path": entry["path"], "files": entry["files"],
            "since": doc.get("reviewed_at") or doc.get("created", ""),
        }
        for lesson_id, doc in lessons.items()
        if doc.get("status") == "active" and doc.get("priority") == "CRITICAL" and not doc.get("paused")
        if (entry := record(doc, ""))["files"]
    }  # fmt: skip


def in_turn(critical_lessons: Mapping[str, Doc], turn: TurnFinished) -> dict[str, str]:
    """Return the CRITICAL lessons that the session was never shown: {id: the file that was touched}."""
    touched_files = {}
    for lesson_id, lesson in critical_lessons.items():
        is_known = lesson_id in turn.heard or lesson["since"] > turn.started
        if not is_known and lesson["project"] in ("", turn.project):
            place, patterns = str(lesson["path"]), tuple(lesson["files"])
            file = next((file for file in turn.files if _covers(place, patterns, file, turn.project)), None)
            if file is not None:
                touched_files[lesson_id] = file
    return touched_files


@lru_cache(maxsize=8192)  # the same files are written again and again
def _covers(path: str, patterns: tuple[str, ...], file: str, project: str) -> bool:
    where = globs.spot(file, (project,) if project else ())
    module = [part for part in path.split("/") if part not in ("", ".")]
    if module and (where[0] is None or where[0][: len(module)] != module):
        return False
    return any(globs.covers(pattern, where) for pattern in patterns)
