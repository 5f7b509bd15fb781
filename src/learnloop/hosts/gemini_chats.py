"""Chats of Gemini CLI, `tmp/PROJECT/chats/session-*.jsonl`; the folder of a project stands beside them.

A message that is written again with its calls replaces the one before.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from learnloop.hosts.chat_reader import ChatReader
from learnloop.hosts.transcript_lines import Line, Record, lines, millis, objects, oldest_first, string, text
from learnloop.wire import regular

_CONTEXT = "<session_context>"
_CANCELLED = "Request cancelled."


def files(home: Path) -> list[Path]:
    """The chats, the oldest first."""
    return oldest_first(home.glob("tmp/*/chats/session-*.jsonl"))


def is_transcript(path: Path) -> bool:
    """Whether a file begins as a chat of Gemini CLI does; raises OSError."""
    return bool(_session(path))


def folder(path: Path) -> str:
    """The folder that a chat began in; empty where it is not known."""
    try:
        named = regular.read(str(path.parent.parent / ".project_root"), 1 << 13, follows=True)
        return named.decode("utf-8").strip()
    except (OSError, ValueError):
        return ""


def events(path: Path, extras: Sequence[str] = (), home: str = "", tail: int = 0) -> list[Record]:
    """The events of a chat, by time; with `tail` those so near its end. Raises OSError."""
    session = _session(path)
    if not session:
        return []
    chat = ChatReader("gemini", str(path), extras, home, session, folder(path))
    return sorted(_events(chat, _messages(path, tail)), key=lambda record: record["ts"])


def _session(path: Path) -> str:
    """The id in the first line, where it is that of a chat."""
    first = next(lines(path), {})
    return string(first, "sessionId") if "projectHash" in first else ""


def _messages(path: Path, tail: int) -> list[Line]:
    """The messages in their last form, in order; copies that a resumed chat begins with are left out."""
    by_id: dict[str, Line] = {}
    for line in lines(path, tail):
        if isinstance(line.get("id"), str) and millis(line) is not None:
            by_id[line["id"]] = line
    return list(by_id.values())


def _events(chat: ChatReader, messages: list[Line]) -> Iterator[Record]:
    for message in messages:
        ms, kind, words = millis(message) or 0, message.get("type"), text(message.get("content"))
        yield from chat.begin(ms)
        if kind == "user" and not words.startswith(_CONTEXT):
            yield from chat.prompt(ms, words)
        elif kind == "gemini":
            chat.answer(ms, words)
            yield from _calls(chat, ms, message)
        elif kind == "info" and words == _CANCELLED:
            yield from chat.interrupted(ms)
    yield from chat.end()


def _calls(chat: ChatReader, ms: int, message: Line) -> Iterator[Record]:
    for call in objects(message.get("toolCalls")):
        status, output = call.get("status"), _output(call)
        error = output if status == "error" or "\nExit Code: " in output else ""
        yield from chat.call(millis(call) or ms, call, error, refused=status == "cancelled")


def _output(call: Line) -> str:
    """What the call answered."""
    for result in objects(call.get("result")):
        response = result.get("functionResponse")
        answer = response.get("response") if isinstance(response, dict) else None
        if isinstance(answer, dict):
            return string(answer, "error") or string(answer, "output")
    return ""
