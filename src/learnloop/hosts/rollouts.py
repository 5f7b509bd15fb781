"""Transcripts of Codex (`sessions/YYYY/MM/DD/rollout-*.jsonl`) as the events that hooks would have recorded.

The format is internal to the client and changes; so nothing about a line is assumed, and unknown ones are
skipped. What happened is read as Claude Code's payloads, which `wire.payloads` cleans, redacts and cuts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learnloop.hosts.transcript_lines import SOURCE, Line, Record, event_id, lines, millis, string, text
from learnloop.wire import payloads, project

HOST = "codex"
_PRINT = "codex_exec"
_TAIL = 8 << 20
"""Bytes read from the end of a transcript for a turn that ended just now."""
_FILES = {"add": "Write", "update": "Edit", "delete": "Edit"}


@dataclass
class _Reader:
    """One thread, of a session or of a subagent, while its lines are read."""

    path: str
    extras: Sequence[str] = ()
    home: str = ""
    session_id: str = ""
    cwd: str = ""
    project: str = ""
    agent: dict[str, str] = field(default_factory=dict)
    is_print: bool = False

    def read(self, every: Iterable[Line]) -> Iterator[Record]:
        """The events of the lines."""
        for line in every:
            payload = line.get("payload")
            if millis(line) is None or not isinstance(payload, dict):
                continue
            if line.get("type") == "session_meta" and not self.session_id:
                yield from self._begin(line, payload)
            elif line.get("type") == "compacted":
                yield from self._records(line, payload, "PreCompact", trigger="auto")
            elif line.get("type") == "event_msg":
                yield from self._happened(line, payload)

    def _begin(self, line: Line, meta: Line) -> Iterator[Record]:
        self.session_id = string(meta, "session_id") or string(meta, "id")
        self.cwd = string(meta, "cwd")
        self.project = project.find(self.cwd, self.home)
        self.is_print = string(meta, "originator") == _PRINT
        if _is_subagent(meta):
            self.agent = {"agent_id": string(meta, "id"), "agent_type": "default"}
            return
        for record in self._records(line, meta, "SessionStart", source="startup"):
            if branch := string(meta.get("git"), "branch"):
                record["payload"]["branch"] = payloads.named(branch, extras=self.extras)
            yield record

    def _happened(self, line: Line, payload: Line) -> Iterator[Record]:
        kind, item = payload.get("type"), payload.get("item")
        if kind == "turn_aborted" and payload.get("reason") == payloads.INTERRUPTED:
            yield from self._records(line, payload, "Notification", notification_type=payloads.INTERRUPTED)
        elif kind == "task_complete":
            words = string(payload, "last_agent_message")
            name = "SubagentStop" if self.agent else "Stop"
            yield from self._records(line, payload, name, last_assistant_message=words)
        elif kind == "user_message":  # of older versions
            yield from self._typed(line, payload, string(payload, "message"))
        elif kind == "item_completed" and isinstance(item, dict):
            yield from self._item(line, payload, item)

    def _item(self, line: Line, payload: Line, item: Line) -> Iterator[Record]:
        if item.get("type") == "UserMessage":
            yield from self._typed(line, payload, text(item.get("content")))
        for name, given, error in _calls(item):
            call = {"tool_name": name, "tool_input": given, "tool_use_id": string(item, "id")}
            if error is None:
                yield from self._records(line, payload, "PostToolUse", **call, tool_response="")
            else:
                yield from self._records(line, payload, "PostToolUseFailure", **call, error=error)

    def _typed(self, line: Line, payload: Line, words: str) -> Iterator[Record]:
        if words.strip() and not self.agent:
            yield from self._records(line, payload, "UserPromptSubmit", prompt=words)

    def _records(self, line: Line, payload: Line, event: str, **fields: Any) -> list[Record]:
        ms = millis(line)
        if ms is None or not self.session_id:
            return []
        whole = {
            "session_id": self.session_id, "cwd": self.cwd, "transcript_path": self.path,
            "prompt_id": string(payload, "turn_id"), **self.agent, **fields, "hook_event_name": event,
        }  # fmt: skip
        headless = "print" if self.is_print else ""
        context = payloads.HookContext(self.project, self.extras, ms, headless=headless)
        records = payloads.records(HOST, whole, context)
        for record in records:
            target = record["payload"].get("file", "")
            record["id"] = event_id(ms, self.session_id, record["kind"], line.get("ordinal"), target)
            record["source"] = SOURCE
        return records


def _calls(item: Line) -> Iterator[tuple[str, Line, str | None]]:
    """Tool, input and error of what the agent did; the error is None where it went through."""
    code, changes = item.get("exit_code"), item.get("changes")
    if item.get("type") == "CommandExecution":
        words = item.get("command")
        command = str(words[-1]) if isinstance(words, list) and words else string(item, "command")
        error = f"Exit code {code}\n{string(item, 'aggregated_output')}"
        yield "Bash", {"command": command}, error if isinstance(code, int) and code else None
    elif item.get("type") == "FileChange" and isinstance(changes, dict):
        for name, change in changes.items():
            error = string(item, "stderr") or "it failed"
            tool = _FILES.get(string(change, "type"), "Edit")
            yield tool, {"file_path": name}, error if item.get("status") == "failed" else None


def _is_subagent(meta: Line) -> bool:
    return isinstance(meta.get("source"), dict) and "subagent" in meta["source"]


def files(home: Path) -> list[Path]:
    """The transcripts of sessions, the oldest first; those of subagents are read with them."""
    every = sorted(home.glob("sessions/*/*/*/rollout-*.jsonl"), key=lambda path: path.name)
    return [path for path in every if not _is_subagent(_meta(path))]


def is_transcript(path: Path) -> bool:
    """Whether a file begins as a session of Codex does; raises OSError."""
    return any(line.get("type") == "session_meta" for line in lines(path))


def folder(path: Path) -> str:
    """The folder that a session began in, empty where no line names it; raises OSError."""
    return string(_meta(path), "cwd")


def events(path: Path, extras: Sequence[str] = (), home: str = "") -> list[Record]:
    """The events of a session's transcript and of its subagents', by time; raises OSError."""
    session = string(_meta(path), "id")
    records: list[Record] = []
    for each in [path, *_subagents(path, session)]:
        records += _Reader(str(path), extras, home).read(lines(each))
    return sorted(records, key=lambda record: record["ts"])


def failures(path: Path, prompt_id: str, extras: Sequence[str] = ()) -> list[Record]:
    """The calls of a turn that failed, of which hooks do not tell; raises OSError."""
    meta = _meta(path)
    reader = _Reader(str(path), extras, session_id=string(meta, "session_id"), cwd=string(meta, "cwd"))
    reader.project = project.find(reader.cwd)
    records = reader.read(lines(path, _TAIL))
    return [
        record
        for record in records
        if record["kind"] == "tool_failed" and record.get("prompt_id") == prompt_id
    ]


def _meta(path: Path) -> Line:
    """What the first line says of the session; {} where it says nothing."""
    try:
        first = next(lines(path), {})
    except OSError:
        return {}
    payload = first.get("payload")
    return payload if first.get("type") == "session_meta" and isinstance(payload, dict) else {}


def _subagents(path: Path, session: str) -> list[Path]:
    """The transcripts of a session's subagents, which lie beside it."""
    beside = (each for each in sorted(path.parent.glob("rollout-*.jsonl")) if each != path)
    return [each for each in beside if session and string(_meta(each), "parent_thread_id") == session]
