"""What events say about recalls: that lessons were shown, and what came after, and which were missed."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from learnloop.ingest import effects, trial_moments, turns
from learnloop.ingest.effects import TurnFinished, UpsertDocument
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.ingest.turns import WRITING_TOOLS
from learnloop.learn.hear import prompts
from learnloop.learn.lessons import repeats
from learnloop.learn.lessons.acts import AgentCall
from learnloop.recall.compile import record
from learnloop.wire import globs, payload_fields

Doc = dict[str, Any]
_MOST_SHOWN, _MOST_AGENTS, _MOST_WRITING, _MOST_STOPPED = 100, 20, 10, 20
_WORDS, _BRIEF, _COMMAND = 2000, 80, 300


def shown(view: SessionView, event: Doc) -> list[effects.LessonRecalled]:
    """Return the lessons of a receipt, and remember which agent they were shown to."""
    payload, agent, lesson_ids = event["payload"], event.get("agent_id", ""), _lesson_ids(event)
    view["heard"] = list(dict.fromkeys([*view.get("heard", ()), *lesson_ids]))[-_MOST_SHOWN:]
    shown_to = view.setdefault("shown_to", {})
    shown_to[agent] = list(dict.fromkeys([*shown_to.get(agent, ()), *lesson_ids]))[-_MOST_SHOWN:]
    while len(shown_to) > _MOST_AGENTS:
        del shown_to[next(iter(shown_to))]
    is_unwanted = bool(payload.get("stop"))
    stopped = _call(view, event) if is_unwanted or payload.get("gate") else None
    if stopped:
        denied = [lesson_ids, stopped.file, stopped.command[:_COMMAND]]
        view["stopped"] = [*view.get("stopped", ()), denied][-_MOST_STOPPED:]
    decided, is_end = _ran(event), payload.get("moment") == "end"
    return [
        effects.LessonRecalled(
            key, event["ts"], event["session_id"], stopped, is_unwanted, is_end and key not in decided
        )
        for key in lesson_ids
    ]  # fmt: skip


def ran(event: Doc) -> list[effects.CommandRan]:
    """Return what the person's own commands decided at the end of a turn."""
    decided = _ran(event).items()
    return [
        effects.CommandRan(key, event["session_id"], passed) for key, passed in decided if passed is not None
    ]


def _ran(event: Doc) -> dict[str, bool | None]:
    """Whether each command passed; None where the agent goes on first."""
    given = event["payload"].get("ran")
    return given if isinstance(given, dict) else {}


def held(view: SessionView, event: Doc) -> list[list[str]]:
    """Return the moments of experiments in a receipt, and remember which lessons were held back."""
    arms = trial_moments.of_receipt(event["payload"])
    shown_ids = view.get("heard", ())
    back = [lesson for _, lesson, _ in arms if lesson and lesson not in shown_ids]
    if back:
        view["held"] = list(dict.fromkeys([*view.get("held", ()), *back]))[-_MOST_SHOWN:]
    return arms


def recalled(event: Doc) -> list[effects.LessonRecalled]:
    """Return the lessons of a receipt without a session: nobody sees what the agent does afterwards."""
    return [effects.LessonRecalled(key, event["ts"]) for key in _lesson_ids(event)]


def _lesson_ids(event: Doc) -> list[str]:
    items = event["payload"].get("lessons")
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [item["id"] for item in rows if isinstance(item.get("id"), str)]


def told(view: SessionView) -> effects.SessionTold | None:
    """Return a session as it is now, if it was told lessons."""
    session, lesson_ids = view["session"], view.get("heard")
    if not lesson_ids:
        return None
    stopped = [(keys, AgentCall(file, command)) for keys, file, command in view.get("stopped", ())]
    return effects.SessionTold(
        session["id"],
        session["project"],
        session["last_seen"],
        bool(session.get("ended")),
        lesson_ids,
        stopped,
    )


def count(stats_by_day: Mapping[str, effects.HookStats], event: Doc, *, is_first: bool) -> None:
    """Count what a receipt cost on its day; the first one of a session makes it a told one.

    A token is counted as four characters.
    """
    payload, stats = event["payload"], stats_by_day.get(event["ts"][:10])
    chars = payload.get("chars")
    cost = {
        "times": 1, "sessions": int(is_first),
        "tokens": -(-chars // 4) if isinstance(chars, int) and chars > 0 else 0,
        "stopped": int(bool(payload.get("stop") or payload.get("gate"))),
    }  # fmt: skip
    if stats is not None and payload.get("lessons"):
        stats.told = dict(Counter(stats.told) + Counter(cost))


def starts(view: SessionView, event: Doc) -> None:
    """Remember what a call is about to write: its end does not repeat it."""
    text, use = event["payload"].get("text"), event.get("tool_use_id")
    if text and use:
        writing = view.setdefault("writing", {})
        writing[use] = text
        while len(writing) > _MOST_WRITING:
            del writing[next(iter(writing))]


def made(view: SessionView, turn: RunningTurn, event: Doc) -> effects.CallMade | None:
    """Return a call that an agent made after it was told lessons; a write that failed is none."""
    call = _call(view, event)
    view.get("writing", {}).pop(event.get("tool_use_id", ""), None)
    turns.wrote(turn, call.file, call.text)
    lesson_ids = view.get("shown_to", {}).get(event.get("agent_id", ""), ())
    if event["payload"].get("interrupt") or event.get("tool_use_id", "") in turn["_failed"]:
        call = call._replace(file="")
    heard, held, moments = view.get("heard", []), list(view.get("held", ())), trial_moments.of_turn(turn)
    if not (heard or held or moments) or not (call.file or call.command):
        return None
    typed = turn["prompt"][:_WORDS] if turn["origin"] == "human" else ""
    return effects.CallMade(
        event["ts"],
        event["session_id"],
        turn["id"],
        call,
        list(lesson_ids),
        list(heard),
        held,
        moments,
        typed,
    )


def claimed(view: SessionView, turn: RunningTurn, event: Doc) -> effects.ClaimMade | None:
    """Return the claim to be done of an agent that was told lessons; one that waits for others makes none."""
    heard = view.get("heard")
    if not heard or payload_fields.waits_for_agents({"background_tasks": event["payload"].get("background")}):
        return None
    return effects.ClaimMade(event["ts"], event["session_id"], turn["id"], list(heard))


def complaint(
    view: SessionView, event: Doc, words: str, category: str, *, is_over: bool
) -> effects.PersonComplained | None:
    """Return a remark as a complaint about the last turn, if it corrects it or says something again.

    A brief remark in a session that was told lessons may be one as well: the lessons decide. `is_over` is
    whether it comes after the last turn.
    """
    is_plain = category in prompts.CORRECTING or repeats.is_said_again(words)
    known = [*view.get("heard", ()), *view.get("held", ())]
    if not words or not (is_plain or (known and len(words) <= _BRIEF)):
        return None
    turn, project = view["turn"], event.get("project", "")
    calls = [_call(view, event)] if event["kind"] == "refusal" else []
    if turn is not None:
        calls += [AgentCall(file=file, project=project) for file in turn["files"]]
        calls += [AgentCall(command=command) for command in turn["commands"]]
    return effects.PersonComplained(
        event["id"], event["ts"], event["session_id"], project, words[:_WORDS], turn["id"] if turn else "",
        calls, known, is_plain, trial_moments.open_at(turn, is_over=is_over),
    )  # fmt: skip


def _call(view: SessionView, event: Doc) -> AgentCall:
    payload = event["payload"]
    is_write = bool(payload.get("file")) and payload.get("tool") in WRITING_TOOLS
    text = view.get("writing", {}).get(event.get("tool_use_id", ""), "") if is_write else ""
    file = str(payload["file"]) if is_write else ""
    command = "" if file else str(payload.get("command") or "")
    return AgentCall(file, command, text, event.get("project", ""), event.get("cwd", ""))


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


PRIMED = "primed"


def of_receipt(event: Doc) -> list[UpsertDocument]:
    """The tasks that a receipt names."""
    items = event["payload"].get("tasks")
    named = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [_document(event, item) for item in named if isinstance(item.get("id"), str)]


def _document(event: Doc, item: Doc) -> UpsertDocument:
    task, session, score = item["id"], event["session_id"], item.get("score")
    doc_id = f"{task} {session} {event.get('agent_id') or 'main'}"
    doc = {
        "id": doc_id, "task": task, "session_id": session, "project": event.get("project", ""),
        "ts": event["ts"], "agent": event.get("agent_type") or "main",
        "score": score if isinstance(score, int) else 0,
    }  # fmt: skip
    return UpsertDocument(PRIMED, doc_id, doc)
