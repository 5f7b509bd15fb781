"""Times (UTC milliseconds) and event ids. Importing it loads neither `datetime` nor `uuid`."""

import posix
import time


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def iso(ms: int) -> str:
    """`2026-01-31T09:05:07.123Z` for milliseconds since the epoch."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03d}Z"


def parse_ms(ts: object, default: int = 0) -> int:
    """Milliseconds since the epoch of an ISO time, UTC where it names no zone; else `default`."""
    import datetime

    try:
        moment = datetime.datetime.fromisoformat(ts)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return default
    return round((moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp() * 1000)


def new_id(ms: int) -> str:
    """A unique id of 32 hex digits whose first 12 are the time in milliseconds, so that ids sort by time."""
    return f"{ms & 0xFFFFFFFFFFFF:012x}" + posix.urandom(10).hex()
