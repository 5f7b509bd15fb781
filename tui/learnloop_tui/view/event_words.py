"""Events of the journal in words, for the live line. Pure."""

from __future__ import annotations

from typing import Any

from learnloop.wire import clock
from learnloop_tui.view.state import Happening

KINDS = {
    "session_start": ("▸", "session"),
    "session_end": ("▪", "session over"),
    "prompt": ("❯", "prompt"),
    "tool_start": ("·", "tool"),
    "tool_end": ("·", "tool"),
    "tool_failed": ("✗", "failed"),
    "refusal": ("⊘", "refused"),
    "subagent_start": ("▸", "subagent"),
    "subagent_end": ("▪", "subagent done"),
    "turn_end": ("✓", "done"),
    "turn_failed": ("✗", "turn failed"),
    "notice": ("!", "notice"),
    "compact": ("≡", "compacted"),
    "recall": ("◂", "told"),
    "decision": ("◆", "verdict"),
    "hook_error": ("✗", "hook error"),
}
"""A glyph and a word for each kind of event."""


def happening(record: dict[str, Any]) -> Happening:
    """An event as the live line shows it."""
    payload = record.get("payload")
    kind = str(record.get("kind", ""))
    return Happening(
        ms=clock.parse_ms(record.get("ts")),
        kind=kind,
        project=str(record.get("project", "")).rstrip("/").rpartition("/")[2],
        words=_words(kind, payload if isinstance(payload, dict) else {}, record),
    )


def _words(kind: str, payload: dict[str, Any], record: dict[str, Any]) -> str:
    say = payload.get
    call = f"{say('tool') or 'a tool'} {say('file') or say('command') or ''}".rstrip()
    match kind:
        case "prompt":
            return f"({say('machine')})" if say("machine") else f"“{say('prompt') or ''}”"
        case "tool_start" | "tool_end":
            return call
        case "tool_failed":
            return f"{call}: {say('error') or 'failed'}"
        case "refusal":
            return f"{call}: “{say('words')}”" if say("words") else call
        case "subagent_start" | "subagent_end":
            return str(record.get("agent_type") or "subagent")
        case "turn_end" | "turn_failed":
            return str(say("message") or say("error") or "")
        case "recall":
            many = len(say("lessons") or ())
            return f"{many} {'lesson' if many == 1 else 'lessons'} at the {say('moment') or 'prompt'}"
        case "decision":
            args = say("args")
            if isinstance(args, dict) and args.get("patches"):
                return f"{args.get('did') or 'changed'} by {say('by') or 'cli'}, in prompt files"
            many = len(say("lesson_ids") or ())
            return f"{say('action')} by {say('by') or 'cli'}, {many} {'lesson' if many == 1 else 'lessons'}"
        case _:
            return str(
                say("source") or say("reason") or say("trigger") or say("message") or say("error") or ""
            )
