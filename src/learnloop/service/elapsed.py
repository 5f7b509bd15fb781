"""Spans of time in one short word."""

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def elapsed(ms: int) -> str:
    """A span in its largest whole unit: `2 s`, `5 min`, `3 h`, `4 d`; a negative one is `0 s`."""
    seconds = max(ms, 0) // 1000
    return next((f"{seconds // size} {unit}" for size, unit in _UNITS if seconds >= size), f"{seconds} s")
