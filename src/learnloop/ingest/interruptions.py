"""What hooks leave open of a turn, and its transcript tells: an interruption with Esc, an answer, a failure.

The transcript is read when a turn was left without an end, or ended in a host whose hooks do not tell all.
The result becomes an event, so it survives the transcript.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from learnloop.hosts import droid_sessions, gemini_chats, rollouts, session_events, transcript_lines
from learnloop.hosts.table import COPILOT
from learnloop.ingest.effects import TurnUnclear
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.wire import event, index, journal, paths, provenance

Doc = dict[str, Any]
_MARK = b"[Request interrupted by user"
_TAIL = 8 << 20
"""Bytes read from the end of a transcript; ingest runs soon after the turn."""
_PROMPT = "prompt"
_NOTICE = "notice"
_OF_CHATS = (_PROMPT, "refusal", _NOTICE, "turn_end")
_CHATS: dict[str, tuple[Callable[..., list[Any]], tuple[str, ...]]] = {
    "copilot": (session_events.events, _OF_CHATS),
    "droid": (droid_sessions.events, ("tool_failed", *_OF_CHATS)),
    "gemini": (gemini_chats.events, (_NOTICE,)),
}
"""What reads the chats of a host, and the kinds of events that its hooks lack."""


def unclear(view: SessionView, turn: RunningTurn, until: str) -> list[TurnUnclear]:
    """Return the turn as one to be looked up, where hooks recorded it and there is a transcript."""
    session = view["session"]
    copilot = str(COPILOT.home / "session-state" / session["id"] / "events.jsonl")  # no hook names it
    path = session["transcript_path"] or (copilot if session["host"] == COPILOT.name else "")
    since = turn["started"] if turn["prompt"] else ""
    return [] if view["read"] or not path else [TurnUnclear(
        session["host"], session["id"], turn["prompt_id"], path, session["cwd"], session["project"],
        turn["id"], since, until,
    )]  # fmt: skip


def note(root: str, turns_: Iterable[TurnUnclear]) -> int:
    """Append what transcripts say of turns; return how many events that is."""
    by_path: dict[str, list[TurnUnclear]] = {}
    for turn in turns_:
        by_path.setdefault(turn.transcript_path, []).append(turn)
    records = [
        record
        for path, turns in by_path.items()
        for record in (
            *_notices(path, {turn.prompt_id: turn for turn in turns if turn.prompt_id}),
            *_missing(root, turns),
        )
    ]
    provenance.mark(root, records)
    return len(records) if records and journal.append(root, records) else 0


def _missing(root: str, turns: list[TurnUnclear]) -> Iterator[Any]:
    """What hooks left out of turns, as events of theirs; `late` names the turn."""
    compiled = index.read(paths.index(root))
    extras = compiled.header.get("redaction", ()) if compiled else ()
    for turn in turns:
        if turn.host in READERS:
            with contextlib.suppress(OSError):
                for record in READERS[turn.host](turn, extras):
                    del record["source"]
                    record["payload"]["late"] = turn.turn_id
                    yield record


def _of_codex(turn: TurnUnclear, extras: Sequence[str]) -> list[Any]:
    return rollouts.failures(Path(turn.transcript_path), turn.prompt_id, extras)


def _of_chat(turn: TurnUnclear, extras: Sequence[str]) -> list[Any]:
    events, kinds = _CHATS[turn.host]
    records = events(Path(turn.transcript_path), extras, tail=_TAIL)
    return [record for record in _within(turn, records) if record["kind"] in kinds]


READERS = {"codex": _of_codex, **dict.fromkeys(_CHATS, _of_chat)}
"""What reads a turn in the transcript, for hosts whose hooks do not tell all of it."""


def _within(turn: TurnUnclear, records: list[Any]) -> list[Any]:
    """The events of a turn; where no hook reported its prompt, those from the last prompt on.

    Of subagents it has the calls that failed.
    """
    within = [
        record
        for record in records
        if turn.since <= record["ts"] <= turn.until
        and (record["kind"] == "tool_failed" or not record.get("agent_id"))
    ]
    prompts = [at for at, record in enumerate(within) if record["kind"] == _PROMPT]
    return within if turn.since else within[prompts[-1] if prompts else 0 :]


def _notices(path: str, turns: dict[str, TurnUnclear]) -> Iterator[Any]:
    for line in _marked(path):
        prompt_id, ms = str(line.get("promptId", "")), transcript_lines.millis(line)
        turn = turns.pop(prompt_id, None) if ms is not None and _is_interruption(line) else None
        if turn is not None and ms is not None:
            yield event.record(
                _NOTICE, host=turn.host, session_id=turn.session_id, cwd=turn.cwd, project=turn.project,
                payload={"type": "interrupted", "message": "says the transcript"}, ts_ms=ms,
                prompt_id=turn.prompt_id,
                event_id=transcript_lines.event_id(ms, turn.session_id, turn.prompt_id, "interrupted"),
            )  # fmt: skip


def _marked(path: str) -> Iterator[Doc]:
    """The lines near the end of a transcript that may report an interruption."""
    with contextlib.suppress(OSError, ValueError):
        yield from transcript_lines.lines(Path(path), _TAIL, _MARK)


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
