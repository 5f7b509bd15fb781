"""Local days: which one a time is in, and which UTC days a local one touches. Pure."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo


def local_day(ts: str, zone: tzinfo | None = None) -> str:
    """Return the day of a time in a zone, by default the computer's: `2026-01-31`; nothing for no time."""
    try:
        return datetime.fromisoformat(ts).astimezone(zone).date().isoformat()
    except (ValueError, OverflowError):
        return ""


def is_day(name: str) -> bool:
    """Whether a name is a day that has a week before and after it; events may claim any time."""
    try:
        return date(1970, 1, 8) <= date.fromisoformat(name) <= date(9999, 12, 1) and len(name) == 10
    except ValueError:
        return False


def around(first: str, last: str) -> tuple[str, str]:
    """Return the first and last UTC day that may hold times of some local days, whatever the zone."""
    day = timedelta(days=1)
    return (date.fromisoformat(first) - day).isoformat(), (date.fromisoformat(last) + day).isoformat()


def span(first: str, last: str) -> Iterator[str]:
    """Yield the days from one to another."""
    day, end = date.fromisoformat(first), date.fromisoformat(last)
    while day <= end:
        yield day.isoformat()
        day += timedelta(days=1)


def before(day: str, count: int) -> str:
    """Return the day that is so many days before one."""
    return (date.fromisoformat(day) - timedelta(days=count)).isoformat()


def week_of(day: str) -> str:
    """Return the first of the seven days that end with a day."""
    return before(day, 6)


def offset(day: str, zone: tzinfo | None = None) -> str:
    """Return the offset from UTC at the beginning of a day: `+01:00`."""
    start = datetime.fromisoformat(day)
    return (start.replace(tzinfo=zone) if zone else start.astimezone()).isoformat(timespec="minutes")[-6:]
