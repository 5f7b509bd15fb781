"""Esc raises no hook: what the transcript says of a turn that was left without an end becomes an event."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from learnloop.ingest.analyze import analyze
from learnloop.ingest.run import ingest
from learnloop.store.store import Store
from learnloop.wire import journal
from tests.ingest.session_scene import Scene

TS = "2026-09-22T00:00:03.000Z"


def line(text: Any, prompt_id: str = "p1", **more: Any) -> str:
    content = text if isinstance(text, list) else [{"type": "text", "text": text}]
    message = {"role": "user", "content": content}
    return (
        json.dumps({"type": "user", "promptId": prompt_id, "timestamp": TS, "message": message, **more})
        + "\n"
    )


STOPPED = line("[Request interrupted by user]")


def left(root: str, transcript: Path | str) -> str:
    """How the turn ended that was left, as stored."""
    scene = Scene().prompt("tell me a long story", "p1", transcript_path=str(transcript))
    scene.prompt("configure nightly backups for postgres", "p2", transcript_path=str(transcript))
    assert journal.append(root, scene.stop(prompt_id="p2").events)
    ingest(root)
    return min(Store(root).turns(), key=lambda turn: turn.started).end


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        (STOPPED, "interrupted"),
        (line("[Request interrupted by user for tool use]"), "interrupted"),
        ("half a line\n\n" + STOPPED + '{"torn', "interrupted"),
        ("x" * 9_000_000 + "\n" + STOPPED, "interrupted"),
        (line("[Request interrupted by user]", "p2"), "unfinished"),
        (line("what does [Request interrupted by user] mean?"), "unfinished"),
        (line([{"type": "tool_result", "content": "[Request interrupted by user]"}]), "unfinished"),
        (line("[Request interrupted by user]", isSidechain=True), "unfinished"),
        ('{"type":"user","promptId":"p1","message":"[Request interrupted by user]"}\n', "unfinished"),
        ("", "unfinished"),
    ],
)
def test_only_the_clients_own_line_about_this_prompt_counts(
    root: str, tmp_path: Path, lines: str, end: str
) -> None:
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text(lines)

    assert left(root, transcript) == end


def test_what_is_no_transcript_adds_nothing(root: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert left(root, tmp_path / "pipe") == "unfinished"
    assert left(root + "2", tmp_path) == "unfinished"
    assert left(root + "3", "/nowhere\0/x") == "unfinished"


def test_it_stays_when_the_transcript_is_gone(root: str, tmp_path: Path) -> None:
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text(STOPPED)
    assert left(root, transcript) == "interrupted"
    transcript.unlink()
    report = analyze(root)
    turn = min(Store(root).turns(), key=lambda one: one.started)

    assert report.relabelled == 0
    assert (turn.end, turn.ended, turn.outcome) == ("interrupted", TS, "cancellation")
