"""Lessons that agents propose through `learn mcp`: drafts of trust `agent`, and never more."""

from collections.abc import Mapping
from typing import Any

from learnloop.errors import Refused
from learnloop.learn.offers import knowledge
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models import Lesson
from learnloop.service import event_log, workspace
from learnloop.service.lessons import documents, overlaps
from learnloop.service.workspace import Workspace
from learnloop.wire import env, event, switches

STATEMENT = (10, 300)
"""Characters of a statement, at least and at most."""
MOST_REASON = 1_000
_WAIT_S = 2.0


def propose(ws: Workspace, statement: str, reason: str = "", *, project: str = "", host: str = "mcp") -> str:
    """Record a proposal as an event; returns what became of it, in a sentence.

    Raises Refused, with nothing recorded, where recording is off or a text is too short or too long.
    """
    if not switches.recording(ws.root, project):
        raise Refused("recording is switched off here", "only the person can switch it on")
    _check_length("statement", statement, *STATEMENT)
    _check_length("reason", reason, 0, MOST_REASON)
    payload = {"statement": statement, **({"description": reason} if reason.strip() else {})}
    record = event.record(
        "proposal", host=host, payload=workspace.redacted(ws, payload), cwd="",
        session_id=workspace.redacted(ws, env.get("CLAUDE_CODE_SESSION_ID")),
        project=workspace.redacted(ws, project),
    )  # fmt: skip
    lesson = _draft(record)
    if same := _in_use(ws, lesson):
        return f"A lesson in use says that already: {same}."
    event_log.append(ws, [record])
    event_log.ingest(ws, _WAIT_S)
    name = (
        f" as draft {documents.short(ws.root, lesson.id)}" if lesson.id in documents.lessons(ws.root) else ""
    )
    return f"Recorded{name}. No agent is told it unless the person approves it."


def _check_length(name: str, text: str, least: int, most: int) -> None:
    length = len(" ".join(text[: 2 * most].split()))
    if not least <= length or len(text) > most:
        raise Refused(f"the {name} has {len(text):,} characters", f"{least} to {most:,} are allowed")


def _draft(record: Mapping[str, Any]) -> Lesson:
    origin = knowledge.Origin(record["id"], record["ts"], "proposal", project=record["project"])
    try:
        return knowledge.lesson_from_block(YamlMapping(record["payload"]), origin)
    except Malformed as error:
        raise Refused(
            f"this is no lesson: {error.reason}", "say in one sentence what is to be done"
        ) from None


def _in_use(ws: Workspace, lesson: Lesson) -> str:
    """The short id of an active lesson that says the same in the same place; empty where there is none."""
    docs = documents.lessons(ws.root)
    same = (each for each in overlaps.similar_lessons(ws, lesson) if each.is_same and each.status == "active")
    return next(
        (each.short for each in same if docs[each.lesson_id].get("project", "") in ("", lesson.project)), ""
    )
