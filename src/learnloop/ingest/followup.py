"""What became of recalls: a turn that is over is judged by what was done in it.

A recall was followed where a file or command that the lesson names was touched in its turn, or the lesson was
cited by id or title. A CRITICAL lesson whose files were touched in a session that was never told it leaves a
note. Whether the same correction came again is judged where corrections are learned (`ingest.lessons`).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.ingest.effects import Judged
from learnloop.recall.compile import record
from learnloop.wire import globs

Doc = dict[str, Any]
MOST_NOTES = 5
MOST_TOLD = 100
_WORD = re.compile(r"[a-z2-7]{4,26}")
_SHORTEST_TITLE = 16


def judged(turn: Doc) -> Judged | None:
    """What a turn says of the lessons told in it, once, when it is over."""
    if not turn.get("ended") or turn.get("_judged") or not (turn["recalled"] or turn["files"]):
        return None
    turn["_judged"] = True
    return Judged(
        turn["id"], turn["session_id"], turn["project"], turn["started"], turn["ended"],
        list(turn["recalled"]), list(turn["files"]), list(turn["commands"]), turn["claim"],
        list(dict.fromkeys([*turn.get("_heard", ()), *turn["recalled"]])),
    )  # fmt: skip


def is_followed(lesson: Doc, turn: Judged) -> bool:
    """Whether a turn did something that the lesson is about, or cites it."""
    made = record({**lesson, "statement": lesson.get("statement", "")}, "")
    touched = any(
        globs.covers(pattern, globs.spot(file, _bases(turn)))
        for file in turn.files
        for pattern in made["files"]
    )
    return touched or _ran(made["commands"], turn.commands) or is_cited(lesson, turn.claim)


def _ran(patterns: Iterable[str], commands: Iterable[str]) -> bool:
    split = [(globs.simple_commands(command), command) for command in commands]
    return any(globs.runs(pattern, parts, line) for pattern in patterns for parts, line in split)


def is_cited(lesson: Mapping[str, Any], said: str) -> bool:
    """Whether a text names the lesson by its id, as it was told, or by its title."""
    low = said.lower()
    lesson_id, title = str(lesson["id"]), " ".join(str(lesson.get("title", "")).lower().split())
    if len(title) >= _SHORTEST_TITLE and title in " ".join(low.split()):
        return True
    return any(
        lesson_id.startswith(word) and (len(word) > 6 or f"({word})" in low or not word.isalpha())
        for word in set(_WORD.findall(low))
    )


def critical(lessons: Mapping[str, Doc]) -> dict[str, Doc]:
    """What is needed to notice that a CRITICAL lesson with files stayed silent, by id."""
    return {
        lesson_id: {
            "project": made["project"], "path": made["path"], "files": made["files"],
            "since": doc.get("reviewed_at") or doc.get("created", ""),
        }
        for lesson_id, doc in lessons.items()
        if doc.get("status") == "active" and doc.get("priority") == "CRITICAL" and not doc.get("paused")
        if (made := record(doc, ""))["files"]
    }  # fmt: skip


def silent(known: Mapping[str, Doc], turn: Judged) -> dict[str, str]:
    """The CRITICAL lessons that a session was never told, by id with the file that was touched."""
    found = {}
    for lesson_id, lesson in known.items():
        if lesson_id in turn.heard or lesson["since"] > turn.started:
            continue
        if lesson["project"] and lesson["project"] != turn.project:
            continue
        file = next((file for file in turn.files if _covers(lesson, file, turn)), None)
        if file is not None:
            found[lesson_id] = file
    return found


def _covers(lesson: Doc, file: str, turn: Judged) -> bool:
    where = globs.spot(file, _bases(turn))
    module = [part for part in lesson["path"].split("/") if part not in ("", ".")]
    if module and (where[0] is None or where[0][: len(module)] != module):
        return False
    return any(globs.covers(pattern, where) for pattern in lesson["files"])


def _bases(turn: Judged) -> tuple[str, ...]:
    return (turn.project,) if turn.project else ()


def noted(doc: Doc, kind: str, ts: str, session_id: str, words: str) -> list[Doc]:
    """The lesson's notes with one more; the last few are kept."""
    note = {"kind": kind, "ts": ts, "session_id": session_id, "words": words[:300]}
    return [*(doc.get("notes") or ()), note][-MOST_NOTES:]
