"""Chats that a host keeps, as the events that its hooks would have recorded.

What happened is read as Claude Code's payloads, which `wire.payloads` cleans, redacts and cuts. A form is
internal to its client and changes: a reader of it assumes nothing about a line, and skips unknown ones.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from learnloop.hosts.transcript_lines import SOURCE, Line, Record, event_id
from learnloop.wire import payloads, project
from learnloop.wire.hosts import description, subagent_sessions, translation


class ChatReader:
    """One chat: what is said in it becomes events."""

    def __init__(
        self, host: str, path: str, extras: Sequence[str], home: str, session: str, cwd: str, *,
        is_print: bool = False, agent: str = "",
    ) -> None:  # fmt: skip
        self._host, self._path, self._extras = host, path, extras
        self._session, self._cwd = session, cwd
        self._headless = "print" if is_print else ""
        self._agent = {"agent_id": agent} if agent else {}
        self._ids = (session, agent) if agent else (session,)
        self._project = project.find(cwd, home)
        self._described = description(host)
        self._number = 0
        self._started = False
        self.prompt_id = ""
        """Names the turn, where the host has names for turns."""
        self._answer: tuple[int, str] | None = None
        """The agent's last words, where nothing came after them."""

    def begin(self, ms: int) -> Iterator[Record]:
        """The start of the session."""
        if not self._started:
            self._started = True
            yield from self._records(ms, "SessionStart", source="startup")

    def prompt(self, ms: int, words: str) -> Iterator[Record]:
        """A person's prompt, which ends the turn before it; nothing where hooks alone say something."""
        typed = translation.typed(self._described, words)
        if typed.strip():
            yield from self.end()
            self._number += 1
            if self._agent:
                self._agent["agent_type"] = subagent_sessions.type_of(words)
            yield from self._records(ms, "UserPromptSubmit", prompt=typed)

    def answer(self, ms: int, words: str) -> None:
        """Note what the agent said; the last of it closes the turn."""
        self._answer = (ms, words) if words.strip() else self._answer

    def call(
        self, ms: int, call: Line, error: str, *, refused: bool = False, words: str = "", agent: str = ""
    ) -> Iterator[Record]:
        """A tool call `{id, name, args}`, which failed where there is an error; a refusal may have words."""
        self._answer = None
        name, args = str(call.get("name")), call.get("args")
        ours, inputs = self._described["tools"].get(name, (name, {}))
        given = {inputs.get(key, key): value for key, value in args.items()} if isinstance(args, dict) else {}
        called: Line = {"tool_name": ours, "tool_input": given, "tool_use_id": str(call.get("id", ""))}
        if agent:
            called["agent_id"] = agent
        if error and not refused:
            yield from self._records(ms, "PostToolUseFailure", **called, error=error)
        else:
            response = translation.REFUSED + words if refused else ""
            yield from self._records(ms, "PostToolUse", refused, **called, tool_response=response)

    def interrupted(self, ms: int) -> Iterator[Record]:
        """The person cut the turn off."""
        self._answer = None
        yield from self._records(ms, "Notification", notification_type=payloads.INTERRUPTED)

    def end(self) -> Iterator[Record]:
        """The end of a turn that an answer of the agent closed."""
        if self._answer:
            (ms, words), self._answer = self._answer, None
            yield from self._records(ms, "Stop", last_assistant_message=words)

    def _records(self, ms: int, event: str, denied: bool = False, **fields: Any) -> list[Record]:
        event = translation.OF_SUBAGENTS.get(event, event) if self._agent else event
        if not event:
            return []
        whole = {
            "session_id": self._session, "cwd": self._cwd, "transcript_path": self._path,
            "prompt_id": self.prompt_id, **self._agent, **fields, "hook_event_name": event,
        }  # fmt: skip
        context = payloads.HookContext(
            self._project, self._extras, ms, headless=self._headless, denied=denied
        )
        records = payloads.records(self._host, whole, context)
        for record in records:
            use_id = fields.get("tool_use_id", "")
            record["id"] = event_id(ms, *self._ids, record["kind"], self._number, use_id)
            record["source"] = SOURCE
        return records
