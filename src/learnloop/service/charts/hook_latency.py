"""How long hooks took lately: a histogram from the counts that ingest keeps by day."""

from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.learn.sessions.latency import BOUNDS_MS, bucket
from learnloop.models.base import Document

LATEST_DAYS = 7
"""The days in a histogram: older ones may be of another version."""


class Histogram(Document):
    """Firings of hooks by duration."""

    bounds_ms: tuple[int, ...] = BOUNDS_MS
    """Upper bounds, milliseconds."""
    counts: tuple[int, ...] = ()
    """One more than bounds: the last counts the rest. Empty where nothing was measured."""
    days: int = LATEST_DAYS

    @property
    def total(self) -> int:
        """All firings."""
        return sum(self.counts)


def latencies(days: Mapping[str, Mapping[str, Any]], events: Iterable[Mapping[str, Any]]) -> Histogram:
    """The histogram of the latest measured days; before the first ingest, of the given events."""
    sums = [0] * (len(BOUNDS_MS) + 1)
    for day in sorted(days)[-LATEST_DAYS:]:
        for buckets in days[day].get("latencies", {}).values():
            sums = [total + count for total, count in zip(sums, buckets, strict=False)]
    if not any(sums):
        for event in events:
            took = event.get("hook_ms")
            if isinstance(took, int | float):
                sums[bucket(took)] += 1
    return Histogram(counts=tuple(sums) if any(sums) else ())
