"""From a host's payload to our records: the fields that each event keeps, cleaned, redacted and cut.

Nothing here trusts a type: a value of the wrong type is left out, or the whole payload is refused with a
`ValueError` that says why.
"""

from learnloop.wire import event, redact
from learnloop.wire.payload_fields import (
    ASKED_TOOLS,
    ENDED,
    KEYWORD_TEXT,
    collect_texts,
    input_text,
    machine,
    tool_command,
    tool_file,
    tool_name,
)

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from learnloop.wire.event import Record
    from learnloop.wire.payload_fields import Payload

    Made: TypeAlias = tuple[str, Payload, Payload]  # kind, payload, the object that carries the ids

NOTICES = ("permission_prompt", "idle_prompt", "agent_needs_input")
INTERRUPTED = "interrupted"
"""A notice that other hosts send, and that ingest makes of a transcript."""
_BLOCKS = 32_000
_PROMPT, _MESSAGE, _WORDS, _COMMAND, _REPORT, _TEXT, _SHORT = 16_000, 4_000, 4_000, 2_000, 2_000, 1_000, 500
_PATH, _ID, _ITEMS = 4_096, 200, 50
_CALLS, _CHARACTERS = 200, 64_000  # of one firing: a hook must not take long, however much an agent did
_ANSWERED = 16_000  # characters within which the answers begin that are recorded
_WINDOW = 2_048  # looked at beyond a cut, so that a secret which straddles it is still recognised

_REFUSED = "The user doesn't want to "
_SAID = "the user said:"
_TOOL_ERROR = "<tool_use_error>"
_VERSION_ASKED = (" --version", " -version", " -V", " -v", " version")
"""Commands that only ask a program for its version end so."""


class HookContext:
    """What the records of one firing share: where it happened, and what the person wants redacted.

    `headless`: `print` or `nested`, where the client says that nobody types here. `denied`: whether it marks
    the call as refused by the person; None where its transcript has to be asked.
    """

    def __init__(
        self, project: str, extras: "Sequence[str]" = (), ts_ms: int | None = None, *,
        headless: str = "", denied: bool | None = None,
    ) -> None:  # fmt: skip
        self.extras = extras
        self.ts_ms = ts_ms
        self.headless = headless
        self.denied = denied
        self.characters = 0
        """How many were looked at so far."""
        self._names: dict[str, str] = {}
        self.project = self.named(project, _PATH)

    def named(self, value: object, limit: int = _ID) -> str:
        """An id or path as `named` makes it; each is looked at once."""
        if not isinstance(value, str):
            return ""
        if value not in self._names:
            self._names[value] = named(value, limit, self.extras)
        return self._names[value]

    def cleaned(self, value: object, limit: int) -> str:
        """A text that may be written to disk: at most `limit` characters, cleaned, without secrets."""
        if not isinstance(value, str) or not value:
            return ""
        window = redact.cleaned(value[: limit + _WINDOW], self.extras)
        self.characters += min(len(value), limit + _WINDOW)
        if len(value) <= limit:
            return window
        # Redaction shortens the text, so the end of the window may hold half a secret.
        room = min(limit - 1, len(window) - _WINDOW // 2) if len(value) > limit + _WINDOW else limit - 1
        return window[:room] + "\N{HORIZONTAL ELLIPSIS}" if len(window) > limit else window


def records(host: str, payload: "Payload", context: HookContext) -> "list[Record]":
    """The records of one firing, in order; empty for an event that is not recorded.

    Raises ValueError for a payload that does not fit its event.
    """
    name = payload.get("hook_event_name")
    if not isinstance(name, str):
        raise ValueError("an event of no name")
    if name not in _MAKERS and name not in _COPIED:
        raise ValueError("an unknown event")
    session_id = payload.get("session_id")
    if not isinstance(session_id, str) or not session_id:
        raise ValueError("session_id is no text")
    make = _MAKERS.get(name, _copied)
    return [
        record(kind, host, payload, fields, context, carrier)
        for kind, fields, carrier in make(payload, context)
    ]


def record(
    kind: str, host: str, payload: "Payload", fields: "Payload", context: HookContext, call: "Payload"
) -> "Record":
    """A record of a payload, with other fields; `call` is the object that carries the id of a tool call."""
    named_ = context.named
    ids = {name: named_(payload.get(name)) for name in ("prompt_id", "agent_id", "agent_type")}
    return event.record(
        kind, host=host, session_id=named_(payload["session_id"]), cwd=named_(payload.get("cwd"), _PATH),
        project=context.project, payload=fields, ts_ms=context.ts_ms,
        tool_use_id=named_(call.get("tool_use_id")),
        transcript_path=named_(payload.get("transcript_path"), _PATH),
        **ids,  # type: ignore[arg-type]  # names that `event.record` knows as texts
    )  # fmt: skip


def named(value: object, limit: int = _ID, extras: "Sequence[str]" = ()) -> str:
    """An id or path: cleaned, without secrets and cut; nothing where it is no text.

    The same text always becomes the same name, so what belongs together stays together.
    """
    return redact.cleaned(value[: limit + _WINDOW], extras)[:limit] if isinstance(value, str) else ""


_COPIED: "dict[str, tuple[str, tuple[tuple[str, str, int], ...]]]" = {
    "SessionStart": ("session_start", (("source", "source", _ID), ("model", "model", _ID))),
    "StopFailure": ("turn_failed", (("error", "error", _ID), ("message", "last_assistant_message", _SHORT))),
    "PreCompact": ("compact", (("trigger", "trigger", _ID),)),
    "SessionEnd": ("session_end", (("reason", "reason", _ID),)),
}
"""Events whose fields are copied: the kind of record; each field's name, name in the payload and limit."""


def _copied(payload: "Payload", context: HookContext) -> "list[Made]":
    kind, names = _COPIED[payload["hook_event_name"]]
    fields = {name: context.cleaned(payload.get(source), limit) for name, source, limit in names}
    if not fields.get("model"):
        fields.pop("model", None)
    return [(kind, fields, payload)]


def _prompt(payload: "Payload", context: HookContext) -> "list[Made]":
    prompt = payload.get("prompt")
    if not isinstance(prompt, str):
        raise ValueError("prompt is no text")
    fields: Payload = {"prompt": context.cleaned(prompt, _PROMPT)}
    if len(prompt) > _PROMPT:
        fields["chars"] = len(prompt)
    fields["machine"] = machine(prompt)
    fields["mode"] = context.cleaned(payload.get("permission_mode"), _ID)
    if context.headless:
        fields["headless"] = context.headless
    return [("prompt", _without_empty(fields, "prompt"), payload)]


def _tool_start(payload: "Payload", context: HookContext) -> "list[Made]":
    if tool_name(payload) not in ASKED_TOOLS:
        return []
    fields = _target(payload, context)
    written = input_text(payload, "content", "new_string", "new_source", "description")
    fields["text"] = context.cleaned(written, _TEXT)
    return [("tool_start", _without_empty(fields, "tool"), payload)]


def _target(call: "Payload", context: HookContext) -> "Payload":
    fields = {
        "tool": context.cleaned(call.get("tool_name"), _ID),
        "file": context.cleaned(tool_file(call), _PATH),
        "command": context.cleaned(tool_command(call), _COMMAND),
    }
    return _without_empty(fields, "tool")


def _tool_batch(payload: "Payload", context: HookContext) -> "list[Made]":
    calls = payload.get("tool_calls")
    if not isinstance(calls, list):
        raise ValueError("tool_calls is no list")
    return [
        _call(payload, call, context)
        for call in calls[:_CALLS]
        if context.characters < _CHARACTERS
        and isinstance(call, dict) and tool_name(call) and not _is_stopped(call)
    ]  # fmt: skip


def _is_stopped(call: "Payload") -> bool:
    """Whether a hook stopped the call before it ran: nobody refused it, and nothing was done."""
    response = call.get("tool_response")
    return isinstance(response, str) and response.startswith(f"PreToolUse:{tool_name(call)} hook ")


def _call(payload: "Payload", call: "Payload", context: HookContext) -> "Made":
    """One call of a batch: a refusal, a failure that has no event of its own, or the end of a call.

    Any tool can print what a refusal looks like, so only the client's own mark makes one the person's.
    """
    response = _as_text(call.get("tool_response")).lstrip()
    fields = _target(call, context)
    if response.startswith(_REFUSED) and (denied := _is_denied(payload, call, context)) is not False:
        fields["words"] = context.cleaned(response.partition(_SAID)[2].strip(), _WORDS)
        return "refusal", {**fields, "marked": True} if denied else fields, call
    if response.startswith(_TOOL_ERROR):
        error = response[len(_TOOL_ERROR) :].partition("</tool_use_error>")[0]
        fields["error"] = context.cleaned(error, _SHORT)
        return "tool_failed", fields, call
    fields.update(_details(call, response, context))
    return "tool_end", fields, call


def _is_denied(payload: "Payload", call: "Payload", context: HookContext) -> bool | None:
    """Whether the client marks the call as refused by the person; None where it says nothing of it."""
    if context.denied is not None or payload["hook_event_name"] != "PostToolBatch":
        return bool(context.denied) or payload.get("refused") is True
    from learnloop.wire import denials

    return denials.is_marked(payload, call)


def _as_text(response: object) -> str:
    """A tool's response as the model sees it; a list of content blocks is joined."""
    if isinstance(response, str):
        return response
    texts: list[str] = []
    if isinstance(response, list):
        collect_texts(response, texts, KEYWORD_TEXT, 2)
        texts = [part for part in texts if part != "text"]
    return "\n".join(texts)


def _details(call: "Payload", response: str, context: HookContext) -> "Payload":
    """What some tools report besides: a started agent, answers to questions, a task list."""
    given, name = call.get("tool_input"), tool_name(call)
    if not isinstance(given, dict):
        return {}
    fields: Payload = {}
    is_agent = name in ("Agent", "Task")
    if is_agent:
        fields["agent_type"] = context.cleaned(given.get("subagent_type"), _ID)
    if given.get("run_in_background") is True or (is_agent and response.startswith("Async agent")):
        fields["background"] = True
    if name == "AskUserQuestion":
        fields["answers"] = _answers(given.get("answers"), response, context)
    if name == "Bash" and response and str(given.get("command")).endswith(_VERSION_ASKED):
        fields["version"] = context.cleaned(response.partition("\n")[0], _ID)
    if name == "TodoWrite":
        fields["todos"] = _todos(given.get("todos"))
    if name in ("TaskCreate", "TaskUpdate"):
        fields["task"] = _task(given, response, context)
    return _without_empty(fields)


def _answers(given: object, response: str, context: HookContext) -> "Payload":
    """Answers by question; a batch has them only as `"question"="answer"` in the text for the model."""
    if isinstance(given, dict):
        pairs = list(given.items())[:_ITEMS]
    else:
        parts = response.split('"="')[:_ITEMS]
        pairs = [
            (parts[at - 1].rpartition('"')[2], parts[at].partition('"')[0]) for at in range(1, len(parts))
        ]
    return {
        context.cleaned(question, _SHORT): context.cleaned(_as_text(answer), _SHORT)
        for question, answer in pairs
        if context.characters < _ANSWERED
    }


def _todos(given: object) -> "Payload":
    if not isinstance(given, list):
        return {}
    states = [item.get("status") for item in given if isinstance(item, dict)]
    done = states.count("completed")
    return {"total": len(states), "completed": done, "pending": len(states) - done}


def _task(given: "Payload", response: str, context: HookContext) -> "Payload":
    number = given.get("taskId")
    if not isinstance(number, str):  # "Task #1 created successfully: …"
        number = response.partition("#")[2].partition(" ")[0]
    status = context.cleaned(given.get("status"), _ID) or "pending"
    return _without_empty({"id": context.cleaned(number, _ID), "status": status})


def _tool_failed(payload: "Payload", context: HookContext) -> "list[Made]":
    if not tool_name(payload):
        return []
    fields = _target(payload, context)
    fields["error"] = context.cleaned(payload.get("error"), _SHORT)
    if payload.get("is_interrupt") is True:
        fields["interrupt"] = True
    return [("tool_failed", fields, payload)]


def _subagent(payload: "Payload", context: HookContext) -> "list[Made]":
    """Helper agents of the client itself (compaction) have an empty type and are left out."""
    if not named(payload.get("agent_type")):
        return []
    if payload["hook_event_name"] == "SubagentStart":
        return [("subagent_start", {}, payload)]
    return [("subagent_end", {"message": _message(payload, context, _REPORT)}, payload)]


_OFFERS = (
    "[/PROCESS_KNOWLEDGE]", "[/DISCOVERY]", "Lesson", "esson learned", "essons learned", "Takeaway",
    "Insight", "for future", "for the future",
)  # fmt: skip


def _message(payload: "Payload", context: HookContext, limit: int) -> str:
    """The agent's last message; one with a block or a lesson may be longer."""
    message = payload.get("last_assistant_message")
    if isinstance(message, str) and any(mark in message for mark in _OFFERS):
        limit = _BLOCKS
    return context.cleaned(message, limit)


def _answer(payload: "Payload", context: HookContext) -> "list[Made]":
    """Words of the agent that need not be its last: Claude Code reports none but those of an end."""
    return [("answer", {"message": _message(payload, context, _MESSAGE)}, payload)]


def _turn_end(payload: "Payload", context: HookContext) -> "list[Made]":
    fields: Payload = {"message": _message(payload, context, _MESSAGE)}
    tasks = payload.get("background_tasks")
    fields["background"] = [
        {name: context.cleaned(task.get(name), _ID) for name in ("id", "type", "description")}
        for task in (tasks[:_ITEMS] if isinstance(tasks, list) else ())
        if isinstance(task, dict) and task.get("status") not in ENDED
    ]
    return [("turn_end", fields, payload)]


def _notice(payload: "Payload", context: HookContext) -> "list[Made]":
    kind = payload.get("notification_type")
    if kind not in NOTICES and kind != INTERRUPTED:
        return []
    fields = {"type": kind, "message": context.cleaned(payload.get("message"), _SHORT)}
    target = _target(payload, context) if tool_name(payload) else {}
    return [("notice", {**fields, **target}, payload)]


def _without_empty(values: "Payload", *always: str) -> "Payload":
    return {name: value for name, value in values.items() if name in always or value not in ("", {}, [])}


_MAKERS: "dict[str, Callable[[Payload, HookContext], list[Made]]]" = {
    "UserPromptSubmit": _prompt, "PreToolUse": _tool_start,
    "PostToolUse": lambda call, context: [_call(call, call, context)] if tool_name(call) else [],
    "PostToolUseFailure": _tool_failed, "PostToolBatch": _tool_batch, "SubagentStart": _subagent,
    "SubagentStop": _subagent, "Answer": _answer, "Stop": _turn_end, "Notification": _notice,
}  # fmt: skip
