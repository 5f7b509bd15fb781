"""Transcripts that were cut off, or written by another version: read as far as they are true."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from learnloop.hosts.host import Host
from learnloop.hosts.table import CODEX, COPILOT, DROID, GEMINI, QWEN
from tests.hosts import test_chats, test_rollouts, test_session_files

WRITERS: dict[str, tuple[Host, Callable[[Path], Path]]] = {
    "codex": (CODEX, test_rollouts.session), "gemini": (GEMINI, test_chats.gemini),
    "qwen": (QWEN, test_chats.qwen), "copilot": (COPILOT, test_session_files.copilot),
    "droid": (DROID, test_session_files.droid),
}  # fmt: skip
WRONG: tuple[Any, ...] = (None, 7, "x", [], {}, [7], {"a": [None]}, "\ud800")


@pytest.fixture(params=list(WRITERS))
def written(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Host, Path]:
    """A host and one of its transcripts."""
    host, write = WRITERS[request.param]
    return host, write(tmp_path)


def prompts(host: Host, path: Path) -> list[str]:
    """The prompts that are read in a transcript; the host may say that it is none."""
    host.transcripts.is_transcript(path)
    host.transcripts.folder(path)
    events = host.transcripts.events(path)
    return [event["payload"]["prompt"] for event in events if event["kind"] == "prompt"]


def test_a_transcript_that_was_cut_off_is_read_up_to_there(written: tuple[Host, Path]) -> None:
    host, path = written
    whole, known = path.read_bytes(), prompts(host, path)
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        some = prompts(host, path)
        assert some == known[: len(some)]


def test_a_hole_costs_no_memory(written: tuple[Host, Path]) -> None:
    host, path = written
    with path.open("ab") as file:
        file.truncate(1 << 29)
    tracemalloc.start()
    with pytest.raises(OSError, match="File too large"):
        host.transcripts.events(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 27
    tracemalloc.stop()


def test_a_transcript_of_another_version_hurts_nobody(written: tuple[Host, Path]) -> None:
    host, path = written
    lines = path.read_text("utf-8").split("\n")
    for at, line in enumerate(lines):
        for changed in _changed(line):
            path.write_text("\n".join([*lines[:at], changed, *lines[at + 1 :]]), "utf-8")
            prompts(host, path)


def _changed(line: str) -> Iterator[str]:
    """A line with each of its values, at any depth, of another type, or not there."""
    try:
        whole = json.loads(line)
    except ValueError:
        return
    for holder, key in list(_places(whole)):
        before = holder[key]
        for value in WRONG:
            holder[key] = value
            yield json.dumps(whole)
        holder[key] = before


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
