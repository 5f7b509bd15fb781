"""Events of the journal as the live line shows them. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from learnloop.wire import clock
from learnloop_tui.view.state import Happening

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Payload = Mapping[str, Any]

KINDS: Mapping[str, tuple[str, str]] = MappingProxyType({
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
    "recall": ("◂", "recalled"),
    "decision": ("◆", "verdict"),
    "hook_error": ("✗", "hook error"),
})  # fmt: skip
"""A glyph and a word for each kind of event."""


def happening(record: dict[str, Any]) -> Happening:
    """An event as the live line shows it."""
    kind, payload = str(record.get("kind", "")), record.get("payload")
    words = _WORDS.get(kind, _other)
    return Happening(
        ms=clock.parse_ms(record.get("ts")),
        kind=kind,
        project=str(record.get("project", "")).rstrip("/").rpartition("/")[2],
        words=words(payload if isinstance(payload, dict) else {}, record),
    )


def _prompt(payload: Payload, _: Payload) -> str:
    return f"({payload['machine']})" if payload.get("machine") else f"“{payload.get('prompt') or ''}”"


def _call(payload: Payload, _: Payload) -> str:
    target = payload.get("file") or payload.get("command") or ""
    return f"{payload.get('tool') or 'a tool'} {target}".rstrip()


def _failure(payload: Payload, record: Payload) -> str:
    return f"{_call(payload, record)}: {payload.get('error') or 'failed'}"


def _refusal(payload: Payload, record: Payload) -> str:
    call = _call(payload, record)
    return f"{call}: “{payload['words']}”" if payload.get("words") else call


def _subagent(_: Payload, record: Payload) -> str:
    return str(record.get("agent_type") or "subagent")


def _turn(payload: Payload, _: Payload) -> str:
    return _first(payload, "message", "error")


def _recall(payload: Payload, _: Payload) -> str:
    return f"{_lessons(payload.get('lessons'))} at the {payload.get('moment') or 'prompt'}"


def _decision(payload: Payload, _: Payload) -> str:
    args, by = payload.get("args"), payload.get("by") or "cli"
    if isinstance(args, dict) and args.get("patches"):
        return f"{args.get('did') or 'changed'} by {by}, in prompt files"
    return f"{payload.get('action')} by {by}, {_lessons(payload.get('lesson_ids'))}"


def _other(payload: Payload, _: Payload) -> str:
    return _first(payload, "source", "reason", "trigger", "message", "error")


def _first(payload: Payload, *names: str) -> str:
    return str(next((payload[name] for name in names if payload.get(name)), ""))


def _lessons(ids: Any) -> str:
    count = len(ids or ())
    return f"{count} {'lesson' if count == 1 else 'lessons'}"


_WORDS: Mapping[str, Callable[[Payload, Payload], str]] = MappingProxyType({
    "prompt": _prompt,
    "tool_start": _call,
    "tool_end": _call,
    "tool_failed": _failure,
    "refusal": _refusal,
    "subagent_start": _subagent,
    "subagent_end": _subagent,
    "turn_end": _turn,
    "turn_failed": _turn,
    "recall": _recall,
    "decision": _decision,
})  # fmt: skip
"""By kind: the words, from the payload and the whole record."""
