"""Chats of Qwen Code, `projects/PROJECT/chats/SESSION.jsonl`: each line says who speaks (`provenance`)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from learnloop.hosts.chat_reader import ChatReader
from learnloop.hosts.transcript_lines import Line, Record, lines, millis, objects, oldest_first, string, text

_PERSON, _AGENT, _RESULT = "real_user", "assistant_output", "tool_result"


def files(home: Path) -> list[Path]:
    """The chats, the oldest first."""
    return oldest_first(home.glob("projects/*/chats/*.jsonl"))


def is_transcript(path: Path) -> bool:
    """Whether a file has a line as Qwen Code writes them; raises OSError."""
    return any(_is_of_session(line) for line in lines(path))


def folder(path: Path) -> str:
    """The folder that a chat began in, empty where no line names it; raises OSError."""
    return string(_first(path), "cwd")


def events(path: Path, extras: Sequence[str] = (), home: str = "") -> list[Record]:
    """The events of a chat, by time; raises OSError."""
    first = _first(path)
    if not first:
        return []
    session, cwd = string(first, "sessionId"), string(first, "cwd")
    chat = ChatReader("qwen", str(path), extras, home, session, cwd)
    every = (line for line in lines(path) if _is_of_session(line) and millis(line) is not None)
    return sorted(_events(chat, every), key=lambda record: record["ts"])


def _is_of_session(line: Line) -> bool:
    return isinstance(line.get("provenance"), str) and isinstance(line.get("sessionId"), str)


def _first(path: Path) -> Line:
    return next((line for line in lines(path) if _is_of_session(line)), {})


def _events(chat: ChatReader, every: Iterator[Line]) -> Iterator[Record]:
    calls: dict[str, Line] = {}
    for line in every:
        ms, speaker = millis(line) or 0, line["provenance"]
        parts = _parts(line)
        yield from chat.begin(ms)
        if speaker == _PERSON:
            yield from chat.prompt(ms, text(parts))
        elif speaker == _AGENT:
            chat.answer(ms, text([part for part in parts if not part.get("thought")]))
            made = (part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict))
            calls.update((str(call.get("id")), call) for call in made)
        elif speaker == _RESULT:
            yield from _results(chat, ms, line, calls)
    yield from chat.end()


def _results(chat: ChatReader, ms: int, line: Line, calls: dict[str, Line]) -> Iterator[Record]:
    outcome = line.get("toolCallResult")
    is_cancelled = isinstance(outcome, dict) and outcome.get("status") == "cancelled"
    for part in _parts(line):
        answer = part.get("functionResponse")
        call = calls.pop(str(answer.get("id")), None) if isinstance(answer, dict) else None
        if call is not None and isinstance(answer, dict):
            yield from chat.call(ms, call, string(answer.get("response"), "error"), refused=is_cancelled)


def _parts(line: Line) -> list[Line]:
    message = line.get("message")
    return objects(message.get("parts")) if isinstance(message, dict) else []
