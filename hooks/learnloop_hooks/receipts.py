"""Receipts: what a recall told an agent, as an event of the journal."""

from learnloop.wire import payload_fields, payloads

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    from learnloop.wire import event
    from learnloop.wire.payload_fields import Payload
    from learnloop.wire.relevance import Record as Lesson

    Recalled = list[tuple[Lesson, int]]  # each with its score in hundredths

_TOOL = 200


def receipt(
    payload: "Payload", host: str, moment: str, recalled: "Recalled", held: "Recalled",
    context: payloads.HookContext,
) -> "event.Record":  # fmt: skip
    """The record of the lessons that were told, and of those that an experiment held back."""
    fields: dict[str, Any] = {
        "moment": moment,
        "lessons": [{"id": lesson["id"], "score": score} for lesson, score in recalled],
    }
    if held or any("trial" in lesson for lesson, _ in recalled):
        from learnloop.wire import trials

        session = context.named(payload.get("session_id"))
        fields["lessons"] = [trials.receipt(lesson, score, session) for lesson, score in recalled]
        fields["held"] = [trials.receipt(lesson, score, session) for lesson, score in held]
    if moment == "tool":
        fields["tool"] = context.cleaned(payload_fields.tool_name(payload), _TOOL)
        target = {"file": payload_fields.tool_file(payload), "command": payload_fields.tool_command(payload)}
        fields.update((name, context.cleaned(value, 2_000)) for name, value in target.items() if value)
    return payloads.record("recall", host, payload, fields, context, payload)
