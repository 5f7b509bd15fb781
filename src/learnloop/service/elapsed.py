"""Spans of time in one short word."""

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))
_SPANS = ((365, "year"), (30.44, "month"), (7, "week"))


def elapsed(ms: int) -> str:
    """A span in its largest whole unit: `2 s`, `5 min`, `3 h`, `4 d`; a negative one is `0 s`."""
    seconds = max(ms, 0) // 1000
    return next((f"{seconds // size} {unit}" for size, unit in _UNITS if seconds >= size), f"{seconds} s")


def span(ms: int) -> str:
    """How long something went on, in its largest fitting unit: `3 days`, `5 weeks`, `3 months`."""
    days = max(1, round(ms / 86_400_000))
    size, unit = next((part for part in _SPANS if days >= 2 * part[0]), (1, "day"))
    count = round(days / size)
    return f"{count} {unit}{'' if count == 1 else 's'}"
