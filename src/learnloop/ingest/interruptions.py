"""Interruptions: a person stopped a turn with Esc, which fires no hook; only the transcript says so.

The transcript is read when a turn was left without an end. The result becomes an event, so it survives the
transcript.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.hosts.claude import transcripts
from learnloop.ingest.effects import TurnAbandoned
from learnloop.wire import codec, event, journal, regular

Doc = dict[str, Any]
_MARK = b"[Request interrupted by user"
_TAIL = 8 << 20
"""Bytes read from the end of a transcript; ingest runs soon after the turn."""


def note(root: str, abandoned: Iterable[TurnAbandoned]) -> int:
    """Append an event for each turn that its transcript calls interrupted; return how many there are."""
    by_path: dict[str, dict[str, TurnAbandoned]] = {}
    for turn in abandoned:
        by_path.setdefault(turn.transcript_path, {})[turn.prompt_id] = turn
    records = [record for path, turns in by_path.items() for record in _notices(path, turns)]
    return len(records) if records and journal.append(root, records) else 0


def _notices(path: str, turns: dict[str, TurnAbandoned]) -> Iterator[Any]:
    for line in _lines(path):
        prompt_id, ms = str(line.get("promptId", "")), transcripts.millis(line)
        turn = turns.pop(prompt_id, None) if ms is not None and _is_interruption(line) else None
        if turn is not None and ms is not None:
            yield event.record(
                "notice", host=turn.host, session_id=turn.session_id, cwd=turn.cwd, project=turn.project,
                payload={"type": "interrupted", "message": "says the transcript"}, ts_ms=ms,
                prompt_id=turn.prompt_id,
                event_id=transcripts.event_id(ms, turn.session_id, turn.prompt_id, "interrupted"),
            )  # fmt: skip


def _lines(path: str) -> Iterator[Doc]:
    """Yield the lines near the end of a regular file that may report an interruption."""
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
        fd = regular.opened(path, follows=True)
    except (OSError, ValueError):
        return b""
    try:
        return os.pread(fd, _TAIL, max(os.fstat(fd).st_size - _TAIL, 0))
    except OSError:
        return b""
    finally:
        os.close(fd)


def _is_interruption(line: Doc) -> bool:
    """Whether the client itself says that the person interrupted; words that quote it do not."""
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    text = parts[0].get("text") if len(parts) == 1 and isinstance(parts[0], dict) else None
    return (
        line.get("type") == "user"
        and not line.get("isSidechain")
        and isinstance(text, str)
        and text.strip() in ("[Request interrupted by user]", "[Request interrupted by user for tool use]")
    )
