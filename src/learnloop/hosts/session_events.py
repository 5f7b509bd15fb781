"""Sessions of Copilot CLI, `session-state/SESSION/events.jsonl`, as the events that hooks would record."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from learnloop.hosts.chat_reader import ChatReader
from learnloop.hosts.transcript_lines import Line, Record, lines, millis, objects, oldest_first, string

_REFUSALS = ("denied-interactively-by-user", "cancelled")
_DENIED = "denied"


def files(home: Path) -> list[Path]:
    """The transcripts, the oldest first."""
    return oldest_first(home.glob("session-state/*/events.jsonl"))


def is_transcript(path: Path) -> bool:
    """Whether a file begins as a session of Copilot CLI does; raises OSError."""
    return bool(_start(path))


def folder(path: Path) -> str:
    """The folder that a session began in, empty where no line names it; raises OSError."""
    return string(_start(path).get("context"), "cwd")


def events(path: Path, extras: Sequence[str] = (), home: str = "", tail: int = 0) -> list[Record]:
    """The events of a session, by time; with `tail` those so near its end. Raises OSError."""
    session = string(_start(path), "sessionId")
    if not session:
        return []
    chat = ChatReader("copilot", str(path), extras, home, session, folder(path))
    return sorted(_Events(chat).read(lines(path, tail)), key=lambda record: record["ts"])


def _start(path: Path) -> Line:
    """What the first line says of the session; {} where it says nothing."""
    first = next(lines(path), {})
    data = first.get("data")
    return data if first.get("type") == "session.start" and isinstance(data, dict) else {}


class _Events:
    """The lines of one session, read in order."""

    def __init__(self, chat: ChatReader) -> None:
        self._chat = chat
        self._calls: dict[str, Line] = {}

    def read(self, every: Iterator[Line]) -> Iterator[Record]:
        """The events of the lines."""
        for line in every:
            ms, data = millis(line), line.get("data")
            if ms is not None and isinstance(data, dict):
                yield from self._read(ms, str(line.get("type")), data, string(line, "agentId"))
        yield from self._chat.end()

    def _read(self, ms: int, kind: str, data: Line, agent: str) -> Iterator[Record]:
        if kind == "session.start":
            yield from self._chat.begin(ms)
        elif kind == "user.message" and not agent:
            yield from self._prompt(ms, data)
        elif kind == "assistant.message":
            self._answer(ms, data, agent)
        elif kind == "permission.completed":
            yield from self._permission(ms, data, agent)
        elif kind == "tool.execution_complete":
            yield from self._call(ms, data, agent)
        elif kind == "abort":
            yield from self._chat.interrupted(ms)

    def _prompt(self, ms: int, data: Line) -> Iterator[Record]:
        words = string(data, "content")
        if words.strip():
            self._chat.prompt_id = string(data, "interactionId")
            yield from self._chat.prompt(ms, words)

    def _answer(self, ms: int, data: Line, agent: str) -> None:
        if not agent:
            self._chat.answer(ms, string(data, "content"))
        for request in objects(data.get("toolRequests")):
            call_id, args = string(request, "toolCallId"), request.get("arguments")
            self._calls[call_id] = {"id": call_id, "name": request.get("name"), "args": args}

    def _permission(self, ms: int, data: Line, agent: str) -> Iterator[Record]:
        result = data.get("result")
        call = self._calls.get(string(data, "toolCallId"))
        if call and string(result, "kind") in _REFUSALS:
            del self._calls[call["id"]]
            words = string(result, "feedback")
            yield from self._chat.call(ms, call, "", refused=True, words=words, agent=agent)

    def _call(self, ms: int, data: Line, agent: str) -> Iterator[Record]:
        call, error = self._calls.pop(string(data, "toolCallId"), None), data.get("error")
        if call and string(error, "code") != _DENIED:
            yield from self._chat.call(ms, call, _error(data), agent=agent)


def _error(data: Line) -> str:
    """What went wrong with a call, or nothing."""
    shell = data.get("shellExecution")
    code = shell.get("exitCode") if isinstance(shell, dict) else 0
    if data.get("success") is False:
        return string(data.get("error"), "message") or "it failed"
    return f"Exit code {code}\n{string(data.get('result'), 'content')}" if code else ""
