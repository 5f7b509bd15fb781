"""Has a model judge finished turns that wrote files: which lessons without a check did they break?

Nothing is queued: a turn waits until a recorded run names it, or it is too late to help. So a crash loses and
repeats none.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from learnloop.distill import model_call, recording, work
from learnloop.errors import Refused
from learnloop.hosts import transcript_lines
from learnloop.ingest.turns import WRITING_TOOLS
from learnloop.learn.facts import answers, reading_consent, requests, turn_requests
from learnloop.learn.facts.turn_requests import ReadTurn, TurnCall
from learnloop.models import Session, Turn
from learnloop.models.fact import FactRun
from learnloop.models.lesson_check import upgraded
from learnloop.service import workspace
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.settings import Settings, load
from learnloop.store import locks, segments
from learnloop.store.store import Store
from learnloop.wire import clock, origin, payloads, session_recalls

Doc = dict[str, Any]
_LATE_MS = 2 * 3_600_000
"""So long after its end a turn is judged: later nobody goes on from it."""
_TRIES = 3
WAIT_S = 15.0
"""So long one waits for another one that asks."""
_TAIL = 8 << 20
"""Bytes at the end of a transcript in which a turn's calls are looked for."""
_ADDED = ("content", "new_string", "new_source")


def consents(ws: Workspace, settings: Settings) -> dict[str, str]:
    """Where turns may be judged now, by project since when."""
    given = reading_consent.asked(documents.decisions(ws.root))
    everywhere = given.pop(reading_consent.EVERYWHERE, "")
    projects = {session.project for session in Store(ws.root).sessions()} if everywhere else set()
    every = {**dict.fromkeys(projects - {""}, everywhere), **given}
    is_on = settings.facts.mode != "off" and settings.enabled and settings.record
    return {
        project: since
        for project, since in every.items()
        if is_on and since and not work.is_switched_off(ws.root, project)
    }


def ask(ws: Workspace, settings: Settings, session_id: str = "", project: str = "") -> list[FactRun]:
    """Ask about the turns that wait, of one session or project if named; return the calls that were made.

    What was found is left for the session's next prompt. Raises Busy where another one asks for long.
    """
    runs = []
    with locks.held(Path(ws.root, "asking.lock"), wait_s=WAIT_S, what="the judging of turns"):
        workspace.ingest(ws, wait_s=WAIT_S)
        for session, turn in _waiting(ws, settings, session_id, project):
            try:
                runs += _asked(ws, settings, session, turn)
            except Refused:
                break
            workspace.ingest(ws, wait_s=WAIT_S)  # the limits count it
        _tell(ws)
    return runs


def held_by(ws: Workspace, session_id: str) -> dict[str, str]:
    """What the last turn of a session broke, of lessons that an agent waits for: the place by lesson."""
    turn = next(iter(Store(ws.root).turns(session_id, limit=1)), None)
    docs = documents.lessons(ws.root)
    return {
        breach.lesson_id: breach.place
        for run in listing.runs(ws)
        if turn and run.turn_id == turn.id
        for breach in run.broken
        if docs.get(breach.lesson_id, {}).get("reminds")
    }


def next_request(ws: Workspace, project: str) -> requests.Request | None:
    """What would be asked about the last turn of a project that wrote files; None where nothing would."""
    for session in Store(ws.root).sessions():
        if session.project == project:
            for turn in Store(ws.root).turns(session.id):
                if turn.files and (question := _question(ws, ws.settings, session, turn)):
                    return question[0]
    return None


def _waiting(
    ws: Workspace, settings: Settings, session_id: str, project: str
) -> Iterator[tuple[Session, Turn]]:
    """The turns that ended lately and were not judged, the oldest of a session first."""
    recent = clock.iso(clock.now_ms() - _LATE_MS)
    runs = [run for run in listing.runs(ws) if run.turn_id]
    tries, done = Counter(run.turn_id for run in runs), {run.turn_id for run in runs if run.outcome == "done"}
    allowed = consents(ws, settings)
    for session in Store(ws.root).sessions(since=recent):
        if session_id not in ("", session.id) or project not in ("", session.project):
            continue
        since = max(recent, allowed.get(session.project, "~"))
        for turn in reversed(Store(ws.root).turns(session.id, days=(recent[:10], "~"))):
            is_over = turn.end == "done" and turn.files and not turn.background and turn.started >= since
            if is_over and turn.id not in done and tries[turn.id] < _TRIES:
                yield session, turn


def _asked(ws: Workspace, settings: Settings, session: Session, turn: Turn) -> list[FactRun]:
    """Ask about one turn; no call where no lesson applies."""
    question = _question(ws, settings, session, turn)
    if question is None:
        return []
    request, lessons, read = question
    about = recording.new_run("ask", "", settings.facts.model, 1)
    about = about.with_(session_id=session.id, turn_id=turn.id)

    def read_answer(answer: answers.Answer) -> Doc:
        broken = turn_requests.broken(answer.given, lessons, read)
        may = session.project in consents(ws, load(environment=False))  # it may be withdrawn by now
        return {"broken": broken} if may else {}

    place = {"project": session.project, "host": session.host}
    return [model_call.ask_alone(ws.root, settings, request, about, read_answer, **place)[1]]


def _question(
    ws: Workspace, settings: Settings, session: Session, turn: Turn
) -> tuple[requests.Request, list[Doc], ReadTurn] | None:
    """The request about a turn, the lessons in it, and what it tells; None where no lesson applies."""
    read = _read(ws, settings, session, turn)
    lessons = turn_requests.applying(_lessons(ws, session.project, turn), read, session.project)
    if not lessons:
        return None
    return turn_requests.request([str(doc["statement"]) for doc in lessons], read), lessons, read


def _lessons(ws: Workspace, project: str, turn: Turn) -> Iterator[Doc]:
    """The lessons in use in a project that no check decides, as they were when the turn began."""
    for doc in documents.lessons(ws.root).values():
        is_used = doc["status"] == "active" and not doc.get("paused") and doc.get("statement")
        is_known = (doc.get("reviewed_at") or doc["created"]) <= turn.started
        is_decided = bool(upgraded(doc).get("check"))
        if is_used and is_known and not is_decided and _holds(doc, project, turn.files):
            yield doc


def _holds(doc: Doc, project: str, files: Sequence[str]) -> bool:
    if doc.get("scope") == "global":
        return True
    path = f"{project}/{doc.get('path', '')}/"
    is_near = doc.get("scope") != "module" or any(file.startswith(path) for file in files)
    return is_near and origin.is_same(str(doc.get("project", "")), project, str(doc.get("repo", "")))


def _read(ws: Workspace, settings: Settings, session: Session, turn: Turn) -> ReadTurn:
    """What happened in a turn, by what hooks recorded and the client's transcript has of its calls."""
    events = list(_events(ws.root, turn))
    texts = {e.get("tool_use_id"): e["payload"].get("text") for e in events if e["kind"] == "tool_start"}
    inputs = _inputs(session, texts)
    context = payloads.HookContext(session.project, settings.redaction.extras)
    clean = partial(context.cleaned, limit=turn_requests.MOST_CHARS)
    calls = []
    for event in events:
        if event["kind"] in ("tool_end", "tool_failed"):
            payload, use = event["payload"], event.get("tool_use_id", "")
            is_write = payload.get("tool") in WRITING_TOOLS
            given = inputs.get(use, {}) if is_write else {}
            edits = transcript_lines.objects(given.get("edits")) or [given]
            added = "\n".join(filter(None, (_first(edit, *_ADDED) for edit in edits)))
            removed = "\n".join(filter(None, (_first(edit, "old_string") for edit in edits)))
            file = str(payload.get("file", "")).removeprefix(f"{session.project}/")
            calls.append(TurnCall(
                str(payload.get("tool", "")), file, str(payload.get("command", "")), clean(removed),
                clean(added) or str(texts.get(use) or "") * is_write, event["kind"] == "tool_failed",
            ))  # fmt: skip
    message = next((e["payload"].get("message", "") for e in reversed(events) if e["kind"] == "turn_end"), "")
    prompt = turn.prompt[: turn_requests.MOST_PROMPT] if turn.origin == "human" else ""
    return ReadTurn(prompt, calls, str(message)[: turn_requests.MOST_MESSAGE])


def _first(given: Doc, *names: str) -> str:
    return next(filter(None, (transcript_lines.string(given, name) for name in names)), "")


def _events(root: str, turn: Turn) -> Iterator[Doc]:
    """The events of a turn in their order, each once."""
    first = segments.name(clock.parse_ms(turn.started), 0)
    by_id = {
        event["id"]: event
        for name in segments.names(root)
        if name >= first
        for event in segments.read(root, name)
        if event.get("session_id") == turn.session_id and turn.started <= event["ts"] <= (turn.ended or "~")
    }
    yield from sorted(by_id.values(), key=lambda event: str(event["ts"]))


def _inputs(session: Session, uses: Collection[str | None]) -> dict[str, Doc]:
    """The inputs of calls as the transcript of Claude Code has them, by the id of the call."""
    if session.host != "claude" or not session.transcript_path.endswith(".jsonl"):
        return {}
    inputs = {}
    try:
        for line in transcript_lines.lines(Path(session.transcript_path), _TAIL, b'"tool_use"'):
            message = line.get("message")
            content = message.get("content") if isinstance(message, dict) else None
            for part in transcript_lines.objects(content):
                if part.get("id") in uses and isinstance(part.get("input"), dict):
                    inputs[str(part["id"])] = part["input"]
    except OSError:  # what was read counts
        pass
    return inputs


def _tell(ws: Workspace) -> None:
    """Leave what was found lately where hooks look at the session's next prompt, each once."""
    recent = clock.iso(clock.now_ms() - _LATE_MS)
    for run in reversed(listing.runs(ws)):
        if run.broken and run.started >= recent:
            memory = session_recalls.SessionRecalls(ws.root, run.session_id)
            for breach in run.broken:
                memory.keep_found(run.turn_id, breach.lesson_id, breach.place)
