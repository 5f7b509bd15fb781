"""Fold and ingest: events a second into a full store, and whether a few new ones cost more there."""

import time
from pathlib import Path

from scripts.perf import big_stores
from scripts.perf.measure import Row, compared, rounds

from learnloop.ingest.run import ingest
from learnloop.store.store import Store

HELD, BATCH, FEW = 100_000, 10_000, 100
_PROJECT = "/somewhere/project"


def measure(folder: Path, quick: bool) -> list[Row]:
    """Both goals on a store that holds 100,000 events, and the second one again with fewer corrections.

    What a few new events cost depends on how many lessons wait: they share one file.
    """
    return _measure(folder / "tenth", quick, 10) + _measure(folder / "thirtieth", quick, 30)[1:]


def _measure(folder: Path, quick: bool, one_in: int) -> list[Row]:
    held, batch, count = (5_000, 1_000, 3) if quick else (HELD, BATCH, 40)
    full, empty = folder / "full", folder / "empty"
    for root in (full, empty):
        root.mkdir(parents=True)
    _ingest(full, held, one_in, seed=1, days=30)
    _ingest(empty, FEW, one_in, seed=1)
    speeds = [_ingest(full, batch, one_in, seed=100 + n) for n in range(2 if quick else 5)]
    lessons = Store(str(full)).documents("lessons").values()
    drafts = sum(doc["status"] == "draft" for doc in lessons)
    few = rounds(count, {
        "empty": lambda n: _ingest(empty, FEW, one_in, seed=1_000 + n),
        "full": lambda n: _ingest(full, FEW, one_in, seed=1_000 + n),
    })  # fmt: skip
    rate = sorted(batch / (ms / 1e3) for ms in speeds)[len(speeds) // 2]
    few_name = f"100 new events, {held:,} stored against none, 1 in {one_in} corrects"
    return [
        Row(f"Fold and ingest into {held:,} events", 5_000, rate, "events/s", tuple(speeds), at_least=True,
            note=f"batches of {batch:,} events, {len(speeds)} of them"),
        compared(few, "full", "empty", 2.0, few_name,
                 note=f"{drafts:,} drafts in the full store"),
    ]  # fmt: skip


def _ingest(root: Path, count: int, one_in: int, *, seed: int, days: int = 0) -> float:
    big_stores.write(root, big_stores.events(count, _PROJECT, days=days, seed=seed, one_in=one_in))
    start = time.perf_counter_ns()
    report = ingest(str(root), wait_s=60)
    took = (time.perf_counter_ns() - start) / 1e6
    if report.events < count:
        raise RuntimeError(f"{report.events} of {count} events were ingested")
    return took
