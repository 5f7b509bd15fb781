"""A host's payload read as Claude Code's, and our answer in the host's own form. Pure."""

from learnloop.wire import env, paths
from learnloop.wire.hosts import EVENT, TEXT, description

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    from learnloop.wire.hosts import Description
    from learnloop.wire.payload_fields import Payload

    Answer = dict[str, Any]

REFUSED = "The user doesn't want to do this; the user said: "
"""Begins the result of a call that the person refused; their words follow."""

OF_SUBAGENTS = {
    "SessionStart": "", "UserPromptSubmit": "SubagentStart", "Notification": "", "Stop": "SubagentStop",
    "SessionEnd": "",
}  # fmt: skip
"""What the events of a subagent's own session are read as; nothing where they say nothing of it."""


class Translation:
    """One firing of a host: what it says, and how it is answered. Raises as `description` and `read`."""

    def __init__(self, host: str, payload: "Payload", event: str = "") -> None:
        self.host = description(host)
        self._event = event or str(payload.get("hook_event_name"))
        self.payloads = read(self.host, payload, event)
        self.name = self.host["events"][self._event]
        """The event that it is read as."""

    def answered(self, answers: "list[Answer]") -> "Answer | None":
        """Our answers to the payloads as one of the host's."""
        return answered(self.host, self._event, answers)


def read(host: "Description", payload: "Payload", event: str = "") -> "list[Payload]":
    """The payloads that say the same: none for what no person did, several for a patch of several files.

    Raises ValueError for an event that the description does not name.
    """
    name = event or payload.get("hook_event_name")
    if not isinstance(name, str) or name not in host["events"]:
        raise ValueError("an unknown event")
    field, variants = host.get("variants", {}).get(name, ("", {}))
    event_name = variants.get(str(payload.get(field)), host["events"][name])
    if "caller" in host and payload.get("agent_id"):
        event_name = OF_SUBAGENTS.get(event_name, event_name)
    if not event_name:
        return []
    renamed = {ours: payload[theirs] for theirs, ours in host["fields"].items() if theirs in payload}
    firing: Payload = {**payload, **renamed, "hook_event_name": event_name}
    folder = env.get(host.get("project", "")) or firing.get("cwd")
    firing["started_in"] = folder or ("project" in host and paths.home())  # a window without a folder
    if firing["hook_event_name"] in ("UserPromptSubmit", "Stop") and not _is_of_session(host, firing):
        return []
    if isinstance(firing.get("prompt"), str):
        firing["prompt"] = typed(host, firing["prompt"])
    if isinstance(firing.get("last_assistant_message"), str):
        firing["last_assistant_message"] = firing["last_assistant_message"].strip()
    if firing["hook_event_name"] == "Notification":
        _name_notice(host, firing, name)
    elif firing["hook_event_name"] == "PostToolUse":
        _note_failure(host, firing)
    return _calls(host, firing) if "tool_name" in firing else [firing]


def typed(host: "Description", prompt: str) -> str:
    """A prompt without the context of hooks that the host put into it."""
    begin, end = host.get("added", ("", ""))
    while begin and end in prompt.partition(begin)[2]:
        before, _, rest = prompt.partition(begin)
        prompt = (before + rest.partition(end)[2]).strip()
    return prompt


def _is_of_session(host: "Description", firing: "Payload") -> bool:
    return firing.get("prompt") != "" and not any(firing.get(field) for field in host["machine"])


def _name_notice(host: "Description", firing: "Payload", event: str) -> None:
    """Name what a notification is about, and the call that a person is asked about."""
    kind, calls, details = firing.get("notification_type"), firing.get("tool_calls"), firing.get("details")
    firing["notification_type"] = host.get("notices", {}).get(kind if isinstance(kind, str) else event, "")
    if isinstance(calls, list) and any(
        isinstance(call, dict) and call.get("status") == host.get("refused", 0) for call in calls
    ):
        firing["notification_type"] = "interrupted"
    if isinstance(details, dict):
        firing["tool_name"] = "Bash" if "command" in details else "Edit"
        firing["tool_input"] = {"file_path": details.get("filePath"), "command": details.get("command")}


def _note_failure(host: "Description", firing: "Payload") -> None:
    """Make a failure of a call whose output tells of one, and a refusal of one that the person refused."""
    if firing.get("refused") is True:
        firing["tool_response"] = REFUSED
        return
    mark, cancelled = host.get("exit_code"), host.get("cancelled")
    output = _output(firing.get("tool_response"))
    code = output.rpartition(mark)[2].lstrip(" ") if mark and mark in output else "0"
    is_interrupt = bool(cancelled) and output.lstrip().startswith(str(cancelled))
    if not code.startswith("0") or is_interrupt:
        failure = {"error": output, "is_interrupt": is_interrupt}
        firing.update(failure, hook_event_name="PostToolUseFailure")


def _output(response: object) -> str:
    """What a tool answered, without the marks that a host puts around it."""
    content = response
    if isinstance(response, dict):
        content = response.get("llmContent") or response.get("textResultForLlm")
    if not isinstance(content, str):
        return ""
    lines = [line for line in content.split("\n") if not line.startswith(("<untrusted", "</untrusted"))]
    return "\n".join(lines)


def _calls(host: "Description", firing: "Payload") -> "list[Payload]":
    """The firing of a tool under the name and inputs that it is read as."""
    name, given = firing["tool_name"], firing.get("tool_input")
    ours, inputs = host["tools"].get(name, (name, {})) if isinstance(name, str) else (name, {})
    firing["tool_name"] = ours
    if isinstance(given, dict):
        given = firing["tool_input"] = {inputs.get(key, key): value for key, value in given.items()}
        if isinstance(given.get("patch"), str):
            return _of_patch(firing, given["patch"])
    return [firing]


def _of_patch(firing: "Payload", patch: str) -> "list[Payload]":
    """A call for each file; under ids of their own, since two calls under one id are one."""
    from learnloop.wire.hosts import patch_calls

    cwd, use_id = firing.get("cwd"), firing.get("tool_use_id")
    calls = patch_calls.calls(patch, cwd if isinstance(cwd, str) else "")
    ids = [use_id, *(f"{use_id}#{number}" for number in range(2, len(calls) + 1))]
    return [{**firing, **call, "tool_use_id": own} for call, own in zip(calls, ids, strict=False)] or [firing]


def answered(host: "Description", name: str, answers: "list[Answer]") -> "Answer | None":
    """Our answers to the calls of one event as one of the host's; None where it takes none of them."""
    texts = {kind: _joined(answers, kind) for kind in ("deny", "again", "context", "message")}
    strongest = next((kind for kind in ("deny", "again", "context") if texts[kind]), "")
    shapes = [(host["answers"].get(kind), texts[kind]) for kind in (strongest, "message") if texts.get(kind)]
    answer: Answer = {}
    for shape, text in shapes:
        answer.update(_filled(shape, name, text) if shape else {})
    return answer or None


def _joined(answers: "list[Answer]", kind: str) -> str:
    """The texts of one kind, each once."""
    return "\n".join(dict.fromkeys(filter(None, (_texts(answer)[kind] for answer in answers))))


def _texts(answer: "Answer") -> "dict[str, str]":
    """The words of an answer as Claude Code gets it, by what they are for."""
    specific = answer.get("hookSpecificOutput", {})
    return {
        "deny": specific.get("permissionDecisionReason", ""),
        "again": answer.get("reason", ""),
        "context": specific.get("additionalContext", ""),
        "message": answer.get("systemMessage", ""),
    }


def _filled(shape: "Any", event: str, text: str) -> "Any":
    if isinstance(shape, dict):
        return {key: _filled(value, event, text) for key, value in shape.items()}
    return shape.replace(EVENT, event).replace(TEXT, text)
