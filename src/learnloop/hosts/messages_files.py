"""Sessions of Cline, `data/sessions/ID/ID.messages.json`: the messages as the model's API has them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from learnloop.hosts.chat_reader import ChatReader
from learnloop.hosts.transcript_lines import Line, Record, document, objects, oldest_first, string, text

_END = ".messages.json"
_REJECTED = "This tool call was rejected by the user"


def files(home: Path) -> list[Path]:
    """The sessions without those of subagents, the oldest first."""
    every = home.glob(f"data/sessions/*/*{_END}")
    own = (path for path in every if path.name == path.parent.name + _END)
    return oldest_first(own)


def is_transcript(path: Path) -> bool:
    """Whether a file holds the messages of a session, not those of a subagent; raises OSError."""
    whole = document(path) if path.name.endswith(_END) else {}
    return isinstance(whole.get("messages"), list) and whole.get("agent") != "subagent"


def folder(path: Path) -> str:
    """The folder that a session began in, empty where no file beside it names one; raises OSError."""
    return string(_about(path), "cwd")


def events(path: Path, extras: Sequence[str] = (), home: str = "") -> list[Record]:
    """The events of a session, by time; raises OSError."""
    whole = document(path)
    session, messages = string(whole, "sessionId"), whole.get("messages")
    if not session or not isinstance(messages, list):
        return []
    about = _about(path)
    is_print = about.get("interactive") is False
    chat = ChatReader("cline", str(path), extras, home, session, string(about, "cwd"), is_print=is_print)
    timed = (each for each in messages if isinstance(each, dict) and isinstance(each.get("ts"), int))
    return sorted(_events(chat, timed), key=lambda record: record["ts"])


def _about(path: Path) -> Line:
    """What the file beside a session says of it."""
    about = path.with_name(path.name.removesuffix(_END) + ".json")
    return document(about) if about.exists() else {}


def _events(chat: ChatReader, messages: Iterator[Line]) -> Iterator[Record]:
    calls: dict[str, Line] = {}
    for message in messages:
        ms, parts = message["ts"], _parts(message)
        words = text([part for part in parts if part.get("type") == "text"])
        yield from chat.begin(ms)
        if message.get("role") == "assistant":
            chat.answer(ms, words)
            calls.update((string(part, "id"), part) for part in parts if part.get("type") == "tool_use")
            continue
        for part in parts:
            call = calls.pop(string(part, "tool_use_id"), None)
            if call is not None:
                yield from _result(chat, ms, call, part.get("content"))
        yield from chat.prompt(ms, _typed(words))
    yield from chat.end()


def _typed(words: str) -> str:
    """What the person typed, without the marks that the client puts around it."""
    _, mark, marked = words.partition("<user_input")
    typed, end, _ = marked.partition(">")[2].rpartition("</user_input>")
    return typed if mark and end else words


def _result(chat: ChatReader, ms: int, call: Line, content: object) -> Iterator[Record]:
    error = _error(content)
    named = {"id": call.get("id"), "name": call.get("name"), "args": _input(call.get("input"))}
    return chat.call(ms, named, error, refused=error.startswith(_REJECTED))


def _input(given: Any) -> Any:
    """The input of a call; several commands become the lines of one."""
    commands = given.get("commands") if isinstance(given, dict) else None
    if not isinstance(commands, list):
        return given
    return {"command": "\n".join(each for each in commands if isinstance(each, str))}


def _error(content: object) -> str:
    """What a result says went wrong; empty where nothing did."""
    try:
        results = json.loads(content) if isinstance(content, str) else content
    except (ValueError, RecursionError):
        return ""
    every = results if isinstance(results, list) else [results]
    return next(filter(None, (string(result, "error") for result in every)), "")


def _parts(message: Line) -> list[Line]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
