"""What only the transcript tells: that a person stopped a turn with Esc, which raises no hook.

Looked for when a turn was left without an end, while the transcript is there; what is found becomes an event,
so that it stands when history is read anew and the transcript is gone.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.hosts.claude import transcripts
from learnloop.ingest.effects import Left
from learnloop.wire import codec, event, journal

Doc = dict[str, Any]
_MARK = b"[Request interrupted by user"
_TAIL = 8 << 20
"""Bytes from the end of a transcript that are looked at: ingest comes soon after."""


def note(root: str, left: Iterable[Left]) -> int:
    """Write an event for each of these turns that its transcript says was interrupted; how many there are."""
    by_path: dict[str, dict[str, Left]] = {}
    for one in left:
        by_path.setdefault(one.transcript_path, {})[one.prompt_id] = one
    records = [record for path, turns in by_path.items() for record in _found(path, turns)]
    return len(records) if records and journal.append(root, records) else 0


def _found(path: str, turns: dict[str, Left]) -> Iterator[Any]:
    for line in _lines(path):
        prompt_id, ms = str(line.get("promptId", "")), transcripts.millis(line)
        turn = turns.pop(prompt_id, None) if ms is not None and _is_interruption(line) else None
        if turn is not None and ms is not None:
            yield _notice(turn, ms)


def _notice(turn: Left, ms: int) -> Any:
    return event.record(
        "notice", host=turn.host, session_id=turn.session_id, cwd=turn.cwd, project=turn.project,
        payload={"type": "interrupted", "message": "says the transcript"}, ts_ms=ms,
        prompt_id=turn.prompt_id,
        event_id=transcripts.event_id(ms, turn.session_id, turn.prompt_id, "interrupted"),
    )  # fmt: skip


def _lines(path: str) -> Iterator[Doc]:
    """The lines near the end of a regular file that may tell of an interruption."""
    for raw in _tail(path).split(b"\n"):
        if _MARK in raw:
            try:
                line = codec.decode(raw.decode("utf-8", "replace"))
            except (ValueError, RecursionError, LearnloopError):
                continue
            if isinstance(line, dict):
                yield line


def _tail(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return b""
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            return b""
        return os.pread(fd, _TAIL, max(found.st_size - _TAIL, 0))
    except OSError:
        return b""
    finally:
        os.close(fd)


def _is_interruption(line: Doc) -> bool:
    """Whether the client itself says that the person interrupted; words that quote it do not."""
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    first = parts[0] if parts and isinstance(parts[0], dict) else {}
    said = first.get("text")
    return (
        line.get("type") == "user"
        and not line.get("isSidechain")
        and len(parts) == 1
        and isinstance(said, str)
        and said.strip() in ("[Request interrupted by user]", "[Request interrupted by user for tool use]")
    )
