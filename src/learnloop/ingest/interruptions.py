"""What hooks leave open of a turn, and its transcript tells: an interruption with Esc, calls that failed.

The transcript is read when a turn was left without an end, or ended in a host whose hooks tell no failures.
The result becomes an event, so it survives the transcript.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from learnloop.errors import LearnloopError
from learnloop.hosts import transcript_lines
from learnloop.hosts.codex import rollouts
from learnloop.ingest.effects import TurnUnclear
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.wire import codec, event, index, journal, paths, regular

Doc = dict[str, Any]
_MARK = b"[Request interrupted by user"
_TAIL = 8 << 20
"""Bytes read from the end of a transcript; ingest runs soon after the turn."""


READERS = {"codex": rollouts.failures}
"""What reads the failures of an ended turn, for hosts whose hooks do not tell of them."""


def unclear(view: SessionView, turn: RunningTurn) -> list[TurnUnclear]:
    """Return the turn as one to be looked up, where hooks recorded it and there is a transcript."""
    session = view["session"]
    place = [session[name] for name in ("transcript_path", "cwd", "project")]
    is_unclear = place[0] and not view["read"]
    return [TurnUnclear(session["host"], session["id"], turn["prompt_id"], *place)] if is_unclear else []


def note(root: str, turns_: Iterable[TurnUnclear]) -> int:
    """Append what transcripts say of turns: interruptions and failures; return how many there are."""
    by_path: dict[str, dict[str, TurnUnclear]] = {}
    for turn in turns_:
        by_path.setdefault(turn.transcript_path, {})[turn.prompt_id] = turn
    records = [
        record
        for path, turns in by_path.items()
        for record in (*_notices(path, turns), *_failures(root, path, turns))
    ]
    return len(records) if records and journal.append(root, records) else 0


def _failures(root: str, path: str, turns: dict[str, TurnUnclear]) -> Iterator[Any]:
    """The calls that failed, as events of hooks; `late`, since they were reported as made."""
    compiled = index.read(paths.index(root))
    extras = compiled.header.get("redaction", ()) if compiled else ()
    for turn in turns.values():
        if turn.host not in READERS:
            continue
        try:
            records = READERS[turn.host](Path(path), turn.prompt_id, extras)
        except OSError:
            continue
        for record in records:
            del record["source"]
            record["payload"]["late"] = True
            yield record


def _notices(path: str, turns: dict[str, TurnUnclear]) -> Iterator[Any]:
    for line in _lines(path):
        prompt_id, ms = str(line.get("promptId", "")), transcript_lines.millis(line)
        turn = turns.pop(prompt_id, None) if ms is not None and _is_interruption(line) else None
        if turn is not None and ms is not None:
            yield event.record(
                "notice", host=turn.host, session_id=turn.session_id, cwd=turn.cwd, project=turn.project,
                payload={"type": "interrupted", "message": "says the transcript"}, ts_ms=ms,
                prompt_id=turn.prompt_id,
                event_id=transcript_lines.event_id(ms, turn.session_id, turn.prompt_id, "interrupted"),
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
