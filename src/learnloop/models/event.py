"""The event: one hook firing or one human decision, as recorded."""

from typing import Any, Literal, get_args

from pydantic import ConfigDict, Field

from learnloop.models.base import Document

EventKind = Literal[
    "session_start", "prompt", "tool_start", "tool_end", "tool_failed", "refusal", "subagent_start",
    "subagent_end", "answer", "turn_end", "turn_failed", "notice", "compact", "session_end", "recall",
    "decision", "discovery", "proposal", "facts", "hook_error",
]  # fmt: skip
EVENT_KINDS: tuple[str, ...] = get_args(EventKind)
_KINDS = frozenset(EVENT_KINDS)


class Event(Document):
    """One line of the journal, validated; newer writers may add fields, which are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    v: int
    id: str = Field(pattern=r"^[0-9a-f]{32}$")
    ts: str
    """UTC with milliseconds and Z."""
    host: str
    kind: EventKind
    session_id: str
    prompt_id: str = ""
    tool_use_id: str = ""
    agent_id: str = ""
    agent_type: str = ""
    transcript_path: str = ""
    cwd: str = ""
    project: str = ""
    payload: dict[str, Any] = Field(default_factory=dict)
    hook_ms: float | None = None


def is_event(record: dict[str, Any]) -> bool:
    """Whether a record has what ingest needs, besides what `store.lines.parse` has checked."""
    return (
        record["kind"] in _KINDS
        and len(record["id"]) == 32
        and len(record["ts"]) == 24
        and isinstance(record.get("host"), str)
        and record.keys() >= {"session_id", "payload"}
        and isinstance(record["payload"], dict)
    )
