"""The event record: one hook firing or one human decision, a line of the journal."""

from learnloop.wire import clock

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Record: TypeAlias = dict[str, Any]

VERSION = 1


def record(
    kind: str, *, host: str, session_id: str, cwd: str, project: str, payload: "dict[str, Any]",
    ts_ms: int | None = None, event_id: str = "", hook_ms: float | None = None, **ids: str,
) -> "Record":  # fmt: skip
    """An event with id and time, its fields in the order of the design.

    `ids` are the optional names `prompt_id`, `tool_use_id`, `agent_id`, `agent_type`, `transcript_path`;
    empty ones are left out. `hook_ms` is what the hook took so far, in milliseconds.
    """
    ms = clock.now_ms() if ts_ms is None else ts_ms
    fields: Record = {
        "v": VERSION, "id": event_id or clock.new_id(ms), "ts": clock.iso(ms), "host": host, "kind": kind,
        "session_id": session_id,
    }  # fmt: skip
    fields.update((name, value) for name, value in ids.items() if value)
    fields.update(cwd=cwd, project=project, payload=payload)
    if hook_ms is not None:
        fields["hook_ms"] = hook_ms
    return fields
