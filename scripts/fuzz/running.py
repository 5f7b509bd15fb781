"""Runs a target on many inputs, and keeps what failed and what was slowest."""

import itertools
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field

from scripts.fuzz import mutation
from scripts.fuzz.targets import TARGETS

_MOST_FAILURES = 5


@dataclass
class Result:
    """What came of fuzzing one target."""

    target: str
    engine: str
    runs: int = 0
    slowest_ms: float = 0.0
    slowest: bytes = b""
    failures: list[str] = field(default_factory=list)


def mutated(name: str, runs: int, seed: int, most_s: float = 1e9) -> Result:
    """Run a target on so many mutated inputs, or for so long."""
    result = Result(name, "own mutation")
    _run(result, itertools.islice(mutation.inputs(name, seed), runs), time.monotonic() + most_s)
    return result


def _run(result: Result, inputs: Iterable[bytes], deadline: float) -> None:
    target = TARGETS[result.target]
    for data in inputs:
        start = time.thread_time()
        try:
            target(data)
        except Exception:
            result.failures.append(f"{data!r}\n{traceback.format_exc()}")
        took_ms = (time.thread_time() - start) * 1e3
        result.runs += 1
        if took_ms > result.slowest_ms:
            result.slowest_ms, result.slowest = took_ms, data
        if len(result.failures) >= _MOST_FAILURES or time.monotonic() > deadline:
            return
