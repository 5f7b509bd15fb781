"""From a session's timeline: draft a lesson from a prompt, or find an entry's line in the transcript."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.errors import NotFound, Refused
from learnloop.ingest.turns import context_of
from learnloop.learn.hear import candidates
from learnloop.learn.language import words as own_words
from learnloop.learn.lessons import drafts
from learnloop.service import workspace
from learnloop.service.review import add_lessons
from learnloop.service.sessions.live_sessions import LiveSession, TimelineEntry
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, regular

if TYPE_CHECKING:
    from learnloop.models import Lesson

SOURCE = "picked"
_CONFIDENCE = 0.8
_NEEDLE = 60


def draft(ws: Workspace, session: LiveSession, entry: TimelineEntry) -> "Lesson":
    """Add a draft of a prompt that a person picks, with the turn before it as evidence.

    Raises Refused where nobody typed the prompt, or a lesson says it already.
    """
    if entry.kind != "prompt" or entry.machine or not entry.words.strip():
        raise Refused("this was not typed by a person", "pick a prompt")
    words = workspace.redacted(ws, entry.words)
    own = own_words.own_words(words)
    candidate = next(iter(candidates.ranked(own)), None)
    if candidate is None:
        raise Refused("these words are too few for a lesson", "pick another prompt, or type it: learn add")
    picked = candidate._replace(chance=max(candidate.chance, _CONFIDENCE))
    lesson = drafts.draft_from_candidate(
        own, picked, event_id=entry.id, ts=clock.iso(entry.ms), session_id=session.id,
        project=session.project, before=_before(ws, session, entry), source=SOURCE,
    )  # fmt: skip
    new = add_lessons.arrivals(ws, [lesson]).new
    if not new:
        raise Refused("a lesson says that already", "look for it: learn lessons WORD")
    add_lessons.add(ws, new)
    return new[0]


def _before(ws: Workspace, session: LiveSession, entry: TimelineEntry) -> dict[str, object]:
    """What the turn before a prompt did, as `draft_from_candidate` takes it."""
    from learnloop.service.sessions.sessions import turns

    at = clock.iso(entry.ms)
    turn = next((turn for turn in turns(ws, session.id, 1_000) if turn.started < at), None)
    if turn is None:
        return {"transcript_path": session.transcript_path}
    return {**context_of(turn), "transcript_path": session.transcript_path}


def line_of(session: LiveSession, entry: TimelineEntry) -> tuple[str, int]:
    """The transcript's path and the entry's line in it, counted from 1.

    Raises NotFound where the client named no transcript, the file is gone, or the entry is not in it.
    """
    path = Path(session.transcript_path)
    if not session.transcript_path:
        raise NotFound("the client named no transcript for this session", "its events are all there is")
    if not path.is_absolute() or not path.is_file():
        raise NotFound(f"{path} is gone", "clients remove old transcripts; the events stay here")
    needle = entry.mark or json.dumps(entry.words[:_NEEDLE].split("\n")[0], ensure_ascii=False)[1:-1]
    try:
        fd = regular.opened(str(path), follows=True)
        with os.fdopen(fd, encoding="utf-8", errors="replace") as lines:
            at = next((number for number, line in enumerate(lines, 1) if needle and needle in line), 0)
    except OSError:
        raise NotFound(f"{path} is gone", "clients remove old transcripts; the events stay here") from None
    if not at:
        raise NotFound(f"{path} does not contain it", "it may have been compacted")
    return str(path), at
