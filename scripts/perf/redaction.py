"""Redaction of texts made against it: 16 KB of each, twice as much, and a batch of 1,000 calls."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from scripts.perf.measure import Row

from learnloop.wire import payloads
from learnloop.wire.redact import cleaned
from tests.wire.test_redact import PIECES

_KB16 = 16_384


def measure(folder: Path, quick: bool) -> list[Row]:
    """The slowest of the texts, the largest cost of twice the length, and the slowest batch."""
    del folder
    count = 3 if quick else 15
    pairs = [
        tuple(_least(partial(cleaned, text[:length]), count) for length in (_KB16, 2 * _KB16))
        for text in _texts(2 * _KB16)
    ]
    once = [single for single, _ in pairs]
    batches = [_least(partial(_record, batch), count) for batch in _texts(2_000)]
    growth = max(double / single for single, double in pairs if single > 1)
    return [
        Row("Redaction of 16 KB of the worst text", 15, max(once), "ms", tuple(once)),
        Row("Redaction of twice that against once", 2.3, growth),
        Row("Redaction of a batch of 1,000 of the worst calls", 150, max(batches), "ms", tuple(batches)),
    ]


def _texts(length: int) -> list[str]:
    return [(piece * (length // len(piece) + 1))[:length] for piece in PIECES]


def _record(command: str) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": command}
    payload = {"session_id": "s", "hook_event_name": "PostToolBatch", "tool_calls": [call] * 1_000}
    payloads.records("claude", payload, payloads.HookContext("/p"))


def _least(run: Callable[[], object], count: int) -> float:
    """The milliseconds of processor time of the quickest of some runs: what others do only adds."""
    spent = []
    for _ in range(count):
        start = time.process_time_ns()
        run()
        spent.append((time.process_time_ns() - start) / 1e6)
    return min(spent)
