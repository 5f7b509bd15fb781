"""The ranges of milliseconds that hook times are counted in."""

from bisect import bisect_left

BOUNDS_MS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 200, 500, 1000)
"""Upper bounds of the buckets; one more bucket holds the rest."""


def bucket(took_ms: float) -> int:
    """The number of the bucket that a time falls into."""
    return bisect_left(BOUNDS_MS, took_ms)
