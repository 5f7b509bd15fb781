"""Transcripts of Claude Code as the events that hooks would have recorded, with their own times.

The format is internal to the client and changes; so nothing about a line is assumed, and unknown ones are
skipped. Every line becomes the payload of a hook and goes through `wire.payloads` as that does: cleaned,
redacted, cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learnloop.hosts.transcript_lines import (
    SOURCE,
    Line,
    Record,
    event_id,
    lines,
    millis,
    objects,
    oldest_first,
    string,
    text,
)
from learnloop.wire import denials, payload_fields, payloads, project

HOST = "claude"
_INTERRUPTED = "[Request interrupted by user"
_COMMAND = "<command-"
_ENDS = ("turn_duration", "stop_hook_summary")
_MOST_CALLS = 500


@dataclass
class _Reader:
    """One session while its lines are read."""

    path: str
    extras: Sequence[str]
    session_id: str = ""
    home: str = ""
    cwd: str = ""
    project: str = ""
    agent: dict[str, str] = field(default_factory=dict)
    calls: dict[str, Line] = field(default_factory=dict)
    answer: str = ""
    """The agent's last message, where nothing came after it."""
    answer_line: Line = field(default_factory=dict)
    prompt_id: str = ""
    command: Line | None = None
    subagent: str = ""

    def read(self, lines: Iterable[Line]) -> Iterator[Record]:
        """The events of the lines."""
        for line in lines:
            if millis(line) is None:
                continue
            if not self.session_id and _may_begin(line):
                yield from self._begin(line)
            if handle := _HANDLERS.get(str(line.get("type"))):
                yield from handle(self, line)
        yield from self._end_turn()

    def _begin(self, line: Line) -> Iterator[Record]:
        self.session_id, self.cwd = line["sessionId"], line["cwd"]
        self.project = project.find(self.cwd, self.home)
        if not self.agent:
            for record in self._records(line, "session_start", "SessionStart", source="startup"):
                if isinstance(line.get("gitBranch"), str) and line["gitBranch"]:
                    record["payload"]["branch"] = payloads.named(line["gitBranch"], extras=self.extras)
                yield record

    def user(self, line: Line) -> Iterator[Record]:
        """A prompt, a tool's result, or a line that the client itself wrote."""
        if line.get("isMeta") or line.get("isCompactSummary") or line.get("isVisibleInTranscriptOnly"):
            return
        for part in _content(line):
            if part.get("type") == "tool_result":
                yield from self._result(line, part)
        words = _words(line)
        if words.strip() and not line.get("isSidechain"):
            yield from self._typed(line, words)

    def _typed(self, line: Line, words: str) -> Iterator[Record]:
        if words.lstrip().startswith(_INTERRUPTED):
            self.answer = ""
            for record in self._records(line, "notice", "Notification", notification_type="idle_prompt"):
                record["payload"] = {"type": "interrupted", "message": ""}
                yield record
            return
        if words.lstrip().startswith(_COMMAND):
            self.command = line
            return
        if payload_fields.machine(words) in ("command", "reminder", "summary"):
            return
        self.command = None
        yield from self._end_turn()
        yield from self._prompt(line, words)

    def _prompt(self, line: Line, words: str) -> Iterator[Record]:
        self.prompt_id = string(line, "promptId")
        origin = line.get("origin")
        kind = origin.get("kind") if isinstance(origin, dict) else None
        for record in self._records(line, "prompt", "UserPromptSubmit", prompt=words):
            if isinstance(kind, str) and kind != "human":
                record["payload"].setdefault("machine", payloads.named(kind, extras=self.extras))
            yield record

    def _result(self, line: Line, part: Line) -> Iterator[Record]:
        use_id = part.get("tool_use_id")
        call = self.calls.pop(use_id, None) if isinstance(use_id, str) else None
        if call is None:
            return
        response = text(part.get("content"))
        called = {"tool_name": call.get("name"), "tool_input": call.get("input"), "tool_use_id": use_id}
        denied = denials.is_refusal(line, part)
        if part.get("is_error") is True and not denied:
            interrupt = response.lstrip().startswith(_INTERRUPTED)
            failure = {**called, "error": response, "is_interrupt": interrupt}
            yield from self._records(line, str(use_id), "PostToolUseFailure", **failure)
        else:
            calls = [{**called, "tool_response": response}]
            yield from self._records(line, str(use_id), "PostToolBatch", denied=denied, tool_calls=calls)

    def assistant(self, line: Line) -> Iterator[Record]:
        """A message of the agent, with its tool calls."""
        if line.get("isApiErrorMessage"):
            failure = {"error": "api", "last_assistant_message": _words(line)}
            yield from self._records(line, "turn_failed", "StopFailure", **failure)
            self.answer = ""
            return
        if self.command is not None and not line.get("isSidechain"):
            command, self.command = self.command, None
            yield from self._end_turn()
            yield from self._prompt(command, text(_message(command).get("content")))
        for part in _content(line):
            if part.get("type") == "tool_use" and isinstance(part.get("id"), str):
                self._call(line, part)
        words = _words(line)
        if words.strip() and not line.get("isSidechain"):
            self.answer, self.answer_line = words, line

    def _call(self, line: Line, part: Line) -> None:
        if len(self.calls) < _MOST_CALLS:
            self.calls[part["id"]] = part
        if not line.get("isSidechain"):
            self.answer = ""
        given = part.get("input")
        if part.get("name") in ("Agent", "Task") and isinstance(given, dict):
            self.subagent = string(given, "subagent_type") or self.subagent

    def attachment(self, line: Line) -> Iterator[Record]:
        """A message that was typed while the agent was at work."""
        inner = line.get("attachment")
        if not isinstance(inner, dict) or inner.get("type") != "queued_command" or line.get("isSidechain"):
            return
        origin = inner.get("origin")
        human = not isinstance(origin, dict) or origin.get("kind") in (None, "human")
        words = text(inner.get("prompt"))
        if human and inner.get("commandMode") in (None, "prompt") and words.strip():
            running = self.prompt_id
            yield from self._prompt({**line, "promptId": running}, words)

    def system(self, line: Line) -> Iterator[Record]:
        """A note of the client: the end of a turn, a compaction."""
        if line.get("subtype") in _ENDS and not line.get("isSidechain"):
            yield from self._end_turn()
        elif line.get("subtype") == "compact_boundary":
            meta = line.get("compactMetadata")
            trigger = meta.get("trigger") if isinstance(meta, dict) else ""
            yield from self._records(line, "compact", "PreCompact", trigger=trigger)

    def _end_turn(self) -> Iterator[Record]:
        """The end of a turn that an answer of the agent closed."""
        if self.answer and not self.agent:
            answer, self.answer = self.answer, ""
            end = {"last_assistant_message": answer, "background_tasks": []}
            yield from self._records(self.answer_line, "turn_end", "Stop", **end)

    def _records(self, line: Line, what: str, event: str, **fields: Any) -> list[Record]:
        ms, denied = millis(line), fields.pop("denied", False)
        if ms is None or not self.session_id:
            return []
        agent = {} if what == "session_start" else self.agent
        if not agent and line.get("isSidechain") and what != "session_start":
            agent = {
                "agent_id": string(line, "agentId") or "sidechain",
                "agent_type": self.subagent or "subagent",
            }
        whole = {
            "session_id": self.session_id, "cwd": string(line, "cwd") or self.cwd,
            "transcript_path": self.path,
            "prompt_id": self.prompt_id if what != "session_start" else "", **agent, **fields,
            "hook_event_name": event,
        }  # fmt: skip
        context = payloads.HookContext(self.project, self.extras, ms, headless=_headless(line), denied=denied)
        records = payloads.records(HOST, whole, context)
        for number, record in enumerate(records):
            record["id"] = event_id(ms, self.session_id, record["kind"], what, string(line, "uuid"), number)
            record["source"] = SOURCE
        return records


_HANDLERS = {
    "user": _Reader.user, "assistant": _Reader.assistant, "attachment": _Reader.attachment,
    "system": _Reader.system,
}  # fmt: skip


def events(path: Path, extras: Sequence[str] = (), home: str = "") -> list[Record]:
    """The events of a session's transcript and of its subagents', by time; raises OSError."""
    own = _Reader(str(path), extras, home=home)
    records = list(own.read(lines(path)))
    for number, other in enumerate(subagents(path)):
        agent = {
            "agent_id": other.stem.removeprefix("agent-") or str(number),
            "agent_type": own.subagent or "subagent",
        }
        reader = _Reader(str(path), extras, own.session_id, home, own.cwd, own.project, agent)
        records += reader.read(lines(other))
    return sorted(records, key=lambda record: record["ts"])


def files(home: Path) -> list[Path]:
    """The transcripts of sessions, which have a folder for each project."""
    return oldest_first(
        path for path in home.glob("projects/*/*.jsonl") if not path.name.startswith("agent-")
    )


def subagents(path: Path) -> list[Path]:
    """The transcripts of a session's subagents."""
    folder = path.with_suffix("") / "subagents"
    return sorted(path for path in folder.glob("agent-*.jsonl") if path.is_file())


def folder(path: Path) -> str:
    """The folder that a session began in, empty where no line names it; raises OSError."""
    return next((line["cwd"] for line in lines(path) if _may_begin(line)), "")


def _may_begin(line: Line) -> bool:
    return isinstance(line.get("sessionId"), str) and isinstance(line.get("cwd"), str)


def is_transcript(path: Path) -> bool:
    """Whether a file holds at least one line of a session."""
    return any(
        isinstance(line.get("sessionId"), str) and isinstance(line.get("type"), str) for line in lines(path)
    )


def _message(line: Line) -> Line:
    message = line.get("message")
    return message if isinstance(message, dict) else {}


def _content(line: Line) -> list[Line]:
    """The parts of a message; a plain text is one part."""
    content = _message(line).get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def _words(line: Line) -> str:
    return text([part for part in _content(line) if part.get("type") == "text"])


def _headless(line: Line) -> str:
    """`print` where the client was started without a terminal."""
    source = line.get("promptSource")
    by_program = source == "sdk" or (source is None and string(line, "entrypoint").startswith("sdk"))
    return "print" if by_program else ""
