"""Sessions of Factory droid, `sessions/PROJECT/SESSION.jsonl`, as the events that hooks would record."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from learnloop.hosts import transcript_lines
from learnloop.hosts.chat_reader import ChatReader

_REMINDER = "<system-reminder>"
_REFUSED = "Tool execution cancelled by user"
_CUT_OFF = f"Error: {_REFUSED}"
_CANCELLED = "cancelled"
_DENIED, _BLOCKED = '"permissionDecision":"deny"', 2
_HOOK = "user_only"
"""Who sees the line of a hook, which is written after what it reports."""


def files(home: Path) -> list[Path]:
    """The transcripts, the oldest first; those of subagents are read with the session that called them."""
    return transcript_lines.oldest_first(
        path for path in home.glob("sessions/*/*.jsonl") if not _caller(path)
    )


def is_transcript(path: Path) -> bool:
    """Whether a file begins as a session of droid does; raises OSError."""
    return bool(_start(path))


def folder(path: Path) -> str:
    """The folder that a session began in, empty where no line names it; raises OSError."""
    return transcript_lines.string(_start(path), "cwd")


def events(
    path: Path, extras: Sequence[str] = (), home: str = "", tail: int = 0
) -> list[transcript_lines.Record]:
    """The events of a session, by time; with `tail` those so near its end. Raises OSError."""
    session = transcript_lines.string(_start(path), "id")
    if not session:
        return []
    records: list[transcript_lines.Record] = []
    is_print = _is_exec(path)
    for each in [path, *(other for other in path.parent.glob("*.jsonl") if _caller(other) == session)]:
        agent = "" if each == path else each.stem
        chat = ChatReader(
            "droid", str(path), extras, home, session, folder(path), is_print=is_print, agent=agent
        )
        records += _Events(chat).read(transcript_lines.lines(each, tail))
    return sorted(records, key=lambda record: record["ts"])


def _caller(path: Path) -> str:
    """The session that called a subagent, whose transcript this is; nothing where it is no subagent's."""
    try:
        return transcript_lines.string(_start(path), "callingSessionId")
    except OSError:
        return ""


def _start(path: Path) -> transcript_lines.Line:
    """The first line, where it is that of a session."""
    first = next(transcript_lines.lines(path), {})
    return first if first.get("type") == "session_start" and "hostId" in first else {}


def _is_exec(path: Path) -> bool:
    """Whether `droid exec` ran the session, as the settings beside it say."""
    settings = path.with_suffix(".settings.json")
    return settings.exists() and {"name": "exec"} in transcript_lines.objects(
        transcript_lines.document(settings).get("tags")
    )


class _Events:
    """The lines of one session, read in order."""

    def __init__(self, chat: ChatReader) -> None:
        self._chat = chat
        self._calls: dict[str, transcript_lines.Line] = {}
        self._ms = 0
        self._is_refused = False

    def read(self, every: Iterator[transcript_lines.Line]) -> Iterator[transcript_lines.Record]:
        """The events of the lines."""
        for line in every:
            message = line.get("message")
            if isinstance(message, dict) and message.get("visibility") == _HOOK:
                self._hooked(message)
                continue
            self._ms = transcript_lines.millis(line) or self._ms
            if line.get("type") == "agent_turn_outcome" and self._ms:
                yield from self._outcome(line)
            elif self._ms and isinstance(message, dict):
                yield from self._chat.begin(self._ms)
                yield from self._message(message)
        yield from self._chat.end()

    def _hooked(self, message: transcript_lines.Line) -> None:
        """Forget a call that a hook stopped: nobody refused it, and nothing was done."""
        results = message.get("hookResults")
        for result in results if isinstance(results, list) else ():
            is_denied = _DENIED in transcript_lines.string(result, "stdout").replace(" ", "")
            if isinstance(result, dict) and (is_denied or result.get("exitCode") == _BLOCKED):
                self._calls.pop(transcript_lines.string(message, "hookToolCallId"), None)

    def _outcome(self, line: transcript_lines.Line) -> Iterator[transcript_lines.Record]:
        """The end of a turn; what a person refused or cut off has no answer."""
        if line.get("reason") == _CANCELLED or self._is_refused:
            yield from self._chat.interrupted(self._ms)
        self._is_refused = False

    def _message(self, message: transcript_lines.Line) -> Iterator[transcript_lines.Record]:
        content, role = message.get("content"), message.get("role")
        if role == "assistant":
            self._answer(content)
        elif role == "user" and "visibility" not in message:
            words = transcript_lines.text(content)
            if not words.startswith(_REMINDER):
                yield from self._chat.prompt(self._ms, words)
            for part in transcript_lines.objects(content):
                yield from self._result(part)

    def _answer(self, content: object) -> None:
        self._chat.answer(self._ms, transcript_lines.text(content))
        self._is_refused = False
        for part in transcript_lines.objects(content):
            if part.get("type") == "tool_use":
                call_id = transcript_lines.string(part, "id")
                call = {"id": call_id, "name": part.get("name"), "args": part.get("input")}
                self._calls[call_id] = call

    def _result(self, part: transcript_lines.Line) -> Iterator[transcript_lines.Record]:
        call = self._calls.pop(transcript_lines.string(part, "tool_use_id"), None)
        output = transcript_lines.text(part.get("content"))
        if call is not None and output != _CUT_OFF:
            self._is_refused = output == _REFUSED
            error = output if part.get("is_error") is True else ""
            yield from self._chat.call(self._ms, call, error, refused=self._is_refused)
