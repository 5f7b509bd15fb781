"""Follow-up of recalls: a finished turn is judged by what was done in it.

A lesson was followed if its turn touched a file or ran a command that the lesson names, or if the agent cited
it. A CRITICAL lesson leaves a note if its files were touched in a session that was never shown it. Repeated
corrections are counted where corrections are learned (`ingest.lessons`).
"""

import re
from collections.abc import Mapping
from typing import Any

from learnloop.ingest.effects import TurnFinished
from learnloop.ingest.running import RunningTurn
from learnloop.recall.compile import record
from learnloop.wire import globs

Doc = dict[str, Any]
MOST_NOTES = 5
_WORD = re.compile(r"[a-z2-7]{4,26}")
_SHORTEST_TITLE = 16


def finished(turn: RunningTurn) -> TurnFinished | None:
    """Return what was done in a turn, once, when it is over; None if there is nothing to judge."""
    if not turn.get("ended") or turn.get("_judged") or not (turn["recalled"] or turn["files"]):
        return None
    turn["_judged"] = True
    return TurnFinished(
        turn["id"], turn["session_id"], turn["project"], turn["started"], turn["ended"],
        list(turn["recalled"]), list(turn["files"]), list(turn["commands"]), turn["claim"],
        list(dict.fromkeys([*turn.get("_heard", ()), *turn["recalled"]])),
    )  # fmt: skip


def is_followed(lesson: Doc, turn: TurnFinished) -> bool:
    """Whether a turn touched what the lesson names, or cites it."""
    patterns = record({**lesson, "statement": lesson.get("statement", "")}, "")
    spots = (globs.spot(file, _bases(turn)) for file in turn.files if patterns["files"])
    lines = ((globs.simple_commands(line), line) for line in turn.commands if patterns["commands"])
    return (
        any(globs.covers(pattern, spot) for spot in spots for pattern in patterns["files"])
        or any(globs.runs(pattern, *line) for line in lines for pattern in patterns["commands"])
        or is_cited(lesson, turn.claim)
    )


def is_cited(lesson: Mapping[str, Any], text: str) -> bool:
    """Whether a text names the lesson by its short id or by its title."""
    low = text.lower()
    lesson_id, title = str(lesson["id"]), " ".join(str(lesson.get("title", "")).lower().split())
    if len(title) >= _SHORTEST_TITLE and title in " ".join(low.split()):
        return True
    return any(
        lesson_id.startswith(word) and (len(word) > 6 or f"({word})" in low or not word.isalpha())
        for word in set(_WORD.findall(low))
    )


def critical(lessons: Mapping[str, Doc]) -> dict[str, Doc]:
    """Return what `missed` needs of CRITICAL lessons: {id: {project, path, files, since}}."""
    return {
        lesson_id: {
            "project": entry["project"], "path": entry["path"], "files": entry["files"],
            "since": doc.get("reviewed_at") or doc.get("created", ""),
        }
        for lesson_id, doc in lessons.items()
        if doc.get("status") == "active" and doc.get("priority") == "CRITICAL" and not doc.get("paused")
        if (entry := record(doc, ""))["files"]
    }  # fmt: skip


def missed(critical_lessons: Mapping[str, Doc], turn: TurnFinished) -> dict[str, str]:
    """Return the CRITICAL lessons that the session was never shown: {id: the file that was touched}."""
    touched_files = {}
    for lesson_id, lesson in critical_lessons.items():
        is_known = lesson_id in turn.heard or lesson["since"] > turn.started
        if not is_known and lesson["project"] in ("", turn.project):
            file = next((file for file in turn.files if _covers(lesson, file, turn)), None)
            if file is not None:
                touched_files[lesson_id] = file
    return touched_files


def _covers(lesson: Doc, file: str, turn: TurnFinished) -> bool:
    where = globs.spot(file, _bases(turn))
    module = [part for part in lesson["path"].split("/") if part not in ("", ".")]
    if module and (where[0] is None or where[0][: len(module)] != module):
        return False
    return any(globs.covers(pattern, where) for pattern in lesson["files"])


def _bases(turn: TurnFinished) -> tuple[str, ...]:
    return (turn.project,) if turn.project else ()


def noted(doc: Doc, kind: str, ts: str, session_id: str, words: str) -> list[Doc]:
    """Return the lesson's notes with one more; only the last few stay."""
    note = {"kind": kind, "ts": ts, "session_id": session_id, "words": words[:300]}
    return [*(doc.get("notes") or ()), note][-MOST_NOTES:]
