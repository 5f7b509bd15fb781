"""The timeline of a session: one entry for each event, sorted by time. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from learnloop.learn.sessions.watch import Event
from learnloop.wire import clock

Kind = Literal[
    "prompt", "tool", "failed", "refusal", "stopped", "agent", "done", "notice", "told", "held", "read",
    "session",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "prompt", "tool", "failed", "refusal", "stopped", "agent", "done", "notice", "told", "held", "read",
    "session"
)  # fmt: skip
"""Kinds that entries can be filtered by."""
_LONGEST = 2_000


class RecalledLesson(NamedTuple):
    """A lesson that was recalled, or that an experiment held back."""

    id: str
    score: int
    """Relevance in hundredths: 70 is the threshold of a MEDIUM lesson."""


class TimelineEntry(NamedTuple):
    """One line of a session's timeline."""

    id: str
    ms: int
    kind: Kind
    words: str
    """The prompt, the file or command, the error, or the message."""
    tool: str = ""
    agent: str = ""
    """The type of the subagent; empty for the session's own agent."""
    mark: str = ""
    """The id of the tool call in the transcript."""
    lessons: tuple[RecalledLesson, ...] = ()
    machine: bool = False
    """A program wrote the prompt."""
    heard: str = ""
    """What detection made of the words: category, confidence and reason."""


def entry_of(event: Event, heard: Mapping[str, str]) -> TimelineEntry | None:
    """The entry of an event, None for kinds without one; `heard` are detections by event id."""
    payload = event.get("payload")
    payload = payload if isinstance(payload, dict) else {}
    describe = _DESCRIBE.get(str(event.get("kind", "")))
    if describe is None:
        return None
    kind, words, tool = describe(payload)
    lessons = payload.get("held" if kind == "held" else "lessons")
    return TimelineEntry(
        id=str(event.get("id", "")), ms=clock.parse_ms(event.get("ts")), kind=kind,
        words=words[:_LONGEST], tool=tool,
        agent=str(event.get("agent_type") or ""), mark=str(event.get("tool_use_id") or ""),
        lessons=tuple(
            RecalledLesson(str(lesson.get("id", "")), int(lesson.get("score") or 0))
            for lesson in (lessons if kind in ("told", "held") and isinstance(lessons, list) else ())
            if isinstance(lesson, dict)
        ),
        machine=bool(payload.get("machine")), heard=heard.get(str(event.get("id", "")), ""),
    )  # fmt: skip


def _text(payload: Event, *names: str) -> str:
    """The first of these fields that is not empty."""
    return next((str(value) for name in names if (value := payload.get(name))), "")


def _told(payload: Event) -> str:
    """What a recall was about, or how many earlier tasks it told."""
    tasks = payload.get("tasks") or payload.get("held_tasks")
    count = len(tasks) if isinstance(tasks, list) else 0
    earlier = f"{count} earlier task{'s' if count > 1 else ''}" if count else ""
    return _text(payload, "file", "command") or earlier


def _failure(payload: Event) -> tuple[Kind, str, str]:
    error = " ".join(_text(payload, "error").split())
    words = f"{_text(payload, 'file', 'command')}: {error}".strip(": ")
    return "stopped" if payload.get("interrupt") else "failed", words, _text(payload, "tool")


def _refusal(payload: Event) -> tuple[Kind, str, str]:
    reply = f"“{payload['words']}”" if payload.get("words") else ""
    return "refusal", f"{_text(payload, 'file', 'command')} {reply}".strip(), _text(payload, "tool")


def _recall(payload: Event) -> tuple[Kind, str, str]:
    """A receipt; one without a lesson that was told is of lessons that an experiment held back."""
    is_held = bool(payload.get("held") or payload.get("held_tasks")) and not payload.get("lessons")
    return "held" if is_held else "told", _told(payload), _text(payload, "tool", "moment")


def _session(change: str) -> Callable[[Event], tuple[Kind, str, str]]:
    def describe(payload: Event) -> tuple[Kind, str, str]:
        cause = _text(payload, "source", "reason", "trigger")
        return "session", f"{change} ({cause})" if cause else change, ""

    return describe


_DESCRIBE: dict[str, Callable[[Event], tuple[Kind, str, str]]] = {
    "prompt": lambda payload: ("prompt", _text(payload, "prompt"), ""),
    "tool_end": lambda payload: ("tool", _text(payload, "file", "command"), _text(payload, "tool")),
    "tool_failed": _failure, "refusal": _refusal, "subagent_start": lambda _: ("agent", "starts", ""),
    "subagent_end": lambda payload: ("agent", f"is done. {_text(payload, 'message')}".strip(), ""),
    "answer": lambda payload: ("agent", f"says: {_text(payload, 'message')}", ""),
    "turn_end": lambda payload: ("done", _text(payload, "message"), ""),
    "turn_failed": lambda payload: ("stopped", _text(payload, "error", "message") or "the turn failed", ""),
    "notice": lambda payload: ("notice", _text(payload, "message", "type"), ""), "recall": _recall,
    "facts": lambda payload: ("read", of_event(payload), ""),
    "session_start": _session("begins"), "session_end": _session("is over"),
    "compact": _session("is compacted"),
}  # fmt: skip
"""Kind, words and tool by kind of event. `tool_start` has none: the end of the call says more."""


def sorted_events(events: Iterable[Event]) -> list[Event]:
    """Events by time, each once."""
    by_id = {str(event.get("id", "")): event for event in events}
    return sorted(by_id.values(), key=lambda event: str(event.get("ts", "")))


def entries(events: Iterable[Event], heard: Mapping[str, str]) -> list[TimelineEntry]:
    """The entries of events, oldest first, each event once."""
    by_id = {entry.id: entry for event in events if (entry := entry_of(event, heard)) is not None}
    return sorted(by_id.values(), key=lambda entry: entry.ms)


_VERBS = {"extract": "read", "merge": "merged", "summary": "summed up", "reword": "reworded",
          "ask": "judged"}  # fmt: skip
_THINGS = {"extract": "prompt", "summary": "file", "reword": "draft", "ask": "turn"}


def in_words(run: Mapping[str, Any], repeated: int = 0) -> str:
    """A run in a line: `read 6 prompts · haiku · 0.9 s · $0.0004 · 2 facts, 1 known`."""
    number, cost = run.get("prompts", 0), run.get("cost_usd")
    thing = _THINGS.get(str(run.get("stage")))
    what = _count(number, thing) if thing else "the facts of the session"
    came_to = _count(run.get("facts", 0), "fact") + (f", {repeated} known" if repeated else "")
    if run.get("stage") == "ask":
        came_to = ", ".join(f"broke “{each['words']}” in {each['place']}" for each in run.get("broken") or ())
        came_to = came_to or "nothing broken"
    parts = (
        f"{_VERBS.get(str(run.get('stage')), 'asked about')} {what}", str(run.get("model", "")),
        f"{run.get('ms', 0) / 1000:.1f} s", "cost unknown" if cost is None else f"${cost:.4f}",
        came_to if run.get("outcome") == "done" else str(run.get("outcome")), str(run.get("error", "")),
    )  # fmt: skip
    return " · ".join(filter(None, parts))


def of_event(payload: Mapping[str, Any]) -> str:
    """The run of an event of kind `facts` in a line; empty where the payload has none."""
    run, facts = payload.get("run"), payload.get("facts")
    if not isinstance(run, dict):
        return ""
    every = facts if isinstance(facts, list) else []
    repeated = sum(isinstance(fact, dict) and fact.get("status") == "known" for fact in every)
    try:
        return in_words(run, repeated)
    except (TypeError, ValueError, KeyError):
        return ""


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
