"""Fold and ingest: events a second into a full store, and whether a few new ones cost more there."""

import time
from pathlib import Path

from learnloop.ingest.run import ingest
from tests.perf import scenes
from tests.perf.measure import Row, compared, rounds

HELD, BATCH, FEW = 100_000, 10_000, 100
_PROJECT = "/somewhere/project"


def measure(folder: Path, quick: bool) -> list[Row]:
    """Both goals, on one store that holds 100,000 events and one that holds hardly any."""
    held, batch, count = (5_000, 1_000, 3) if quick else (HELD, BATCH, 40)
    full, empty = folder / "full", folder / "empty"
    for root in (full, empty):
        root.mkdir()
    _ingest(full, held, seed=1, days=30)
    _ingest(empty, FEW, seed=1, days=0)
    speeds = [_ingest(full, batch, seed=100 + n, days=0) for n in range(2 if quick else 5)]
    few = rounds(count, {
        "empty": lambda n: _ingest(empty, FEW, seed=1_000 + n, days=0),
        "full": lambda n: _ingest(full, FEW, seed=1_000 + n, days=0),
    })  # fmt: skip
    rate = sorted(batch / (ms / 1e3) for ms in speeds)[len(speeds) // 2]
    return [
        Row(f"Fold and ingest into {held:,} events", 5_000, rate, "events/s", tuple(speeds), at_least=True,
            note=f"a batch of {batch:,} events each time"),
        compared(few, "full", "empty", 2.0, f"100 new events, {held:,} stored against none"),
    ]  # fmt: skip


def _ingest(root: Path, count: int, *, seed: int, days: int) -> float:
    scenes.write(root, scenes.events(count, _PROJECT, days=days, seed=seed))
    start = time.perf_counter_ns()
    report = ingest(str(root), wait_s=60)
    took = (time.perf_counter_ns() - start) / 1e6
    if report.events < count:
        raise RuntimeError(f"{report.events} of {count} events were ingested")
    return took
