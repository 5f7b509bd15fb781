"""What happened in a session, an entry for each event, in the order of time. Pure."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from learnloop.learn.sessions.watch import Event
from learnloop.wire import clock

Kind = Literal["prompt", "tool", "failed", "refusal", "stopped", "agent", "done", "notice", "told", "session"]
KINDS: tuple[Kind, ...] = (
    "prompt", "tool", "failed", "refusal", "stopped", "agent", "done", "notice", "told", "session"
)  # fmt: skip
"""What entries can be filtered by."""
_LONGEST = 2_000


class RecalledLesson(NamedTuple):
    """A lesson that was recalled."""

    id: str
    score: int
    """In hundredths: 70 is the threshold of a MEDIUM lesson."""


class TimelineEntry(NamedTuple):
    """One line of a session's story."""

    id: str
    ms: int
    kind: Kind
    words: str
    """The prompt, the file or command, what went wrong, what was said."""
    tool: str = ""
    agent: str = ""
    """The type of the subagent; empty: the session's own agent."""
    mark: str = ""
    """What a transcript knows it by: the call's id."""
    lessons: tuple[RecalledLesson, ...] = ()
    machine: bool = False
    """A prompt that nobody typed."""
    heard: str = ""
    """What the words were taken for, how sure, and why."""


def entry_of(event: Event, heard: Mapping[str, str]) -> TimelineEntry | None:
    """The entry of an event, None for what tells nothing; `heard`: what words were taken for, by event."""
    payload = event.get("payload")
    made = _made(str(event.get("kind", "")), payload if isinstance(payload, dict) else {})
    if made is None:
        return None
    kind, words, tool = made
    told = (payload or {}).get("lessons") if kind == "told" else ()
    return TimelineEntry(
        id=str(event.get("id", "")), ms=clock.parse_ms(event.get("ts")), kind=kind,
        words=words[:_LONGEST], tool=tool,
        agent=str(event.get("agent_type") or ""), mark=str(event.get("tool_use_id") or ""),
        lessons=tuple(
            RecalledLesson(str(one.get("id", "")), int(one.get("score") or 0))
            for one in (told if isinstance(told, list) else ()) if isinstance(one, dict)
        ),
        machine=bool((payload or {}).get("machine")), heard=heard.get(str(event.get("id", "")), ""),
    )  # fmt: skip


def _made(kind: str, payload: Event) -> tuple[Kind, str, str] | None:
    say = payload.get
    tool, target = str(say("tool") or ""), str(say("file") or say("command") or "")
    match kind:
        case "prompt":
            return "prompt", str(say("prompt") or ""), ""
        case "tool_start":
            return None  # its end tells more; what runs now stands in the head
        case "tool_end":
            return "tool", target, tool
        case "tool_failed":
            is_stop = bool(say("interrupt"))
            why = " ".join(str(say("error") or "").split())
            return ("stopped" if is_stop else "failed"), f"{target}: {why}".strip(": "), tool
        case "refusal":
            said = f"“{say('words')}”" if say("words") else ""
            return "refusal", f"{target} {said}".strip(), tool
        case "subagent_start" | "subagent_end":
            begins = kind.endswith("start")
            return "agent", "starts" if begins else f"is done. {say('message') or ''}".strip(), ""
        case "turn_end":
            return "done", str(say("message") or ""), ""
        case "turn_failed":
            return "stopped", str(say("error") or say("message") or "the turn failed"), ""
        case "notice":
            return "notice", str(say("message") or say("type") or ""), ""
        case "recall":
            return "told", target, tool or str(say("moment") or "")
        case "session_start" | "session_end" | "compact":
            names = {"session_start": "begins", "session_end": "is over", "compact": "is compacted"}
            cause = say("source") or say("reason") or say("trigger")
            return "session", f"{names[kind]}{f' ({cause})' if cause else ''}", ""
    return None


def sorted_events(events: Iterable[Event]) -> list[Event]:
    """Events by time, each once."""
    once = {str(event.get("id", "")): event for event in events}
    return sorted(once.values(), key=lambda event: str(event.get("ts", "")))


def entries(events: Iterable[Event], heard: Mapping[str, str]) -> list[TimelineEntry]:
    """The story of events, oldest first, each happening once."""
    made = {found.id: found for event in events if (found := entry_of(event, heard)) is not None}
    return sorted(made.values(), key=lambda one: one.ms)
