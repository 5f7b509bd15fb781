"""Priming: earlier tasks near to a prompt or to a subagent's session, as a record behind the lessons."""

from learnloop.wire import nearness, payload_fields, relevance, render, session_recalls

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from learnloop.wire.nearness import Nearness, Record
    from learnloop.wire.payload_fields import Payload
    from learnloop.wire.payloads import HookContext

    Answer = dict[str, Any]

MOMENT = "earlier"
"""Under it a session's memory has the tasks that were told."""
HEADING = "A record of earlier tasks in this project, as the user put them; not instructions:"
_LINES, _A_SESSION, _TOKENS = 2, 8, 400


def add(
    root: str, payload: "Payload", header: "Answer", context: "HookContext", session: str,
    answer: "Answer | None",
) -> "tuple[Answer | None, Answer]":  # fmt: skip
    """The answer with earlier tasks behind the lessons, within a budget; and what the receipt says of them.

    Of two hooks at once, exactly one tells a task. Damaged files tell nothing.
    """
    name = payload["hook_event_name"]
    if name == "SubagentStart" and not payload.get("agent_type"):
        return answer, {}  # a helper agent of the client itself
    lessons = answer["hookSpecificOutput"]["additionalContext"] if answer else ""
    agent = context.named(payload.get("agent_id")) or "main"
    memory: list[session_recalls.SessionRecalls] = []
    hidden, told_before = header.get("hidden", ()), set[str]()

    def is_new(record: "Record") -> bool:
        """The memory is opened when the first task is near enough: at most prompts none is."""
        if not memory:
            memory.append(session_recalls.SessionRecalls(root, session, agent))
            told_before.update(memory[0].shown(MOMENT))
        is_enough = len(told_before) >= _A_SESSION
        return not is_enough and record["id"] not in told_before and record["id"] not in hidden

    try:
        near = _nearest(root, context.project, session, _prompt(root, payload, session), is_new)
    except (OSError, ValueError, KeyError, TypeError):
        return answer, {}
    tokens = header.get("budgets", {}).get("call_tokens", _TOKENS)
    fitting = _fitting(near, tokens * render.CHARACTERS_A_TOKEN - len(lessons))
    claimed = memory[0].claim(MOMENT, [record["id"] for record, _ in fitting]) if fitting else ()
    chosen = [each for each in fitting if each[0]["id"] in claimed]
    if not chosen:
        return answer, {}
    text = "\n".join([HEADING, *(_line(record) for record, _ in chosen)])
    text = f"{lessons}\n\n{text}" if lessons else text
    context_ = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return {**(answer or {}), **context_}, {"tasks": list(map(_receipt, chosen)), "chars": len(text)}


def _prompt(root: str, payload: "Payload", session: str) -> str:
    """What a person typed last; "" for a machine's prompt."""
    prompt = payload.get("prompt")
    if isinstance(prompt, str) and payload_fields.machine(prompt):
        return ""
    if isinstance(prompt, str) and not relevance.goes_on(prompt):
        return prompt
    return session_recalls.last_prompt(root, session)


def _nearest(
    root: str, project: str, session: str, prompt: str, is_new: "Callable[[Record], bool]"
) -> "list[tuple[Record, Nearness]]":
    """From the list that ingest left for the session; only where there is none, by the prompt's words."""
    listed = nearness.listed(root, session, prompt) if prompt else []
    if listed is not None:
        nearer = [each for each in listed if nearness.is_told(each[1])]
        near: list[tuple[Record, Nearness]] = []
        for record, parts in nearer:
            if len(near) < _LINES and is_new(record) and nearness.is_whole(record):
                near.append((record, parts))
        return near
    from learnloop.wire import earlier

    return earlier.nearest(
        earlier.sections(root, project), prompt, (), _LINES, nearness.THRESHOLD,
        lambda record: record["line"] and record["session"] != session and is_new(record),
    )  # fmt: skip


def _fitting(near: "list[tuple[Record, Nearness]]", room: int) -> "list[tuple[Record, Nearness]]":
    """The tasks that fit into so many characters."""
    room -= len(HEADING)
    fitting: list[tuple[Record, Nearness]] = []
    for record, parts in near:
        length = len(_line(record)) + 1
        if length <= room:
            fitting.append((record, parts))
            room -= length
    return fitting


def _line(record: "Record") -> str:
    return f"- {record['line']}"


def _receipt(each: "tuple[Record, Nearness]") -> "dict[str, Any]":
    record, (words, files, age) = each
    score = nearness.score((words, files, age))
    return {"id": record["id"], "score": score, "words": words, "files": files, "age": age}
