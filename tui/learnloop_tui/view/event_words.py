"""Events of the journal as the live line shows them. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from learnloop.learn.sessions import timeline
from learnloop.wire import clock
from learnloop_tui.view.state import Happening

Payload = Mapping[str, Any]


KINDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "session_start": ("▸", "session"), "session_end": ("▪", "session over"), "prompt": ("❯", "prompt"),
    "tool_start": ("·", "tool"), "tool_end": ("·", "tool"), "tool_failed": ("✗", "failed"),
    "refusal": ("⊘", "refused"), "subagent_start": ("▸", "subagent"),
    "subagent_end": ("▪", "subagent done"), "answer": ("·", "answer"), "turn_end": ("✓", "done"),
    "turn_failed": ("✗", "turn failed"), "notice": ("!", "notice"), "compact": ("≡", "compacted"),
    "recall": ("◂", "recalled"), "decision": ("◆", "verdict"), "facts": ("◈", "read along"),
    "hook_error": ("✗", "hook error"),
})  # fmt: skip
"""A glyph and a word for each kind of event."""


def happening(record: dict[str, Any]) -> Happening:
    """An event as the live line shows it."""
    kind, payload = str(record.get("kind", "")), record.get("payload")
    return Happening(
        ms=clock.parse_ms(record.get("ts")),
        kind=kind,
        project=str(record.get("project", "")).rstrip("/").rpartition("/")[2],
        words=_words(kind, payload if isinstance(payload, dict) else {}, record),
    )


def _words(kind: str, payload: Payload, record: Payload) -> str:
    call = f"{payload.get('tool') or 'a tool'} {payload.get('file') or payload.get('command') or ''}".rstrip()
    match kind:
        case "prompt":
            return f"({payload['machine']})" if payload.get("machine") else f"“{payload.get('prompt') or ''}”"
        case "tool_start" | "tool_end":
            return call
        case "tool_failed":
            return f"{call}: {payload.get('error') or 'failed'}"
        case "refusal":
            return f"{call}: “{payload['words']}”" if payload.get("words") else call
        case "subagent_start" | "subagent_end":
            return str(record.get("agent_type") or "subagent")
        case "recall":
            count = len(payload.get("held") or ()) + len(payload.get("held_tasks") or ())
            held = f", {count} held back" if count else ""
            return f"{_told(payload)} at the {payload.get('moment') or 'prompt'}{held}"
        case "decision":
            return _decision(payload)
        case "facts":
            return timeline.of_event(payload)
        case "turn_end" | "turn_failed":
            return _first(payload, "message", "error")
    return _first(payload, "source", "reason", "trigger", "message", "error")


def _told(payload: Payload) -> str:
    tasks = payload.get("tasks")
    count = len(tasks) if isinstance(tasks, list) else 0
    earlier = f"{count} earlier task{'s' if count > 1 else ''}" if count else ""
    lessons = _lessons(payload.get("lessons")) if payload.get("lessons") or not earlier else ""
    return " and ".join(filter(None, (lessons, earlier)))


def _decision(payload: Payload) -> str:
    args, by = payload.get("args"), payload.get("by") or "cli"
    if isinstance(args, dict) and args.get("patches"):
        return f"{args.get('did') or 'changed'} by {by}, in prompt files"
    what = _lessons(payload["lesson_ids"]) if payload.get("lesson_ids") else ""
    did = payload.get("action")
    if isinstance(args, dict) and isinstance(args.get("experiment"), dict):
        did, what = args["experiment"].get("do"), f"“{args['experiment'].get('name', '')}”"
    return ", ".join(filter(None, (f"{did} by {by}", what)))


def _first(payload: Payload, *names: str) -> str:
    """The first of those fields that has a value."""
    return str(next((payload[name] for name in names if payload.get(name)), ""))


def _lessons(ids: Any) -> str:
    count = len(ids or ())
    return f"{count} {'lesson' if count == 1 else 'lessons'}"
