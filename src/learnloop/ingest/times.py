"""Times of events as numbers."""

from datetime import datetime


def millis(ts: str) -> int:
    """Milliseconds of one of our times; 0 for anything else."""
    try:
        return int(datetime.fromisoformat(ts).timestamp() * 1000)
    except ValueError:
        return 0
