"""Which approved lessons an agent is told at this moment, and the receipt for it."""

import posix
import time

from learnloop.wire import clock, codec, env, event, paths, payloads, session_recalls, text

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    from learnloop.wire.index import Index
    from learnloop.wire.payloads import Payload
    from learnloop.wire.relevance import Record as Lesson

    Answer = dict[str, Any]
    Told = list[tuple[Lesson, int]]

_MOMENTS = {
    "SessionStart": "start",
    "SubagentStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool",
}
_CONTEXT_IS_GONE = ("compact", "clear")
_LOOKED_AT_START = 60
_BUDGETS = {"start_tokens": 500, "call_tokens": 400, "per_call": 3, "per_session": 12, "threshold": 70}


def recall(
    root: str, payload: "Payload", host: str, index: "Index | None", project: str
) -> "tuple[Answer | None, event.Record | None]":
    """The answer for the agent and the receipt; None for each where there is nothing to tell.

    What is told is claimed first: of two hooks at once, one tells it.
    """
    name, session = payload.get("hook_event_name"), payload.get("session_id")
    if not isinstance(name, str) or name not in _MOMENTS or not isinstance(session, str) or not session:
        return None, None
    moment = _MOMENTS[name]
    told: Told = []
    stops = False
    if index is not None and index.header["lessons"]:
        asked = _Asked(root, payload, host, index, project, session, moment)
        told, stops = asked.told(), asked.stops
    answer = _stopped(told) if stops else _answer(name, told)
    if name == "SessionStart" and payload.get("source") == "startup":
        news = _news(root)
        if news:
            answer = {**(answer or {}), "systemMessage": news}
    if not told or index is None or not index.header.get("switches", {}).get("record", True):
        return answer, None
    context = payloads.HookContext(project, index.header.get("redaction", ()))
    receipt = _receipt(payload, host, moment, told, context)
    if stops:
        receipt["payload"]["gate"] = True
    return answer, receipt


def batch_over(root: str, payload: "Payload") -> None:
    """The calls that an agent made together are over: what a gate stopped may be tried again."""
    session, agent = payload.get("session_id"), payload.get("agent_id")
    if isinstance(session, str) and session:
        session_recalls.Memory(root, session, agent if isinstance(agent, str) else "main").batch_over()


class _Asked:
    """A moment at which recall is asked."""

    def __init__(
        self, root: str, payload: "Payload", host: str, index: "Index", project: str, session: str,
        moment: str,
    ) -> None:  # fmt: skip
        self._root, self._payload, self._host, self._index = root, payload, host, index
        self._project, self._session, self._moment = project, session, moment
        self._budgets = {**_BUDGETS, **index.header.get("budgets", {})}
        self.stops = False
        """What is told stops the call, so that the agent reads it before it acts."""

    def told(self) -> "Told":
        """The lessons that are told now, with their scores."""
        if self._moment == "start":
            return self._at_start()
        words = self._prompt() if self._moment == "prompt" else self._call()
        return self._at_moment(words) if words else []

    def _at_start(self) -> "Told":
        from learnloop.wire import render, search

        if self._is("SubagentStart") and not self._agent_type():
            return []  # a helper agent of the client itself
        kept = self._memory()
        if self._payload.get("source") in _CONTEXT_IS_GONE:
            kept.forget_context()
        known = kept.told("start")
        lessons = zip(range(_LOOKED_AT_START), search.start(self._index, self._ready("")), strict=False)
        fresh = (render.brief(one) for _, one in lessons if one["id"] not in known and self._holds(one))
        told = render.fit(fresh, self._budgets["start_tokens"])
        claimed = kept.claim("start", [one["id"] for one in told]) if told else ()
        return [(one, 0) for one in told if one["id"] in claimed]

    def _prompt(self) -> str:
        """What a person typed, kept for the tools that follow; nothing where a machine did."""
        prompt = self._payload.get("prompt")
        if not isinstance(prompt, str) or payloads.machine(prompt):
            return ""
        context = payloads.HookContext(self._project, self._index.header.get("redaction", ()))
        try:
            self._memory().keep_prompt(context.kept(prompt, session_recalls.PROMPT_CHARACTERS))
        except OSError:  # tools will be asked without it
            pass
        return prompt

    def _call(self) -> str:
        """The words of a call of a tool that is asked, with the last human prompt; else nothing."""
        if payloads.tool_name(self._payload) not in payloads.ASKED_TOOLS:
            return ""
        return (
            f"{payloads.tool_words(self._payload)}\n{session_recalls.last_prompt(self._root, self._session)}"
        )

    def _at_moment(self, words: str) -> "Told":
        from learnloop.wire import render, search

        kept: list[session_recalls.Memory] = []
        known: set[str] = set()

        def is_new(lesson: "Lesson") -> bool:
            """The memory is opened when the first lesson fires: most calls never need it."""
            if not kept:
                kept.append(self._memory())
                known.update(kept[0].told(self._moment))
            gated = lesson.get("gate") and self._moment == "tool"
            return bool((gated and self._stopping(kept[0], [lesson])) or lesson["id"] not in known) and (
                self._holds(lesson)
            )

        budgets = self._budgets
        best = search.best(self._index, self._ready(words), budgets["per_call"], is_new, budgets["threshold"])
        scores = {lesson["id"]: score["final"] for lesson, score in best}
        gated = [lesson for lesson, _ in best if lesson.get("gate")] if self._moment == "tool" else []
        if gated and (stopping := self._stopping(kept[0], gated)):
            return [(one, scores[one["id"]]) for one in self._stop(kept[0], stopping)]
        fitting = render.fit([lesson for lesson, _ in best], budgets["call_tokens"])
        limit = budgets["per_session"]
        claimed = kept[0].claim(self._moment, [one["id"] for one in fitting], limit) if fitting else ()
        return [(one, scores[one["id"]]) for one in fitting if one["id"] in claimed]

    def _stopping(self, kept: session_recalls.Memory, gated: "list[Lesson]") -> "list[Lesson]":
        """The gated lessons that this call may not pass yet."""
        stops = kept.stops([one["id"] for one in gated], self._target(), clock.now_ms())
        return [one for one in gated if one["id"] in stops]

    def _stop(self, kept: session_recalls.Memory, stopping: "list[Lesson]") -> "list[Lesson]":
        """Note that the call is stopped; what the agent reads now is not told beside the next one again."""
        from learnloop.wire import render

        ids = [one["id"] for one in stopping]
        kept.stopped(ids, self._target(), clock.now_ms())
        kept.claim(self._moment, ids)
        self.stops = True
        return render.every(stopping, self._budgets["call_tokens"])

    def _target(self) -> str:
        return session_recalls.target_name(
            payloads.tool_file(self._payload) or payloads.tool_command(self._payload)
        )

    def _ready(self, words: str) -> "Any":
        from learnloop.wire import relevance

        payload, cwd = self._payload, self._payload.get("cwd")
        return relevance.Moment({
            "moment": self._moment,
            "tool": payloads.tool_name(payload),
            "file": payloads.tool_file(payload),
            "command": payloads.tool_command(payload),
            "words": words,
            "project": self._project,
            "start": env.get("CLAUDE_PROJECT_DIR"),
            "cwd": cwd if isinstance(cwd, str) else "",
            "agent": self._agent_type() or "main",
            "host": self._host,
        })  # fmt: skip

    def _memory(self) -> session_recalls.Memory:
        agent = self._payload.get("agent_id")
        return session_recalls.Memory(self._root, self._session, agent if isinstance(agent, str) else "main")

    def _agent_type(self) -> str:
        name = self._payload.get("agent_type")
        return name if isinstance(name, str) else ""

    def _is(self, name: str) -> bool:
        return bool(self._payload.get("hook_event_name") == name)

    def _holds(self, lesson: "Lesson") -> bool:
        return not lesson.get("expires") or bool(lesson["expires"] > clock.iso(clock.now_ms()))


def _answer(name: str, told: "Told") -> "Answer | None":
    if not told:
        return None
    from learnloop.wire import render

    said = render.text([lesson for lesson, _ in told])
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": said}}


def _stopped(told: "Told") -> "Answer":
    from learnloop.wire import render

    said = f"{render.text([lesson for lesson, _ in told])}\n{render.STOPPED}"
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": said,
        }
    }


def _receipt(
    payload: "Payload", host: str, moment: str, told: "Told", context: payloads.HookContext
) -> "event.Record":
    from learnloop.wire import render

    kept: dict[str, Any] = {
        "moment": moment,
        "lessons": [{"id": lesson["id"], "score": score} for lesson, score in told],
        "chars": len(render.text([lesson for lesson, _ in told])),
    }
    if moment == "tool":
        kept["tool"] = payloads.tool_name(payload)
        called = {"file": payloads.tool_file(payload), "command": payloads.tool_command(payload)}
        kept.update((name, context.kept(value, 2_000)) for name, value in called.items() if value)
    return event.record(
        "recall", host=host, session_id=text.clean(payload["session_id"][:200]), payload=kept,
        cwd=_plain(payload.get("cwd")), project=text.clean(context.project),
        prompt_id=_plain(payload.get("prompt_id")), tool_use_id=_plain(payload.get("tool_use_id")),
        agent_id=_plain(payload.get("agent_id")), agent_type=_plain(payload.get("agent_type")),
        transcript_path=_plain(payload.get("transcript_path")),
    )  # fmt: skip


def _plain(value: object) -> str:
    return text.clean(value[:4_096]) if isinstance(value, str) else ""


def _news(root: str) -> str:
    """What the person is told when a session starts, at most once a day; never meant for the model."""
    try:
        fd = posix.open(paths.news(root), posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
        try:
            drafts = codec.decode(posix.read(fd, 4_096).decode("utf-8"))["drafts"]
        finally:
            posix.close(fd)
        if not isinstance(drafts, int) or drafts < 1:
            return ""
        day = f"{paths.news(root)}.{time.strftime('%Y%m%d')}"
        posix.close(
            posix.open(day, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, paths.FILE_MODE)
        )
    except (OSError, ValueError, KeyError, TypeError):  # no news, or told today
        return ""
    return (
        "Learnloop: 1 draft waits in learn-tui"
        if drafts == 1
        else f"Learnloop: {drafts} drafts wait in learn-tui"
    )
