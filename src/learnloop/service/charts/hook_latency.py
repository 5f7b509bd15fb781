"""How long hooks took lately, as a histogram of what ingest counted by day."""

from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.learn.sessions.latency import BOUNDS_MS, bucket
from learnloop.models.base import Document

LATEST_DAYS = 7
"""The days that a histogram covers: older ones may be of another version."""


class Histogram(Document):
    """How many firings of hooks took how long."""

    bounds_ms: tuple[int, ...] = BOUNDS_MS
    """Upper bounds, milliseconds."""
    counts: tuple[int, ...] = ()
    """One more than bounds: the last takes the rest. Empty where nothing was measured."""
    days: int = LATEST_DAYS

    @property
    def total(self) -> int:
        """All firings."""
        return sum(self.counts)


def latencies(days: Mapping[str, Mapping[str, Any]], events: Iterable[Mapping[str, Any]]) -> Histogram:
    """Hook times of the latest days that were measured; before the first ingest, of the events given."""
    sums = [0] * (len(BOUNDS_MS) + 1)
    for day in sorted(days)[-LATEST_DAYS:]:
        for buckets in days[day].get("latencies", {}).values():
            sums = [one + other for one, other in zip(sums, buckets, strict=False)]
    if not any(sums):
        for event in events:
            took = event.get("hook_ms")
            if isinstance(took, int | float):
                sums[bucket(took)] += 1
    return Histogram(counts=tuple(sums) if any(sums) else ())
